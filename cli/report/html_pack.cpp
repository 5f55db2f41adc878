// JSON for the page without what it says again and again: a text that stands there several times stands in a table, and
// the keys of objects that are alike are said once. base.js and tests/tools/page_support.py read it.
//
//   {"strings": [...], "shapes": [[key, ...], ...], "data": VALUE}
//   VALUE of an object: [number of its shape, VALUE, ...]   of an array: [-1, VALUE, ...]
//   VALUE of a text in the table: "~number"   of another one that begins with ~: "~" and the text

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/report/html.h"

namespace cpnlint::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShortest = 8;  // a reference is hardly shorter than less
constexpr char kMark = '~';

class Packer {
 public:
  explicit Packer(const Json& json) {
    Count(json);
    std::vector<const Entry*> often;
    for (const Entry& entry : entries_) {
      if (entry.count > 1) often.push_back(&entry);
    }
    // The most frequent have the shortest numbers.
    std::stable_sort(often.begin(), often.end(), [](const Entry* a, const Entry* b) { return a->count > b->count; });
    for (const Entry* entry : often) {
      numbers_.emplace(*entry->text, strings_.size());
      strings_.push_back(*entry->text);
    }
  }

  Json Pack(const Json& json) {
    Json data = ValueOf(json);
    return {{"strings", std::move(strings_)}, {"shapes", std::move(shapes_)}, {"data", std::move(data)}};
  }

 private:
  struct Entry {
    const std::string* text;
    std::size_t count;
  };

  void Count(const Json& json) {
    if (json.is_structured()) {
      for (const Json& item : json) Count(item);
    }
    if (!json.is_string()) return;
    const auto& text = json.get_ref<const std::string&>();
    if (text.size() < kShortest) return;
    const auto [known, is_new] = seen_.emplace(text, entries_.size());
    if (is_new) {
      entries_.push_back({&text, 1});
    } else {
      ++entries_[known->second].count;
    }
  }

  Json ValueOf(const Json& json) {
    if (json.is_string()) return TextOf(json.get_ref<const std::string&>());
    if (!json.is_structured()) return json;
    Json value = Json::array({json.is_object() ? ShapeOf(json) : Json(-1)});
    for (const Json& item : json) value.push_back(ValueOf(item));
    return value;
  }

  [[nodiscard]] Json TextOf(const std::string& text) const {
    if (const auto found = numbers_.find(text); found != numbers_.end()) return kMark + std::to_string(found->second);
    return text.starts_with(kMark) ? kMark + text : text;
  }

  Json ShapeOf(const Json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, item] : object.items()) keys.push_back(key);
    const auto [known, is_new] = shape_numbers_.emplace(std::move(keys), shapes_.size());
    if (is_new) shapes_.push_back(known->first);
    return known->second;
  }

  std::unordered_map<std::string_view, std::size_t> seen_;
  std::vector<Entry> entries_;  // in the order of their first places
  std::unordered_map<std::string, std::size_t> numbers_;
  std::map<std::vector<std::string>, std::size_t> shape_numbers_;
  Json strings_ = Json::array(), shapes_ = Json::array();
};

}  // namespace

std::string PackedJson(std::string_view text) {
  const Json json = Json::parse(text);
  return Packer(json).Pack(json).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cpnlint::report
