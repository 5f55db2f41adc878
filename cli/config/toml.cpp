// TOML into plain values; toml++ stays in this file.

#include <algorithm>

// toml++ asserts, or assumes, that a table's name begins as a name does, which depends on the file; behind that it
// tells the error as it should. So neither: no assertion, and no assumption in its place.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "cli/config/value.h"

namespace cpnlint::cli::config {
namespace {

// Dotted keys make tables in tables without limit, and toml++ takes those apart by recursion.
constexpr std::ptrdiff_t kMostDots = 10'000;

Point At(const toml::source_region& region) { return {region.begin.line, region.begin.column}; }

// The node itself; what it holds waits in `work`. The items have their places before any pointer to one is kept.
void Convert(const toml::node& node, Value& value, std::vector<std::pair<const toml::node*, Value*>>& work) {
  value.at = At(node.source());
  if (const auto* boolean = node.as_boolean()) {
    value.kind = Value::Kind::kBoolean;
    value.truth = boolean->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = Value::Kind::kInteger;
    value.integer = integer->get();
    value.number = static_cast<double>(integer->get());
  } else if (const auto* number = node.as_floating_point()) {
    value.kind = Value::Kind::kNumber;
    value.number = number->get();
  } else if (const auto* text = node.as_string()) {
    value.kind = Value::Kind::kText;
    value.text = text->get();
  } else if (const auto* list = node.as_array()) {
    value.kind = Value::Kind::kList;
    value.items.resize(list->size());
    for (std::size_t i = 0; i < list->size(); ++i) work.emplace_back(list->get(i), &value.items[i]);
  } else if (const auto* table = node.as_table()) {
    value.kind = Value::Kind::kTable;
    // toml++ has them by name, messages and ties want them in the order of the file.
    std::vector<std::pair<const toml::key*, const toml::node*>> entries;
    for (auto entry = table->cbegin(); entry != table->cend(); ++entry) {
      entries.emplace_back(&entry->first, &entry->second);
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return At(a.first->source()) < At(b.first->source()); });
    value.items.resize(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      value.names.emplace_back(entries[i].first->str());
      value.items[i].name_at = At(entries[i].first->source());
      work.emplace_back(entries[i].second, &value.items[i]);
    }
  }
}

}  // namespace

Result<Value> ParseToml(std::string_view text, const std::string& name) {
  if (std::count(text.begin(), text.end(), '.') > kMostDots) {
    return Fail(name + ": has more than " + std::to_string(kMostDots) + " dots, which no configuration needs");
  }
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    const Point at = At(error.source());
    return Fail(name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) +
                ": this is no TOML: " + std::string(error.description()));
  }
  Value document;
  std::vector<std::pair<const toml::node*, Value*>> work = {{&table, &document}};
  while (!work.empty()) {
    const auto [node, value] = work.back();
    work.pop_back();
    Convert(*node, *value, work);
  }
  return document;
}

}  // namespace cpnlint::cli::config
