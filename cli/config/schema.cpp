#include "cli/config/schema.h"

#include <nlohmann/json.hpp>

#include "cli/config/keys.h"

namespace cpnlint::cli::config {
namespace {

using Json = nlohmann::ordered_json;

Json Reference(const char* name) { return {{"$ref", std::string("#/definitions/") + name}}; }

Json Text() { return {{"type", "string"}, {"minLength", 1}}; }

Json ListOf(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json Range(const Key& key, const char* type) {
  Json json = {{"type", type}};
  const auto bound = [](double value) { return Json(static_cast<std::int64_t>(value)); };
  json["minimum"] = bound(key.least);
  json["maximum"] = bound(key.most);
  return json;
}

Json TableOf(Json values) { return {{"type", "object"}, {"additionalProperties", std::move(values)}}; }

Json SelectorTable(Json values) {
  return {{"type", "object"}, {"propertyNames", Reference("selector")}, {"additionalProperties", std::move(values)}};
}

Json TypeJson(const Key& key) {
  switch (key.type) {
    case Type::kBoolean: return {{"type", "boolean"}};
    case Type::kInteger: return Range(key, "integer");
    case Type::kNumber: return Range(key, "number");
    case Type::kText:
      if (key.words == nullptr) return Text();
      // Versions have more spellings than are listed: 26.07, 26.7, 26.07.1.
      if (std::string_view(key.name) == "target-version") {
        return {{"type", "string"}, {"pattern", "^[0-9]+\\.[0-9]+(\\.[0-9]+)?$"}, {"examples", key.words()}};
      }
      return {{"enum", key.words()}};
    case Type::kFile: return Text();
    case Type::kList: return {{"type", "array"}, {"minItems", 1}, {"items", {{"enum", key.words()}}}};
    case Type::kPatterns: return ListOf(Text());
    case Type::kSelectors: {
      Json list = ListOf(Reference("selector"));
      if (key.merge == Merge::kReplace) list["minItems"] = 1;
      return list;
    }
    case Type::kIntegers: {
      Json list = ListOf(Range(key, "integer"));
      list["minItems"] = 1;
      return {{"anyOf", {Range(key, "integer"), std::move(list)}}};
    }
    case Type::kSeverities: return SelectorTable({{"enum", key.words()}});
    case Type::kPatternSelectors: return TableOf(ListOf(Reference("selector")));
    case Type::kAssumptions: return {{"anyOf", {ListOf(Text()), TableOf(Reference("assumption"))}}};
  }
  return Json::object();
}

// Selectors are told apart without regard to case; a schema can only offer the usual spelling and allow the others.
Json SelectorJson() {
  return {{"description", "a rule's code or name, the beginning of codes (R1), a family, or ALL"},
          {"anyOf", {{{"enum", SelectorWords()}}, {{"type", "string"}, {"pattern", "^[A-Za-z][A-Za-z0-9-]*$"}}}}};
}

Json AssumptionJson() {
  return {{"description", "a size (1e8), a shape with its type (\"(16384,16384):float32\"), or a table of such"},
          {"anyOf", {{{"type", "number"}, {"minimum", 0}}, Text(), TableOf(Reference("assumption"))}}};
}

}  // namespace

std::string Schema() {
  Json properties = Json::object();
  for (const Key& key : Keys()) {
    Json json = {{"description", std::string(key.help) + " (default: " + key.fallback + ")"}};
    json.update(TypeJson(key));
    properties[key.name] = std::move(json);
  }
  const Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                       {"title", "cpnlint configuration"},
                       {"description", "cpnlint.toml, .cpnlint.toml, or [tool.cpnlint] in pyproject.toml"},
                       {"type", "object"},
                       {"additionalProperties", false},
                       {"properties", std::move(properties)},
                       {"definitions", {{"selector", SelectorJson()}, {"assumption", AssumptionJson()}}}};
  return schema.dump(2) + "\n";
}

}  // namespace cpnlint::cli::config
