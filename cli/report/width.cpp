#include "cli/report/width.h"

#include <algorithm>
#include <iterator>

namespace cpnlint::report {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

#include "cli/report/width_table.inc"

template <std::size_t N>
bool Within(const Range (&ranges)[N], char32_t character) {
  const Range* next = std::upper_bound(std::begin(ranges), std::end(ranges), character,
                                       [](char32_t value, const Range& range) { return value < range.first; });
  return next != std::begin(ranges) && character <= std::prev(next)->last;
}

constexpr char32_t kReplacement = 0xFFFD;
constexpr char32_t kJoiner = 0x200D;
constexpr char32_t kEmojiSelector = 0xFE0F;
constexpr char32_t kByteOrderMark = 0xFEFF;

bool IsControl(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }
bool IsReordering(char32_t c) {
  return c == 0x200E || c == 0x200F || c == 0x061C || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
         c == 0x2028 || c == 0x2029;
}
bool IsRegional(char32_t c) { return c >= 0x1F1E6 && c <= 0x1F1FF; }
bool IsSkinTone(char32_t c) { return c >= 0x1F3FB && c <= 0x1F3FF; }
bool IsHangulTail(char32_t c) { return (c >= 0x1160 && c <= 0x11FF) || (c >= 0xD7B0 && c <= 0xD7FF); }

// Shown characters that a terminal would obey or hide are given a cell of their own.
std::uint32_t ShownWidth(char32_t c) { return IsReordering(c) ? 1 : CharacterWidth(c); }

void AppendUtf8(char32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

char32_t Picture(char32_t c) {
  if (c < 0x20) return 0x2400 + c;
  if (c == 0x7F) return 0x2421;
  if (IsControl(c) || IsReordering(c)) return kReplacement;
  return c;
}

}  // namespace

char32_t NextCharacter(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) {
    ++at;
    return lead;
  }
  const std::size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                                                           : 1;
  if (length == 1 || at + length > text.size()) {
    ++at;
    return kReplacement;
  }
  char32_t value = lead & (0xFF >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) {
      ++at;
      return kReplacement;
    }
    value = value << 6 | (byte(at + i) & 0x3F);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  if (overlong || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
    ++at;
    return kReplacement;
  }
  at += length;
  return value;
}

std::uint32_t CharacterWidth(char32_t character) {
  if (character < 0x300) return 1;
  if (Within(kZeroWidth, character)) return 0;
  return Within(kDoubleWidth, character) ? 2 : 1;
}

std::vector<Cluster> Clusters(std::string_view line) {
  std::vector<Cluster> clusters;
  clusters.reserve(line.size());
  std::uint32_t cell = 0;
  char32_t previous = 0;
  bool open_flag = false;  // the cluster so far is the first half of a flag
  std::size_t at = 0;
  while (at < line.size()) {
    const auto begin = static_cast<std::uint32_t>(at);
    const char32_t c = NextCharacter(line, at);
    const auto end = static_cast<std::uint32_t>(at);
    if (begin == 0 && c == kByteOrderMark) continue;
    const bool joins =
        !clusters.empty() && previous != U'\t' && !IsControl(previous) && !IsReordering(c) &&
        (ShownWidth(c) == 0 || (previous == kJoiner && clusters.back().width == 2) || (IsRegional(c) && open_flag) ||
         (IsSkinTone(c) && clusters.back().width == 2) || IsHangulTail(c));
    if (joins) {
      Cluster& last = clusters.back();
      last.end = end;
      // A flag, or a character that is a picture only on request, takes two cells.
      if ((IsRegional(c) || c == kEmojiSelector) && last.width == 1) {
        last.width = 2;
        ++cell;
      }
      open_flag = false;
    } else {
      const std::uint32_t width = c == U'\t' ? kTabWidth - cell % kTabWidth : ShownWidth(c);
      clusters.push_back({begin, end, cell, width});
      cell += width;
      open_flag = IsRegional(c);
    }
    previous = c;
  }
  return clusters;
}

std::uint32_t DisplayWidth(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; })) {
    return static_cast<std::uint32_t>(text.size());
  }
  const std::vector<Cluster> clusters = Clusters(text);
  return clusters.empty() ? 0 : clusters.back().cell + clusters.back().width;
}

void AppendPrintable(std::string_view line, const Cluster& cluster, std::string& out) {
  if (line[cluster.begin] == '\t') {
    out.append(cluster.width, ' ');
    return;
  }
  for (std::size_t at = cluster.begin; at < cluster.end;) AppendUtf8(Picture(NextCharacter(line, at)), out);
}

std::string Printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) AppendUtf8(Picture(NextCharacter(text, at)), out);
  return out;
}

}  // namespace cpnlint::report
