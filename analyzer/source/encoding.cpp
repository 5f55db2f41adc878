#include "analyzer/source/encoding.h"

#ifndef CPNLINT_NO_ICONV
#include <iconv.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "analyzer/base/utf8.h"
namespace cpnlint::source {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

// The encoding in one line, when the line is a comment that names one: `coding`, then `:` or `=`, blanks, the name.
std::string_view CookieInLine(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && IsBlank(line[at])) ++at;
  if (at == line.size() || line[at] != '#') return {};
  for (at = line.find("coding", at); at != std::string_view::npos; at = line.find("coding", at + 1)) {
    std::size_t begin = at + 6;
    if (begin == line.size() || (line[begin] != ':' && line[begin] != '=')) continue;
    ++begin;
    while (begin < line.size() && (line[begin] == ' ' || line[begin] == '\t')) ++begin;
    std::size_t end = begin;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '-' ||
                                 line[end] == '_' || line[end] == '.')) {
      ++end;
    }
    if (end > begin) return line.substr(begin, end - begin);
  }
  return {};
}

bool IsBlankOrComment(std::string_view line) {
  const auto first = std::find_if_not(line.begin(), line.end(), IsBlank);
  return first == line.end() || *first == '#';
}

std::string Lowered(std::string_view name) {
  std::string lowered(name);
  for (char& c : lowered) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return lowered;
}

// Python's names for encodings, as the system spells them; others are tried as they are.
std::string SystemName(const std::string& lowered) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kNames = {{
      {"utf-8", "UTF-8"},
      {"utf8", "UTF-8"},
      {"u8", "UTF-8"},
      {"utf-8-sig", "UTF-8"},
      {"ascii", "US-ASCII"},
      {"us-ascii", "US-ASCII"},
      {"latin-1", "ISO-8859-1"},
      {"latin1", "ISO-8859-1"},
      {"iso-latin-1", "ISO-8859-1"},
      {"l1", "ISO-8859-1"},
      {"latin-9", "ISO-8859-15"},
      {"latin9", "ISO-8859-15"},
      {"iso8859-1", "ISO-8859-1"},
      {"iso8859-15", "ISO-8859-15"},
      {"cp1252", "WINDOWS-1252"},
      {"windows-1252", "WINDOWS-1252"},
      {"cp1251", "WINDOWS-1251"},
      {"shift-jis", "SHIFT_JIS"},
      {"sjis", "SHIFT_JIS"},
      {"shiftjis", "SHIFT_JIS"},
      {"cp936", "GBK"},
      {"euc-jp", "EUC-JP"},
      {"eucjp", "EUC-JP"},
      {"mac-roman", "MACINTOSH"},
  }};
  for (const auto& [python, system] : kNames) {
    if (std::string_view(lowered).substr(0, python.size()) == python) {
      // "latin-1-unix" and the like, as editors write them
      const std::string_view rest = std::string_view(lowered).substr(python.size());
      if (rest.empty() || rest == "-unix" || rest == "-dos" || rest == "-mac") return std::string(system);
    }
  }
  return lowered;
}

void NoteBad(Decoded& decoded, std::size_t at) {
  if (!decoded.first_bad) decoded.first_bad = at;
  ++decoded.bad;
}

Decoded DecodeLatin1(std::string_view bytes) {
  Decoded decoded;
  decoded.encoding = "latin-1";
  decoded.text.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) AppendUtf8(decoded.text, static_cast<unsigned char>(c));
  return decoded;
}

Decoded DecodeUtf16(std::string_view bytes, bool little) {
  Decoded decoded;
  decoded.encoding = "utf-16";
  decoded.text.reserve(bytes.size() / 2);
  const auto unit = [&](std::size_t at) {
    const auto low = static_cast<unsigned char>(bytes[at + (little ? 0 : 1)]);
    const auto high = static_cast<unsigned char>(bytes[at + (little ? 1 : 0)]);
    return static_cast<std::uint32_t>(high << 8 | low);
  };
  std::size_t at = 2;
  for (; at + 1 < bytes.size(); at += 2) {
    const std::uint32_t first = unit(at);
    if (first < 0xD800 || first > 0xDFFF) {
      AppendUtf8(decoded.text, first);
      continue;
    }
    const std::uint32_t second = first < 0xDC00 && at + 3 < bytes.size() ? unit(at + 2) : 0;
    if (second >= 0xDC00 && second <= 0xDFFF) {
      AppendUtf8(decoded.text, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
      at += 2;
    } else {
      NoteBad(decoded, decoded.text.size());
      decoded.text += '?';
    }
  }
  if (at < bytes.size()) {
    NoteBad(decoded, decoded.text.size());
    decoded.text += '?';
  }
  return decoded;
}

#ifdef CPNLINT_NO_ICONV

// Whether bytes below 0x80 are ASCII throughout, and the others never part of such a character.
bool LeavesAscii(const std::string& name) {
  static constexpr std::array<std::string_view, 12> kFamilies = {
      "iso-8859-", "iso8859-", "windows-125", "cp125", "koi8-", "macintosh",
      "mac-",      "euc-",     "gb2312",      "cp437", "cp85",  "cp866",
  };
  const std::string lowered = Lowered(name);
  return std::any_of(kFamilies.begin(), kFamilies.end(),
                     [&](std::string_view family) { return lowered.starts_with(family); });
}

// A static program has no tables of encodings: what is not ASCII, in comments and strings as a rule, stands as `?`.
std::optional<Decoded> DecodeBySystem(std::string_view bytes, const std::string& name) {
  if (!LeavesAscii(name)) return std::nullopt;
  Decoded decoded;
  decoded.encoding = name;
  decoded.text = bytes;
  for (std::size_t at = 0; at < decoded.text.size(); ++at) {
    if (static_cast<unsigned char>(decoded.text[at]) < 0x80) continue;
    NoteBad(decoded, at);
    decoded.text[at] = '?';
  }
  return decoded;
}

#else

std::optional<Decoded> DecodeBySystem(std::string_view bytes, const std::string& name) {
  const iconv_t converter = iconv_open("UTF-8", name.c_str());
  if (converter == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
  Decoded decoded;
  decoded.encoding = name;
  decoded.text.reserve(bytes.size() + bytes.size() / 4);
  std::array<char, 4096> buffer;
  std::string input(bytes);
  char* in = input.data();
  std::size_t in_left = input.size();
  while (in_left > 0) {
    char* out = buffer.data();
    std::size_t out_left = buffer.size();
    const std::size_t result = iconv(converter, &in, &in_left, &out, &out_left);
    decoded.text.append(buffer.data(), buffer.size() - out_left);
    if (result != static_cast<std::size_t>(-1) || errno == E2BIG) continue;
    NoteBad(decoded, decoded.text.size());
    decoded.text += '?';
    ++in;
    --in_left;
  }
  char* out = buffer.data();
  std::size_t out_left = buffer.size();
  iconv(converter, nullptr, nullptr, &out, &out_left);
  decoded.text.append(buffer.data(), buffer.size() - out_left);
  iconv_close(converter);
  return decoded;
}

#endif

// Length of the well-formed UTF-8 sequence at `at`; 0 when there is none.
std::size_t SequenceAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;
    return tail(1) && tail(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) > 0x8F) return 0;
    return tail(1) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string_view CodingCookie(std::string_view bytes) {
  if (bytes.substr(0, 3) == kByteOrderMark) bytes.remove_prefix(3);
  const std::size_t first_end = bytes.find_first_of("\r\n");
  const std::string_view first = bytes.substr(0, first_end);
  if (const std::string_view cookie = CookieInLine(first); !cookie.empty()) return cookie;
  if (first_end == std::string_view::npos || !IsBlankOrComment(first)) return {};
  std::size_t second_begin = first_end + 1;
  if (bytes[first_end] == '\r' && second_begin < bytes.size() && bytes[second_begin] == '\n') ++second_begin;
  const std::string_view rest = bytes.substr(std::min(second_begin, bytes.size()));
  return CookieInLine(rest.substr(0, rest.find_first_of("\r\n")));
}

namespace {

// The first byte from `at` on that is not ASCII, or the end: eight bytes at a time, since nearly all of a source is.
std::size_t EndOfAscii(const std::string& text, std::size_t at) {
  constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080;
  std::uint64_t chunk = 0;
  for (; at + sizeof chunk <= text.size(); at += sizeof chunk) {
    std::memcpy(&chunk, text.data() + at, sizeof chunk);
    if ((chunk & kHighBits) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace

void ReplaceInvalidUtf8(Decoded& decoded) {
  std::string& text = decoded.text;
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      at = EndOfAscii(text, at + 1);
      continue;
    }
    const std::size_t length = SequenceAt(text, at);
    if (length == 0) {
      NoteBad(decoded, at);
      text[at] = '?';
    }
    at += std::max<std::size_t>(length, 1);
  }
}

void MendLineEnds(std::string& text) {
  for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1)) {
    if (at + 1 == text.size() || text[at + 1] != '\n') text[at] = '\n';
  }
}

namespace {

bool IsUtf16(std::string_view bytes) {
  return bytes.size() >= 4 && (bytes.substr(0, 2) == "\xFF\xFE" || bytes.substr(0, 2) == "\xFE\xFF");
}

// The encoding of bytes that are not UTF-16, as the system spells it.
std::string EncodingOf(std::string_view bytes) {
  if (bytes.substr(0, 3) == kByteOrderMark) return "UTF-8";
  const std::string_view cookie = CodingCookie(bytes);
  return cookie.empty() ? "UTF-8" : SystemName(Lowered(cookie));
}

}  // namespace

bool KeepsAscii(std::string_view bytes) {
  if (IsUtf16(bytes)) return false;
  const std::string name = EncodingOf(bytes);
  return name == "UTF-8" || name == "US-ASCII" || name == "ISO-8859-1";
}

std::optional<Decoded> DecodeSource(std::string bytes) {
  const std::string_view view = bytes;
  if (IsUtf16(view)) return DecodeUtf16(view, view.front() == '\xFF');
  const std::string name = EncodingOf(view);
  if (name == "UTF-8" || name == "US-ASCII") {
    Decoded decoded;
    decoded.encoding = "utf-8";
    decoded.text = std::move(bytes);
    ReplaceInvalidUtf8(decoded);
    return decoded;
  }
  if (name == "ISO-8859-1") return DecodeLatin1(view);
  return DecodeBySystem(view, name);
}

}  // namespace cpnlint::source
