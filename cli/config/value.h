#pragma once

// What a key of the configuration is set to, as TOML says it, and where that was said.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/base/result.h"

namespace cpnlint::cli::config {

// Counts from 1; line 0: nowhere in a file.
struct Point {
  std::uint32_t line = 0, column = 0;

  friend bool operator==(Point, Point) = default;
  friend auto operator<=>(Point, Point) = default;
};

struct Value {
  enum class Kind : std::uint8_t { kBoolean, kInteger, kNumber, kText, kList, kTable, kOther } kind = Kind::kOther;
  bool truth = false;
  std::int64_t integer = 0;
  double number = 0;  // of an integer, too
  std::string text;
  std::vector<Value> items;        // of a list or table
  std::vector<std::string> names;  // of a table, parallel to `items`
  Point at;
  Point name_at;  // where its name stands, in a table
};

[[nodiscard]] Value Boolean(bool truth);
[[nodiscard]] Value Integer(std::int64_t integer);
[[nodiscard]] Value Number(double number);
[[nodiscard]] Value Text(std::string text);
[[nodiscard]] Value List(const std::vector<std::string>& texts);
[[nodiscard]] Value Table();

// The entry of a table; null where there is none.
[[nodiscard]] const Value* Find(const Value& table, std::string_view name);
void Put(Value& table, const std::string& name, Value value);

// The texts of a list of texts.
[[nodiscard]] std::vector<std::string> Texts(const Value& list);

// "a string", "a list": for messages.
[[nodiscard]] std::string_view KindName(const Value& value);
// On one line, as it would stand behind `key = `.
[[nodiscard]] std::string ToToml(const Value& value);
// `name` as a key of TOML: in quotes where it needs them.
[[nodiscard]] std::string KeyToToml(const std::string& name);

// A TOML document as a table. `name` is what messages call it: "pyproject.toml:3:7: ...".
[[nodiscard]] Result<Value> ParseToml(std::string_view text, const std::string& name);

}  // namespace cpnlint::cli::config
