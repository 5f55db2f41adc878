#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cpnlint::source {

// The encoding that a coding cookie names in the first two lines (PEP 263), as written; empty when there is none. The
// second line counts only when the first is blank or a comment.
std::string_view CodingCookie(std::string_view bytes);

// Whether decoding leaves these bytes' ASCII characters as they are and adds none but `?`: UTF-8 and Latin-1, as mark
// and cookie tell.
bool KeepsAscii(std::string_view bytes);

struct Decoded {
  std::string text;      // valid UTF-8
  std::string encoding;  // what was applied: "utf-8", "latin-1", "gbk", ...
  // Offset into `text` of the first byte that could not be decoded and stands as `?`; nothing when all could.
  std::optional<std::size_t> first_bad;
  std::size_t bad = 0;  // how many
};

// Source bytes to UTF-8: by byte-order mark (UTF-8, UTF-16), then cookie, then UTF-8. Nothing when the cookie names an
// encoding that neither we nor the system know. A UTF-8 byte-order mark is kept.
std::optional<Decoded> DecodeSource(std::string bytes);

// Replaces every byte that is not part of a well-formed UTF-8 sequence by `?`.
void ReplaceInvalidUtf8(Decoded& decoded);

// A CR that no LF follows becomes a LF.
void MendLineEnds(std::string& text);

}  // namespace cpnlint::source
