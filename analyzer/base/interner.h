#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "analyzer/base/id.h"

namespace cpnlint {

using Symbol = Id<struct SymbolTag>;

// Gives equal strings equal ids. Views handed out stay valid as long as the interner. The lowering asks once per
// identifier of a file, so this is a table of ids in one piece, with the strings one behind the other.
class Interner {
 public:
  Symbol Intern(std::string_view text) {
    const std::uint32_t hash = Hash(text);
    std::size_t at = Probe(text, hash);
    if (table_[at] != 0) return Symbol(table_[at] - 1);
    if (texts_.size() * 2 >= table_.size()) {
      Grow();
      at = Probe(text, hash);
    }
    texts_.push_back({Keep(text), hash});
    table_[at] = static_cast<std::uint32_t>(texts_.size());
    return Symbol(texts_.size() - 1);
  }

  [[nodiscard]] std::size_t size() const { return texts_.size(); }

  // None() for text that was never interned: cheaper than Intern where the answer is often no.
  [[nodiscard]] Symbol Find(std::string_view text) const {
    const std::uint32_t found = table_[Probe(text, Hash(text))];
    return found == 0 ? Symbol::None() : Symbol(found - 1);
  }

  [[nodiscard]] std::string_view Text(Symbol id) const {
    return id.valid() ? texts_[id.index()].text : std::string_view();
  }

 private:
  struct Entry {
    std::string_view text;
    std::uint32_t hash;
  };

  static std::uint32_t Hash(std::string_view text) {  // FNV-1a
    std::uint32_t hash = 0x811c'9dc5;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x0100'0193;
    return hash ^ hash >> 15;
  }

  // Where the text stands in the table, or the free place for it.
  [[nodiscard]] std::size_t Probe(std::string_view text, std::uint32_t hash) const {
    std::size_t at = hash & (table_.size() - 1);
    while (table_[at] != 0) {
      const Entry& entry = texts_[table_[at] - 1];
      if (entry.hash == hash && entry.text == text) break;
      at = (at + 1) & (table_.size() - 1);
    }
    return at;
  }

  void Grow() {
    table_.assign(table_.size() * 2, 0);
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      std::size_t at = texts_[i].hash & (table_.size() - 1);
      while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
      table_[at] = static_cast<std::uint32_t>(i + 1);
    }
  }

  // A copy that never moves.
  std::string_view Keep(std::string_view text) {
    if (text.empty()) return {};
    if (left_ < text.size()) {
      left_ = std::max<std::size_t>(text.size(), 4096);
      chunks_.push_back(std::make_unique<char[]>(left_));
      free_ = chunks_.back().get();
    }
    std::memcpy(free_, text.data(), text.size());
    const std::string_view kept(free_, text.size());
    free_ += text.size();
    left_ -= text.size();
    return kept;
  }

  std::vector<Entry> texts_;                                             // by id
  std::vector<std::uint32_t> table_ = std::vector<std::uint32_t>(1024);  // id + 1; 0 where free; size a power of two
  std::vector<std::unique_ptr<char[]>> chunks_;
  char* free_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace cpnlint
