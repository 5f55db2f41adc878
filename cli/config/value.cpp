#include "cli/config/value.h"

#include <algorithm>

#include <fmt/format.h>

namespace cpnlint::cli::config {
namespace {

bool IsBareKey(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += std::string("\\") + c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

// What is neither a list nor a table.
std::string Scalar(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kBoolean: return value.truth ? "true" : "false";
    case Value::Kind::kInteger: return std::to_string(value.integer);
    case Value::Kind::kNumber: {
      std::string text = fmt::format("{}", value.number);
      if (text.find_first_of(".en") == std::string::npos) text += ".0";
      return text;
    }
    case Value::Kind::kText: return Quoted(value.text);
    default: return "";
  }
}

}  // namespace

Value Boolean(bool truth) {
  Value value;
  value.kind = Value::Kind::kBoolean;
  value.truth = truth;
  return value;
}

Value Integer(std::int64_t integer) {
  Value value;
  value.kind = Value::Kind::kInteger;
  value.integer = integer;
  value.number = static_cast<double>(integer);
  return value;
}

Value Number(double number) {
  Value value;
  value.kind = Value::Kind::kNumber;
  value.number = number;
  return value;
}

Value Text(std::string text) {
  Value value;
  value.kind = Value::Kind::kText;
  value.text = std::move(text);
  return value;
}

Value List(const std::vector<std::string>& texts) {
  Value value;
  value.kind = Value::Kind::kList;
  for (const std::string& text : texts) value.items.push_back(Text(text));
  return value;
}

Value Table() {
  Value value;
  value.kind = Value::Kind::kTable;
  return value;
}

const Value* Find(const Value& table, std::string_view name) {
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (table.names[i] == name) return &table.items[i];
  }
  return nullptr;
}

void Put(Value& table, const std::string& name, Value value) {
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (table.names[i] == name) {
      table.items[i] = std::move(value);
      return;
    }
  }
  table.names.push_back(name);
  table.items.push_back(std::move(value));
}

std::vector<std::string> Texts(const Value& list) {
  std::vector<std::string> texts;
  for (const Value& item : list.items) texts.push_back(item.text);
  return texts;
}

std::string_view KindName(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kBoolean: return "a boolean";
    case Value::Kind::kInteger: return "a whole number";
    case Value::Kind::kNumber: return "a number";
    case Value::Kind::kText: return "a string";
    case Value::Kind::kList: return "a list";
    case Value::Kind::kTable: return "a table";
    case Value::Kind::kOther: return "a date or time";
  }
  return "";
}

std::string ToToml(const Value& value) {
  struct Open {
    const Value* value;
    std::size_t next = 0;
  };
  std::string out;
  std::vector<Open> open;
  const auto begin = [&](const Value& one) {
    const bool holds = one.kind == Value::Kind::kList || one.kind == Value::Kind::kTable;
    if (!holds) {
      out += Scalar(one);
      return;
    }
    out += one.kind == Value::Kind::kList ? "[" : one.items.empty() ? "{" : "{ ";
    open.push_back({&one});
  };
  begin(value);
  while (!open.empty()) {
    Open& top = open.back();
    const Value& holder = *top.value;
    if (top.next == holder.items.size()) {
      out += holder.kind == Value::Kind::kList ? "]" : holder.items.empty() ? "}" : " }";
      open.pop_back();
      continue;
    }
    if (top.next > 0) out += ", ";
    const std::size_t i = top.next++;
    if (holder.kind == Value::Kind::kTable) out += KeyToToml(holder.names[i]) + " = ";
    begin(holder.items[i]);
  }
  return out;
}

std::string KeyToToml(const std::string& name) { return IsBareKey(name) ? name : Quoted(name); }

}  // namespace cpnlint::cli::config
