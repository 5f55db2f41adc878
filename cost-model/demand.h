#pragma once

// What a task asks of the parameters of a profile on one layout: amounts, not yet seconds. Every time of the model is a
// sum of such terms, a largest of sums, or both, so that one task is priced for many samples of the parameters at once.

#include <cstdint>
#include <span>
#include <vector>

#include "cost-model/amounts.h"
#include "cost-model/links.h"
#include "cost-model/partition.h"

namespace cpnlint::cost {

// `amount` times the parameter; of a rate (bytes per second, ...) divided by it.
struct Term {
  Parameter parameter = Parameter::kBandwidth;
  double amount = 0;

  bool operator==(const Term&) const = default;
};
using Terms = std::vector<Term>;

struct Demand {
  double launches = 0;    // Legate operations
  double dispatches = 0;  // the same in operations on whole arrays: one on slices counts as `part_factor`
  double points = 1;      // tasks of one operation that one process launches
  bool element = false;   // the launches are accesses of single elements
  int processors = 1;     // that work on it
  bool runs = false;      // something runs on a processor
  bool together = false;  // all processors of a node use the memory at once
  Terms memory, compute;  // on the busiest processor; the longer one counts
  Terms exchange;         // within the task, after that: all-to-all
  Terms before;           // copies that its data needs before it starts
  Terms after;            // until a task that needs its result may start, beyond the usual
  Terms host;             // the host copies data while Python waits or submits
  bool waits = false;

  bool operator==(const Demand&) const = default;
};

// What the task costs on its own; copies between processors that depend on what ran before are not in it.
[[nodiscard]] Demand DemandOf(const Amounts& amounts, const Division& division, const Profile& profile,
                              const Layout& layout, bool in_cache);

// Bytes that every processor sends to all others, `bytes` per processor.
void AddAllToAll(Terms& terms, double bytes, int processors, const Layout& layout);
// `bytes` that every processor needs in full.
void AddBroadcast(Terms& terms, double bytes, int processors, const Layout& layout);
// `copies` of `bytes` in all to or from one processor; between nodes where there are several.
void AddCopies(Terms& terms, double copies, double bytes, const Layout& layout);

[[nodiscard]] bool IsRate(Parameter parameter);

// Remembers in which tiles each array lies and who has which part, so that copies are charged where data changed since.
class Placement {
 public:
  // `roots`: how many storages there are.
  Placement(const Layout& layout, std::uint32_t roots) : layout_(layout), stores_(roots) {}
  // The copies that the task needs; then it is run. `links`: of its arrays.
  [[nodiscard]] Terms Run(const Amounts& amounts, const Division& division, std::span<const ArrayLink> links);
  // Variables hold what others have held.
  void Take(std::span<const Move> moves);

 private:
  struct Store {
    Grid grid;                      // tiles of the last write
    int processors = 1;             // that have written it
    bool placed = false;            // written or brought here before
    bool everywhere = false;        // each processor has it all since
    std::vector<double> low, high;  // rows of neighbours that each tile has since
    double stale = 0;               // bytes of parts that a single processor has written since
    Grid other;                     // a second tiling in which it also lies since
    bool turned = false;            // each processor has the tile across the diagonal since
    bool multiplied = false;        // each processor has the rows or columns that a product needs of it since
  };
  void Read(const Amounts& amounts, const Division& division, const ArrayUse& use, Store& store, Terms& terms);
  void Turn(const Division& division, const ArrayUse& use, Store& store, Terms& terms) const;
  void Multiply(const Amounts& amounts, const Division& division, const ArrayUse& use, Store& store,
                Terms& terms) const;
  void Halo(const Amounts& amounts, const Division& division, const ArrayUse& use, Store& store, Terms& terms) const;

  Layout layout_;
  std::vector<Store> stores_;  // by root
};

}  // namespace cpnlint::cost
