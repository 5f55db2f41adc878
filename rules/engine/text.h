#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/base/span.h"
#include "rules/engine/binding.h"

namespace cpnlint::rules {

// A text that quotes the user: literal pieces and spans of the source. The report cuts the words out of the source.
struct Text {
  struct Piece {
    std::string literal;
    Span span;                           // quoted where not empty; then `literal` is empty
    Binding least = Binding::kAnything;  // ... in parentheses where its words bind less tightly
  };
  std::vector<Piece> pieces;

  Text() = default;
  Text(std::string_view literal) { Add(literal); }  // NOLINT(google-explicit-constructor): messages read better
  Text(const char* literal) { Add(std::string_view(literal)); }         // NOLINT(google-explicit-constructor)
  Text(const std::string& literal) { Add(std::string_view(literal)); }  // NOLINT(google-explicit-constructor)
  Text(Span span) { Add(span); }                                        // NOLINT(google-explicit-constructor)

  Text& Add(std::string_view literal);
  Text& Add(const char* literal) { return Add(std::string_view(literal)); }
  Text& Add(const std::string& literal) { return Add(std::string_view(literal)); }
  Text& Add(Span span);
  // Code that is put into other code: `.Add(factor, Binding::kPrimary).Add(".astype(np.float64)")`.
  Text& Add(Span span, Binding least);
  Text& Add(const Text& text);
  [[nodiscard]] bool empty() const { return pieces.empty(); }
};

using Arguments = std::initializer_list<std::pair<std::string_view, Text>>;

// Fills `{name}` placeholders of a template. `[[...{name}...]]` marks a clause that is dropped where the argument is
// missing or empty. Outside of a clause an empty argument (code whose place is not known) reads "...", and a
// placeholder without argument is our bug.
[[nodiscard]] Text Fill(std::string_view pattern, const std::vector<std::pair<std::string_view, Text>>& arguments);

// The user's words: what the spans cover in `source`, with runs of white space (line breaks) as one space, cut with
// "..." beyond 60 columns.
[[nodiscard]] std::string Render(const Text& text, std::string_view source);
// The same where `words` gives what a span covers.
[[nodiscard]] std::string Render(const Text& text, const std::function<std::string_view(Span)>& words);

}  // namespace cpnlint::rules
