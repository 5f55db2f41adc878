#include "analyzer/syntax/node.h"

namespace cpnlint::syntax {
namespace {

void AppendQuoted(std::string& out, std::string_view text) {
  out += " \"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

std::string Dump(Node node, bool with_tokens) {
  std::string out;
  if (!node) return "()";
  std::vector<std::uint32_t> ends;  // index behind the subtree of each open parenthesis
  for (const Node inner : node.Subtree()) {
    while (!ends.empty() && inner.index() >= ends.back()) {
      out += ')';
      ends.pop_back();
    }
    if (!inner.named() && !with_tokens) continue;
    if (!out.empty()) out += ' ';
    if (inner.field() != Field::kNoField && inner != node) {
      out += Name(inner.field());
      out += ": ";
    }
    if (!inner.named()) {
      out += '"';
      out += Name(inner.kind());
      out += '"';
      continue;
    }
    out += '(';
    out += Name(inner.kind());
    const bool leaf = inner.NamedChildren().empty() && (!with_tokens || inner.Children().empty());
    if (leaf) AppendQuoted(out, inner.text());
    ends.push_back(inner.index() + inner.subtree_size());
  }
  out.append(ends.size(), ')');
  return out;
}

}  // namespace cpnlint::syntax
