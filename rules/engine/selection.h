#pragma once

// Which rules a run shows: codes ("R101"), prefixes ("R1", "R10"), slugs, families and ALL. The more specific selector
// wins; at equal weight `ignore` wins.

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"
#include "rules/engine/rule.h"

namespace cpnlint::rules {

class Selection {
 public:
  // Every rule but those of the family `scales`.
  Selection() = default;

  // Empty `select` means the default; `extend_select` adds to it. An error names the selector that nothing answers to.
  [[nodiscard]] static Result<Selection> Parse(const std::vector<std::string>& select,
                                               const std::vector<std::string>& ignore,
                                               const std::vector<std::string>& extend_select = {},
                                               const std::vector<std::string>& extend_ignore = {});

  Selection& ShowPreview(bool on) {
    preview_ = on;
    return *this;
  }

  // Never shows what these mean, whatever else selects it. They have to be known.
  void Hide(const std::vector<std::string>& selectors);

  [[nodiscard]] bool Includes(const Rule& rule) const;
  // How specific a selector is: `ALL` 0, families and `R1` 2, codes and slugs 4. An error names an unknown one.
  [[nodiscard]] static Result<int> WeightOf(std::string_view selector);

  // Rules that are run: all but previews without --preview, of which only those are run that the verdict needs. Those
  // not included are filtered at the end, so that ignoring one rule does not bring up what it stands for.
  [[nodiscard]] bool Runs(const Rule& rule) const { return !Withholds(rule) || rule.may_raise; }
  // A preview that was not asked for: what it finds is told nowhere, and takes no other finding's place.
  [[nodiscard]] bool Withholds(const Rule& rule) const { return rule.preview && !preview_; }

 private:
  struct Selector {
    std::string text;
    int weight = 0;
  };

  std::vector<Selector> select_;
  std::vector<Selector> ignore_;
  std::vector<std::string> hidden_;
  bool default_ = true;
  bool preview_ = false;
};

// "R101", "R1", "element-loop", "blocks", "ALL", in any case: whether `selector` means `rule`. For pragmas, too.
[[nodiscard]] bool SelectorMatches(std::string_view selector, const Rule& rule);
// Whether it means any rule at all.
[[nodiscard]] bool SelectorIsKnown(std::string_view selector);

}  // namespace cpnlint::rules
