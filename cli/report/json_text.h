#pragma once

// Writes the parts of a JSON document that are many straight into its text, without a tree of values in between. Texts
// have to be UTF-8. What is written is what nlohmann's dump() writes for the same members.

#include <concepts>
#include <string>
#include <string_view>

namespace cpnlint::report {

void AppendQuoted(std::string& out, std::string_view text);

// An object or an array that is being written; its end is the end of its scope.
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }
  ~JsonObject() { out_ += '}'; }
  JsonObject(const JsonObject&) = delete;
  JsonObject& operator=(const JsonObject&) = delete;

  // The member's value is to be written next.
  std::string& Key(std::string_view key) {
    if (!first_) out_ += ',';
    first_ = false;
    AppendQuoted(out_, key);
    out_ += ':';
    return out_;
  }
  void Text(std::string_view key, std::string_view value) { AppendQuoted(Key(key), value); }
  void Number(std::string_view key, std::integral auto value) { Key(key) += std::to_string(value); }
  void Null(std::string_view key) { Key(key) += "null"; }

 private:
  std::string& out_;
  bool first_ = true;
};

class JsonArray {
 public:
  explicit JsonArray(std::string& out) : out_(out) { out_ += '['; }
  ~JsonArray() { out_ += ']'; }
  JsonArray(const JsonArray&) = delete;
  JsonArray& operator=(const JsonArray&) = delete;

  // The next item is to be written.
  std::string& Next() {
    if (!first_) out_ += ',';
    first_ = false;
    return out_;
  }

 private:
  std::string& out_;
  bool first_ = true;
};

}  // namespace cpnlint::report
