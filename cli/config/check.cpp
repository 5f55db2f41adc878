// Whether a value is one for its key, in the user's words.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "analyzer/api/api.h"
#include "cli/assume.h"
#include "cli/config/keys.h"
#include "cli/near.h"
#include "rules/engine/selection.h"

namespace cpnlint::cli::config {
namespace {

using Kind = Value::Kind;
using Problems = std::vector<Problem>;

constexpr const char* kKnowsRules = " (`cpnlint rules` lists codes, slugs and families)";

std::string Joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

// "a string, "fast""
std::string Shown(const Value& value) {
  constexpr std::size_t kLongest = 60;
  std::string text = ToToml(value);
  if (text.empty() || text.size() > kLongest) return std::string(KindName(value));
  return std::string(KindName(value)) + ", " + text;
}

Problem Wrong(const Key& key, const Value& value, std::string_view wanted) {
  if (value.kind == Kind::kText && value.text.empty()) {
    return {value.at, fmt::format("`{}` is empty; it has to be {}", key.name, wanted)};
  }
  return {value.at, fmt::format("`{}` has to be {}, and this is {}", key.name, wanted, Shown(value))};
}

std::string RangeText(const Key& key, std::string_view what) {
  if (key.most >= 1e9) return fmt::format("{} of at least {:.0f}", what, key.least);
  return fmt::format("{} from {:.0f} to {:.0f}", what, key.least, key.most);
}

bool InRange(const Key& key, const Value& value) {
  return std::isfinite(value.number) && value.number >= key.least && value.number <= key.most;
}

bool IsText(const Value& value) { return value.kind == Kind::kText && !value.text.empty(); }

void CheckWord(const Key& key, const Value& value, const std::vector<std::string>& words, Problems& problems) {
  if (key.type == Type::kText && key.words == nullptr) return;
  if (std::find(words.begin(), words.end(), value.text) != words.end()) return;
  problems.push_back({value.at, fmt::format("`{}`: `{}` is none of: {}{}", key.name, value.text, Joined(words),
                                            DidYouMean(value.text, words))});
}

void CheckSelector(const Key& key, std::string_view selector, Point at, Problems& problems) {
  if (rules::SelectorIsKnown(selector)) return;
  problems.push_back({at, fmt::format("`{}`: no rule answers to `{}`{}{}", key.name, selector,
                                      DidYouMean(selector, SelectorWords()), kKnowsRules)});
}

// A list of texts; each item is handed to `check`.
template <class Each>
void CheckList(const Key& key, const Value& value, std::string_view wanted, Problems& problems, const Each& check) {
  if (value.kind != Kind::kList) {
    problems.push_back(Wrong(key, value, wanted));
    return;
  }
  for (const Value& item : value.items) {
    if (IsText(item)) {
      check(item);
    } else {
      problems.push_back(Wrong(key, item, wanted));
    }
  }
}

void CheckVersion(const Key& key, const Value& value, Problems& problems) {
  if (api::ParseVersion(value.text)) return;
  problems.push_back({value.at, fmt::format("`{}`: nothing is known of cuPyNumeric `{}`; known: {}", key.name,
                                            value.text, Joined(key.words()))});
}

void CheckIntegers(const Key& key, const Value& value, Problems& problems) {
  const std::string wanted = RangeText(key, "a whole number") + ", or a list of such";
  const auto good = [&](const Value& one) { return one.kind == Kind::kInteger && InRange(key, one); };
  if (value.kind != Kind::kList || value.items.empty()) {
    if (!good(value)) problems.push_back(Wrong(key, value, wanted));
    return;
  }
  for (const Value& item : value.items) {
    if (!good(item)) problems.push_back(Wrong(key, item, wanted));
  }
}

void CheckSeverities(const Key& key, const Value& value, Problems& problems) {
  if (value.kind != Kind::kTable) {
    problems.push_back(Wrong(key, value, "a table of rules, such as { R104 = \"error\" }"));
    return;
  }
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    CheckSelector(key, value.names[i], value.items[i].name_at, problems);
    if (value.items[i].kind != Kind::kText) {
      problems.push_back(Wrong(key, value.items[i], "for each rule one of: " + Joined(key.words())));
    } else {
      CheckWord(key, value.items[i], key.words(), problems);
    }
  }
}

void CheckPatternSelectors(const Key& key, const Value& value, Problems& problems) {
  const std::string wanted = "a table of patterns, such as { \"old/\" = [\"R1\"] }";
  if (value.kind != Kind::kTable) {
    problems.push_back(Wrong(key, value, wanted));
    return;
  }
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    if (value.names[i].empty() || value.names[i] == "!") {
      problems.push_back({value.items[i].name_at, fmt::format("`{}`: the pattern is empty", key.name)});
    }
    CheckList(key, value.items[i], wanted, problems,
              [&](const Value& item) { CheckSelector(key, item.text, item.at, problems); });
  }
}

// The names before a value inside of `assume`: ["solver.py:step", "u"].
std::string NameOf(const std::vector<std::string>& names) {
  std::string name;
  for (const std::string& part : names) {
    if (!name.empty()) {
      const bool file = name.find(':') == std::string::npos && (name.ends_with(".py") || name.ends_with(".ipynb") ||
                                                                name.find_first_of("/*") != std::string::npos);
      name += file ? ':' : '.';
    }
    name += part;
  }
  return name;
}

std::string SizeText(const Value& value) {
  if (value.kind == Kind::kText) return value.text;
  if (value.kind == Kind::kInteger) return std::to_string(value.integer);
  constexpr double kLargest = 9e18;
  const bool whole = value.number == std::floor(value.number) && std::fabs(value.number) < kLargest;
  return whole ? fmt::format("{}", static_cast<std::int64_t>(value.number)) : fmt::format("{}", value.number);
}

// What stands at the ends of the tables of an `assume`, by place, with the names that lead there.
struct Leaf {
  std::vector<std::string> names;
  const Value* value = nullptr;
};
std::vector<Leaf> Leaves(const Value& table) {
  std::vector<Leaf> leaves;
  std::vector<Leaf> work = {{{}, &table}};
  while (!work.empty()) {
    Leaf leaf = std::move(work.back());
    work.pop_back();
    if (leaf.value->kind != Kind::kTable) {
      leaves.push_back(std::move(leaf));
      continue;
    }
    for (std::size_t i = leaf.value->items.size(); i-- > 0;) {
      std::vector<std::string> names = leaf.names;
      names.push_back(leaf.value->names[i]);
      work.push_back({std::move(names), &leaf.value->items[i]});
    }
  }
  return leaves;
}

void CheckAssumptions(const Key& key, const Value& value, Problems& problems) {
  const std::string wanted = "a list such as [\"N=1e8\"], or a table of names with sizes";
  std::map<std::string, std::string> known;
  const auto check = [&](const std::string& text, Point at) {
    if (auto good = CheckAssumption(text, known); !good) {
      problems.push_back({at, fmt::format("`{}`: {}", key.name, good.error().message)});
    }
  };
  if (value.kind == Kind::kList) {
    CheckList(key, value, wanted, problems, [&](const Value& item) { check(item.text, item.at); });
    return;
  }
  if (value.kind != Kind::kTable) {
    problems.push_back(Wrong(key, value, wanted));
    return;
  }
  for (const Leaf& leaf : Leaves(value)) {
    const Kind kind = leaf.value->kind;
    if (kind == Kind::kInteger || kind == Kind::kNumber || IsText(*leaf.value)) {
      check(NameOf(leaf.names) + '=' + SizeText(*leaf.value), leaf.value->at);
    } else {
      problems.push_back({leaf.value->at, fmt::format("`{}.{}` has to be a size, such as 1e8 or \"(16384,16384):"
                                                      "float32\", and this is {}",
                                                      key.name, NameOf(leaf.names), Shown(*leaf.value))});
    }
  }
}

Value WholeOrText(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? Integer(number) : Text(text);
}

Binding BindingOf(const std::string& text, Point at) {
  const std::size_t equals = text.find('=');
  Binding binding;
  binding.at = at;
  binding.name = text.substr(0, equals);
  const std::size_t colon = binding.name.rfind(':');
  if (colon != std::string::npos) binding.pattern = binding.name.substr(0, colon);
  binding.text = colon == std::string::npos ? text : text.substr(colon + 1);
  return binding;
}

}  // namespace

std::vector<std::string> SelectorWords() {
  std::vector<std::string> words = {"ALL"};
  for (const rules::Family family : {rules::Family::kScales, rules::Family::kBlocks, rules::Family::kRefactor,
                                     rules::Family::kInfo, rules::Family::kMemory}) {
    words.emplace_back(rules::Name(family));
  }
  for (const rules::Rule* rule : rules::AllRules()) {
    words.push_back(rules::CodeText(*rule));
    words.emplace_back(rule->slug);
  }
  return words;
}

std::string TypeText(const Key& key) {
  switch (key.type) {
    case Type::kBoolean: return "true or false";
    case Type::kInteger: return RangeText(key, "whole number");
    case Type::kNumber: return RangeText(key, "number");
    case Type::kText: return key.words == nullptr ? "string" : "one of: " + Joined(key.words());
    case Type::kFile: return "path, relative to the file that says it";
    case Type::kList: return "list of: " + Joined(key.words());
    case Type::kPatterns: return "list of patterns, relative to the folder of the file that says it";
    case Type::kSelectors: return "list of codes, prefixes, names or families of rules";
    case Type::kIntegers: return RangeText(key, "whole number") + ", or a list of such";
    case Type::kSeverities: return "table: rules to one of: " + Joined(key.words());
    case Type::kPatternSelectors: return "table: patterns to lists of rules";
    case Type::kAssumptions: return "table: names to sizes, or list of NAME=VALUE";
  }
  return "";
}

std::vector<Problem> Check(const Key& key, const Value& value) {
  Problems problems;
  switch (key.type) {
    case Type::kBoolean:
      if (value.kind != Kind::kBoolean) problems.push_back(Wrong(key, value, "true or false"));
      break;
    case Type::kInteger:
      if (value.kind != Kind::kInteger || !InRange(key, value)) {
        problems.push_back(Wrong(key, value, RangeText(key, "a whole number")));
      }
      break;
    case Type::kNumber:
      if ((value.kind != Kind::kInteger && value.kind != Kind::kNumber) || !InRange(key, value)) {
        problems.push_back(Wrong(key, value, RangeText(key, "a number")));
      }
      break;
    case Type::kText:
    case Type::kFile:
      if (!IsText(value)) {
        problems.push_back(Wrong(key, value, key.words == nullptr ? "a string" : "one of: " + Joined(key.words())));
      } else if (std::string_view(key.name) == "target-version") {
        CheckVersion(key, value, problems);
      } else if (key.words != nullptr) {
        CheckWord(key, value, key.words(), problems);
      }
      break;
    case Type::kList:
      CheckList(key, value, "a list of: " + Joined(key.words()), problems,
                [&](const Value& item) { CheckWord(key, item, key.words(), problems); });
      if (value.kind == Kind::kList && value.items.empty()) problems.push_back(Wrong(key, value, "a list of some"));
      break;
    case Type::kPatterns: CheckList(key, value, "a list of strings", problems, [](const Value&) {}); break;
    case Type::kSelectors:
      CheckList(key, value, "a list of rules, such as [\"R1\", \"R203\"]", problems,
                [&](const Value& item) { CheckSelector(key, item.text, item.at, problems); });
      if (key.merge == Merge::kReplace && value.kind == Kind::kList && value.items.empty()) {
        problems.push_back({value.at, fmt::format("`{}` names no rule; leave it out for the default ones", key.name)});
      }
      break;
    case Type::kIntegers: CheckIntegers(key, value, problems); break;
    case Type::kSeverities: CheckSeverities(key, value, problems); break;
    case Type::kPatternSelectors: CheckPatternSelectors(key, value, problems); break;
    case Type::kAssumptions: CheckAssumptions(key, value, problems); break;
  }
  return problems;
}

std::vector<Binding> Bindings(const Value& assume) {
  std::vector<Binding> bindings;
  if (assume.kind == Kind::kList) {
    for (const Value& item : assume.items) bindings.push_back(BindingOf(item.text, item.at));
    return bindings;
  }
  for (const Leaf& leaf : Leaves(assume)) {
    bindings.push_back(BindingOf(NameOf(leaf.names) + '=' + SizeText(*leaf.value), leaf.value->at));
  }
  return bindings;
}

Value SizeOf(const Binding& binding) { return WholeOrText(binding.text.substr(binding.text.find('=') + 1)); }

Result<Value> FromWord(const Key& key, const std::string& word) {
  Value value;
  switch (key.type) {
    case Type::kBoolean: {
      const bool yes = word == "1" || word == "true" || word == "yes" || word == "on";
      const bool no = word == "0" || word == "false" || word == "no" || word == "off";
      value = yes || no ? Boolean(yes) : Text(word);
      break;
    }
    case Type::kInteger: value = WholeOrText(word); break;
    case Type::kList:
      value = List({});
      for (std::size_t at = 0; at <= word.size();) {
        const std::size_t comma = std::min(word.find(',', at), word.size());
        value.items.push_back(Text(word.substr(at, comma - at)));
        at = comma + 1;
      }
      break;
    default: value = Text(word); break;
  }
  const Problems problems = Check(key, value);
  if (!problems.empty()) return Fail(problems.front().message);
  return value;
}

}  // namespace cpnlint::cli::config
