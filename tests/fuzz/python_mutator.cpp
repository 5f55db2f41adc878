// Changes Python programs so that most of them stay programs: whole statements move with their blocks, tokens are
// replaced by tokens of the same kind or by words that the analysis knows. Bytes are changed as well, now and then.

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using Random = std::minstd_rand;

constexpr std::array<std::string_view, 60> kWords = {"np.zeros(n)",
                                                     "np.ones((n, m))",
                                                     "np.arange(n)",
                                                     "np.empty_like(x)",
                                                     "x.sum()",
                                                     "x.reshape(n, m)",
                                                     "x[1:-1]",
                                                     "x[::2]",
                                                     "x[i]",
                                                     "x[i, j]",
                                                     "x[mask]",
                                                     "x[..., None]",
                                                     "np.where(x > 0, x, 0)",
                                                     "np.nonzero(x)",
                                                     "np.linalg.solve(a, x)",
                                                     "np.fft.fft(x)",
                                                     "np.random.rand(n)",
                                                     "x.T @ x",
                                                     "float(x)",
                                                     "x.item()",
                                                     "len(x)",
                                                     "x.shape[0]",
                                                     "range(n)",
                                                     "range(1, n - 1)",
                                                     "range(n, 0, -1)",
                                                     "enumerate(x)",
                                                     "zip(x, y)",
                                                     "lambda q: q + x",
                                                     "[x for x in y]",
                                                     "{k: v for k, v in z}",
                                                     "(yield x)",
                                                     "await x",
                                                     "*x",
                                                     "**x",
                                                     "f\"{x:{n}}\"",
                                                     "b\"x\"",
                                                     "None",
                                                     "True",
                                                     "...",
                                                     "1",
                                                     "0",
                                                     "-1",
                                                     "1e300",
                                                     "10**10**10",
                                                     "99999999999999999999",
                                                     "0x7fffffffffffffff",
                                                     "1j",
                                                     "self.u",
                                                     "self",
                                                     "np",
                                                     "onp",
                                                     "x",
                                                     "n",
                                                     "i",
                                                     "not x",
                                                     "x if n else y",
                                                     "(x := n)",
                                                     "x, *y",
                                                     "print(x)",
                                                     "np.asarray(x, dtype=object, order=\"F\")"};
constexpr std::array<std::string_view, 22> kHeads = {"for i in range(n):",
                                                     "for i in x:",
                                                     "while x.max() > 1:",
                                                     "while True:",
                                                     "if x.any():",
                                                     "if i % 10 == 0:",
                                                     "if __name__ == \"__main__\":",
                                                     "else:",
                                                     "try:",
                                                     "except ValueError as e:",
                                                     "finally:",
                                                     "with open(x) as f:",
                                                     "def f(x, n=3, *a, **k):",
                                                     "async def g(x):",
                                                     "class C(B):",
                                                     "def __init__(self, u):",
                                                     "match x:",
                                                     "case [a, *b]:",
                                                     "@np.vectorize\ndef h(q):",
                                                     "for i, (a, b) in enumerate(zip(x, y)):",
                                                     "elif n:",
                                                     "with np.errstate(all='ignore'):"};
constexpr std::array<std::string_view, 16> kLines = {"x = np.zeros(n)",
                                                     "import numpy as np",
                                                     "from numpy import *",
                                                     "import cupynumeric as np",
                                                     "global x",
                                                     "nonlocal x",
                                                     "del x",
                                                     "return x",
                                                     "yield x",
                                                     "break",
                                                     "continue",
                                                     "raise ValueError",
                                                     "x += 1",
                                                     "x[i] = x[i - 1] + 1",
                                                     "# cpnlint: ignore[R101] why",
                                                     "# cpnlint: assume n=1000"};

std::size_t Below(Random& random, std::size_t bound) { return bound == 0 ? 0 : random() % bound; }

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.emplace_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  if (!lines.empty() && lines.back().back() != '\n') lines.back() += '\n';
  return lines;
}

std::size_t Indent(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at == std::string_view::npos ? 0 : at;
}

// The end of the statement that begins with this line: its block goes with it.
std::size_t EndOfBlock(const std::vector<std::string>& lines, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < lines.size() && (Indent(lines[end]) > Indent(lines[begin]) || lines[end] == "\n")) ++end;
  return end;
}

void Reindent(std::vector<std::string>& block, std::size_t indent) {
  if (block.empty()) return;
  const std::size_t old = Indent(block.front());
  for (std::string& line : block) {
    if (line == "\n") continue;
    const std::size_t deeper = std::max(Indent(line), old) - old;
    line = std::string(indent + deeper, ' ') + line.substr(Indent(line));
  }
}

struct Token {
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool IsWord(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

// Words, operators one character long, and bracketed expressions as a whole (from one of their openings).
std::vector<Token> Tokens(std::string_view line) {
  std::vector<Token> tokens;
  for (std::size_t at = Indent(line); at < line.size() && line[at] != '\n';) {
    std::size_t end = at + 1;
    if (IsWord(line[at])) {
      while (end < line.size() && IsWord(line[end])) ++end;
    }
    if (line[at] != ' ') tokens.push_back({at, end});
    if (line[at] == '(' || line[at] == '[') {
      int depth = 0;
      for (std::size_t close = at; close < line.size(); ++close) {
        depth += line[close] == '(' || line[close] == '[';
        depth -= line[close] == ')' || line[close] == ']';
        if (depth == 0) {
          tokens.push_back({at + 1, close});
          break;
        }
      }
    }
    at = end;
  }
  return tokens;
}

void ReplaceToken(std::vector<std::string>& lines, Random& random) {
  std::string& line = lines[Below(random, lines.size())];
  const std::vector<Token> tokens = Tokens(line);
  if (tokens.empty()) return;
  const Token token = tokens[Below(random, tokens.size())];
  std::string with(kWords[Below(random, kWords.size())]);
  if (Below(random, 2) == 0) {  // a piece of another line
    const std::string& other = lines[Below(random, lines.size())];
    if (const std::vector<Token> pieces = Tokens(other); !pieces.empty()) {
      const Token piece = pieces[Below(random, pieces.size())];
      with = other.substr(piece.begin, piece.end - piece.begin);
    }
  }
  line.replace(token.begin, token.end - token.begin, with);
}

void MoveBlock(std::vector<std::string>& lines, Random& random, bool keep) {
  const std::size_t from = Below(random, lines.size());
  const std::size_t end = EndOfBlock(lines, from);
  std::vector<std::string> block(lines.begin() + static_cast<std::ptrdiff_t>(from),
                                 lines.begin() + static_cast<std::ptrdiff_t>(end));
  if (!keep)
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(from), lines.begin() + static_cast<std::ptrdiff_t>(end));
  const std::size_t to = Below(random, lines.size() + 1);
  Reindent(block, to < lines.size() ? Indent(lines[to]) : 0);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(to), block.begin(), block.end());
}

void Wrap(std::vector<std::string>& lines, Random& random) {
  const std::size_t from = Below(random, lines.size());
  const std::size_t indent = Indent(lines[from]);
  const std::size_t end = EndOfBlock(lines, from);
  for (std::size_t i = from; i < end; ++i) lines[i].insert(0, "    ");
  std::vector<std::string> head = Split(kHeads[Below(random, kHeads.size())]);
  Reindent(head, indent);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(from), head.begin(), head.end());
}

void InsertLine(std::vector<std::string>& lines, Random& random) {
  const std::size_t at = Below(random, lines.size());
  std::string line = std::string(Indent(lines[at]), ' ');
  if (Below(random, 2) == 0) {
    line += std::string(kWords[40 + Below(random, 20)]) + " = " + std::string(kWords[Below(random, kWords.size())]);
  } else {
    line += kLines[Below(random, kLines.size())];
  }
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), line + "\n");
}

std::size_t Join(const std::vector<std::string>& lines, std::uint8_t* data, std::size_t max_size) {
  std::size_t size = 0;
  for (const std::string& line : lines) {
    if (size + line.size() > max_size) break;
    std::copy(line.begin(), line.end(), data + size);
    size += line.size();
  }
  return size;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  Random random(seed);
  if (Below(random, 8) == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::vector<std::string> lines = Split(std::string_view(reinterpret_cast<const char*>(data), size));
  for (std::size_t changes = 1 + Below(random, 4); changes > 0; --changes) {
    if (lines.empty()) lines.emplace_back("import numpy as np\n");
    switch (Below(random, 8)) {
      case 0: MoveBlock(lines, random, false); break;
      case 1: MoveBlock(lines, random, true); break;
      case 2: Wrap(lines, random); break;
      case 3: InsertLine(lines, random); break;
      case 4: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(Below(random, lines.size()))); break;
      default: ReplaceToken(lines, random); break;
    }
  }
  return Join(lines, data, max_size);
}

// A statement of the one program, with its block, somewhere in the other.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1,
                                                 const std::uint8_t* data2, std::size_t size2, std::uint8_t* out,
                                                 std::size_t max_out, unsigned seed) {
  Random random(seed);
  std::vector<std::string> lines = Split(std::string_view(reinterpret_cast<const char*>(data1), size1));
  const std::vector<std::string> from = Split(std::string_view(reinterpret_cast<const char*>(data2), size2));
  if (from.empty()) return 0;
  const std::size_t begin = Below(random, from.size());
  std::vector<std::string> block(from.begin() + static_cast<std::ptrdiff_t>(begin),
                                 from.begin() + static_cast<std::ptrdiff_t>(EndOfBlock(from, begin)));
  const std::size_t to = Below(random, lines.size() + 1);
  Reindent(block, to < lines.size() ? Indent(lines[to]) : 0);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(to), block.begin(), block.end());
  return Join(lines, out, max_out);
}
