#pragma once

// The tables behind Facts. Private to analyzer/analysis: each question has its own .cpp that fills and reads its part.

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/analysis/facts.h"

namespace cpnlint::analysis {

// An attribute of the classes of one inheritance family: the join of all that is stored into it.
struct Slot {
  Value value;
  std::vector<ir::ValueId> readers;  // Attr ops to visit again when it grows
};

// What is known of one function as a whole.
struct FunctionFact {
  std::vector<Value> passed;  // per parameter: the join of what known call sites pass; kBottom = none yet
  std::vector<Value> local;   // per parameter: what annotation, docstring, use and default say
  std::vector<ir::ValueId> call_sites;
  Value returned;               // the join of what it returns; of a generator: of what it yields
  bool has_call_sites = false;  // some call names it, so parameters wait for what is passed
  bool closed = false;          // private and never leaves as a value: all callers are known
  bool compiled = false;        // another tool compiles it (rules.md A.8)
  bool is_property = false, is_static = false, is_classmethod = false;
};

enum class Mode : std::uint8_t { kPrePort, kPorted };

// Values of a loop computed from its induction value, and how.
struct Induction {
  std::unordered_map<ir::ValueId, bool> values;  // true: the bare induction value itself
};

struct Facts::Impl {
  Impl(const ir::Program& p, Interner& n) : program(p), names(n) {}

  const ir::Program& program;
  Interner& names;
  ValueStore store;

  IdVector<ir::ValueId, Value> values;
  IdVector<ir::CellId, Value> cells;
  IdVector<ir::FunctionId, FunctionFact> functions;
  std::vector<Slot> slots;
  std::unordered_map<std::uint64_t, std::uint32_t> slot_of;  // family and attribute name → index in slots
  IdVector<ir::ClassId, ir::ClassId> family;                 // topmost analysed base class
  IdVector<ir::ClassId, std::vector<ir::ClassId>> bases;
  std::unordered_map<ir::ValueId, Value> items;      // List, Dict, ... ops: what is added after creation
  std::unordered_map<Symbol, Value> assumed_arrays;  // by name, or function and name
  IdVector<ir::ModuleId, Mode> modes;
  bool budget_exhausted = false;

  // uses.cpp: users of each value, as a compressed table
  std::vector<std::uint32_t> use_begin;
  std::vector<ir::ValueId> uses;

  // Lazily computed, per function or loop; absent until asked for.
  std::unordered_map<ir::ValueId, Callee> callees;
  std::unordered_map<ir::ValueId, SubscriptResult> subscripts;
  std::unordered_map<ir::LoopId, Trips> trips;
  std::unordered_map<ir::LoopId, std::optional<std::int64_t>> most_trips;
  std::unordered_map<ir::LoopId, LoopFact> loops;
  std::unordered_map<ir::LoopId, Induction> inductions;
  std::unordered_map<ir::BlockId, Heat> heats;
  std::unordered_map<ir::LoopId, std::unordered_set<ir::BlockId>> repeating;  // blocks from which the loop goes on
  std::unordered_map<ir::FunctionId, std::vector<HostRead>> host_reads;
  std::unordered_map<ir::ValueId, std::vector<ir::ValueId>> mutations;
  std::unordered_set<ir::FunctionId> mutations_done;
  // Of the function's own ops: what is changed, and by which op.
  std::unordered_map<ir::FunctionId, std::vector<std::pair<ir::ValueId, ir::ValueId>>> mutated_roots;
  std::unordered_map<ir::FunctionId, std::unordered_set<ir::ValueId>> written_by_call;  // callees of callees included
  std::unordered_map<ir::LoopId, std::unordered_set<ir::ValueId>> changed_in_loop;      // roots
  std::unordered_map<ir::LoopId, std::unordered_set<Symbol>> attributes_stored;         // None(): any may be
  std::unordered_map<std::uint64_t, bool> invariant;                                    // by loop and value
  std::unordered_map<ir::FunctionId, Heat> function_heats;
  std::unordered_map<Symbol, std::vector<ir::ValueId>>
      unresolved_calls;  // calls of methods of unknown objects, by name
  bool unresolved_calls_known = false;
  std::unordered_map<ir::FunctionId, bool> array_work;
  std::vector<bool> reachable;
  bool reachability_known = false;
  int call_depth = 0;  // of the recursions through calls below; bounded

  [[nodiscard]] const Value& Of(ir::ValueId id) const;
  [[nodiscard]] std::span<const ir::ValueId> UsesOf(ir::ValueId id) const {
    return {uses.data() + use_begin[id.index()], use_begin[id.index() + 1] - use_begin[id.index()]};
  }
};

void BuildUses(Facts::Impl& impl);
// A list, dict or set that the loop may change: a method of it is called there, an item is stored, or other code gets
// it.
[[nodiscard]] bool ContainerChangedIn(const Facts& facts, ir::ValueId container, ir::LoopId loop);
void ChooseModes(Facts::Impl& impl);
// What annotation, docstring, use and default value say of each parameter (A.3, evidence 4 to 6).
[[nodiscard]] std::vector<Value> LocalEvidence(Facts::Impl& impl, ir::FunctionId function);
// The value an annotation promises; kUnknown where it promises nothing we model.
[[nodiscard]] Value FromAnnotation(Facts::Impl& impl, ir::ValueId annotation);
void SeeDecorators(Facts::Impl& impl);
void ReadAssumptions(Facts::Impl& impl);
// The array that the user says a parameter, module variable or attribute holds; nullptr without a word about it.
[[nodiscard]] const Value* AssumedArray(const Facts::Impl& impl, ir::FunctionId function, Symbol name);
void Infer(Facts::Impl& impl);
[[nodiscard]] Callee ResolveCallee(const Facts::Impl& impl, ir::ValueId call);
// The op that a decorator entry of a function or class names (the callee where it is a call).
[[nodiscard]] ir::ValueId DecoratorName(const Facts::Impl& impl, ir::ValueId decorator);

// Joins that treat None as "not there yet": an attribute that starts as None and becomes an array is an array.
[[nodiscard]] Value JoinOptional(ValueStore& store, const Value& a, const Value& b);

// Libraries whose functions need host data and whose results are no arrays of ours (namespaces.cpp).
[[nodiscard]] bool IsForeignLibrary(std::string_view dotted);
[[nodiscard]] bool StartsWithModule(std::string_view dotted, std::string_view module);

}  // namespace cpnlint::analysis
