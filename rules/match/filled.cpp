#include "rules/match/filled.h"

#include <algorithm>
#include <string>

namespace cpnlint::rules::match {
namespace {

bool IsNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// `x` of `f(x, 1)` and of `a[:x]`, not of `x - 1`.
bool IsArgument(std::string_view code, std::size_t begin, std::size_t end) {
  std::size_t before = begin;
  while (before > 0 && code[before - 1] == ' ') --before;
  const char left = before == 0 ? '\0' : code[before - 1], right = end < code.size() ? code[end] : '\0';
  constexpr std::string_view kBefore = "(,[:", kBehind = "),]";
  return kBefore.find(left) != std::string_view::npos && kBehind.find(right) != std::string_view::npos;
}

// Where the name stands in the code by itself: no attribute and no keyword.
std::vector<std::size_t> PlacesOf(std::string_view code, std::string_view name) {
  std::vector<std::size_t> places;
  for (std::size_t at = code.find(name); at != std::string_view::npos; at = code.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const char left = at == 0 ? ' ' : code[at - 1], right = end < code.size() ? code[end] : ' ';
    const bool keyword = right == '=' && (end + 1 == code.size() || code[end + 1] != '=');
    if (!IsNamePart(left) && left != '.' && !IsNamePart(right) && !keyword) places.push_back(at);
  }
  return places;
}

}  // namespace

std::optional<Text> Filled(std::string_view code, std::span<const Filling> fillings) {
  const auto has = [&](std::string_view sign) { return code.find(sign) != std::string_view::npos; };
  const bool statement = has(" = ") || has(" += ") || has(" -= ");
  const bool loose = !statement && BindingOf(code) < Binding::kPrimary;
  Text text(loose ? "(" : "");
  std::string literal;
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at;
    while (end < code.size() && IsNamePart(code[end])) ++end;
    if (end == at) {
      literal.push_back(code[at++]);
      continue;
    }
    const std::string_view name = code.substr(at, end - at);
    const bool attribute = at > 0 && code[at - 1] == '.';
    const bool keyword = end < code.size() && code[end] == '=' && (end + 1 == code.size() || code[end + 1] != '=');
    const auto found =
        std::find_if(fillings.begin(), fillings.end(), [&](const Filling& filling) { return filling.name == name; });
    if (found == fillings.end() || attribute || keyword) {
      literal.append(name);
    } else if (!found->words.empty()) {
      text.Add(literal).Add(found->words, IsArgument(code, at, end) ? Binding::kConditional : Binding::kPrimary);
      literal.clear();
    } else if (const std::string own = ", " + std::string(name) + "="; literal.ends_with(own)) {
      literal.resize(literal.size() - own.size());
    } else if (literal.ends_with(", ") && IsArgument(code, at, end)) {
      literal.resize(literal.size() - 2);
    } else {
      return std::nullopt;
    }
    at = end;
  }
  return text.Add(literal).Add(loose ? ")" : "");
}

Text NameLong(std::string& code, std::vector<Filling>& fillings) {
  constexpr std::uint32_t kLongestOnce = 60, kLongestRepeated = 16;
  Text bindings;
  for (Filling& filling : fillings) {
    if (filling.words.size() <= kLongestRepeated || filling.name == "rng" || filling.name == "ufunc") continue;
    const std::vector<std::size_t> places = PlacesOf(code, filling.name);
    if (places.empty() || (places.size() == 1 && filling.words.size() <= kLongestOnce)) continue;
    for (auto place = places.rbegin(); place != places.rend(); ++place)
      code.insert(*place + filling.name.size(), 1, '_');
    bindings.Add(bindings.empty() ? "`" : " and `").Add(filling.name).Add("_ = ").Add(filling.words).Add("`");
    filling.words = {};
  }
  return bindings;
}

Text FilledWords(std::string_view words, std::span<const Filling> fillings) {
  Text text;
  bool in_code = false;  // between backquotes
  for (std::size_t at = 0; at < words.size();) {
    std::size_t end = at;
    while (end < words.size() && IsNamePart(words[end])) ++end;
    if (end == at) {
      in_code ^= words[at] == '`';
      text.Add(words.substr(at++, 1));
      continue;
    }
    const std::string_view name = words.substr(at, end - at);
    const auto found =
        std::find_if(fillings.begin(), fillings.end(), [&](const Filling& filling) { return filling.name == name; });
    if (found == fillings.end() || found->words.empty()) {
      text.Add(name);
    } else if (in_code) {
      text.Add(found->words);
    } else {
      text.Add("`").Add(found->words).Add("`");
    }
    at = end;
  }
  return text;
}

}  // namespace cpnlint::rules::match
