#include "analyzer/source/prefilter.h"

#include <algorithm>
#include <array>

namespace cpnlint::source {
namespace {

struct Word {
  std::string_view text;
  std::uint32_t bit;
};

constexpr std::array kWords = {
    Word{"numpy", kMentionsNumpy},
    Word{"cupynumeric", kMentionsCupynumeric},
    Word{"cunumeric", kMentionsCupynumeric},
    Word{"legate", kMentionsLegate},
    Word{"cupy", kMentionsCupy},
    Word{"cupyx", kMentionsCupy},
    Word{"pylab", kMentionsPylab},
    Word{"scipy", kMentionsScipy},
    Word{"jax", kMentionsOther},
    Word{"torch", kMentionsOther},
    Word{"pandas", kMentionsOther},
    Word{"xarray", kMentionsOther},
    Word{"dask", kMentionsOther},
    Word{"numba", kMentionsOther},
    Word{"autograd", kMentionsOther},
    Word{"np", kMentionsAlias},
    Word{"xp", kMentionsAlias},
    Word{"cpn", kMentionsAlias},
    Word{"npx", kMentionsAlias},
    Word{"nplike", kMentionsAlias},
};

constexpr std::array<bool, 256> MakeWordBytes(bool beyond_ascii) {
  std::array<bool, 256> table{};
  for (int c = 0; c < 256; ++c) {
    table[static_cast<std::size_t>(c)] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                                         c == '_' || (beyond_ascii && c >= 0x80);
  }
  return table;
}

using ByteSet = std::array<bool, 256>;

constexpr ByteSet kIsWord = MakeWordBytes(true);
constexpr ByteSet kIsAsciiWord = MakeWordBytes(false);

constexpr std::size_t kLongestWord = std::max_element(kWords.begin(), kWords.end(), [](const Word& a, const Word& b) {
                                       return a.text.size() < b.text.size();
                                     })->text.size();

// By which pairs of bytes a word shows when every second byte is looked at, together with its successor: its first two
// letters, or its second one and what comes then. For each pair the bits of such words. To read word after word would
// cost several times as much, since a processor cannot guess where each of them ends.
using PairTable = std::array<std::array<std::uint8_t, 256>, 256>;

constexpr PairTable MakePairs() {
  PairTable pairs{};
  for (const Word& word : kWords) {
    const auto letter = [&](std::size_t i) { return static_cast<unsigned char>(word.text[i]); };
    const auto bit = static_cast<std::uint8_t>(word.bit);
    pairs[letter(0)][letter(1)] |= bit;
    if (word.text.size() > 2) {
      pairs[letter(1)][letter(2)] |= bit;
      continue;
    }
    for (std::size_t c = 0; c < 256; ++c) {
      if (!kIsAsciiWord[c]) pairs[letter(1)][c] |= bit;
    }
  }
  return pairs;
}

constexpr PairTable kPairs = MakePairs();

// Behind one of these an import may stand.
constexpr ByteSet kStartsStatement = [] {
  ByteSet table{};
  for (const unsigned char c : {'\n', '\r', ';', ':'}) table[c] = true;
  return table;
}();

bool IsWord(char c) { return kIsWord[static_cast<unsigned char>(c)]; }

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

// Reads one line's import statements.
class ImportReader {
 public:
  ImportReader(std::string_view text, std::vector<std::string>& out) : text_(text), out_(out) {}

  void Run() {
    std::size_t at = 0;
    bool start = true;
    while (at < text_.size()) {
      const char c = text_[at];
      if (kStartsStatement[static_cast<unsigned char>(c)]) {
        start = true;
        ++at;
      } else if (IsBlank(c)) {
        ++at;
      } else if (start && Takes(at, "import")) {
        ReadImport(at);
        start = false;
      } else if (start && Takes(at, "from")) {
        ReadFrom(at);
        start = false;
      } else {
        start = false;
        while (at < text_.size() && !kStartsStatement[static_cast<unsigned char>(text_[at])]) ++at;
      }
    }
    std::sort(out_.begin(), out_.end());
    out_.erase(std::unique(out_.begin(), out_.end()), out_.end());
  }

 private:
  // Moves behind a word that stands at `at`.
  bool Takes(std::size_t& at, std::string_view word) const {
    if (text_.substr(at, word.size()) != word) return false;
    const std::size_t end = at + word.size();
    if (end < text_.size() && IsWord(text_[end])) return false;
    at = end;
    return true;
  }

  // Blanks, and line ends that a backslash hides (all line ends and comments within brackets).
  void SkipBlanks(std::size_t& at, bool in_brackets = false) const {
    while (at < text_.size()) {
      const char c = text_[at];
      if (IsBlank(c) || (in_brackets && (c == '\n' || c == '\r'))) {
        ++at;
      } else if (in_brackets && c == '#') {
        at = std::min(text_.find('\n', at), text_.size());
      } else if (c == '\\' && at + 1 < text_.size() && (text_[at + 1] == '\n' || text_[at + 1] == '\r')) {
        at += 2;
        if (at < text_.size() && text_[at - 1] == '\r' && text_[at] == '\n') ++at;
      } else {
        return;
      }
    }
  }

  // Dots and words: `a.b`, `..c`, `.`.
  std::string ReadName(std::size_t& at) const {
    std::string name;
    while (at < text_.size()) {
      const char c = text_[at];
      if (IsWord(c)) {
        if (!name.empty() && name.back() != '.' && IsBlank(text_[at - 1])) break;
        name += c;
        ++at;
      } else if (c == '.') {
        name += c;
        ++at;
      } else if (IsBlank(c) && NextIsDot(at)) {
        ++at;
      } else {
        break;
      }
    }
    return name;
  }

  bool NextIsDot(std::size_t at) const {
    while (at < text_.size() && IsBlank(text_[at])) ++at;
    return at < text_.size() && text_[at] == '.';
  }

  void ReadImport(std::size_t& at) {
    while (true) {
      SkipBlanks(at);
      std::string name = ReadName(at);
      if (name.empty()) return;
      out_.push_back(std::move(name));
      SkipBlanks(at);
      if (Takes(at, "as")) {
        SkipBlanks(at);
        ReadName(at);
        SkipBlanks(at);
      }
      if (at >= text_.size() || text_[at] != ',') return;
      ++at;
    }
  }

  void ReadFrom(std::size_t& at) {
    SkipBlanks(at);
    const std::string module = ReadName(at);
    if (module.empty()) return;
    SkipBlanks(at);
    if (!Takes(at, "import")) return;
    out_.push_back(module);
    SkipBlanks(at);
    const bool brackets = at < text_.size() && text_[at] == '(';
    if (brackets) ++at;
    while (true) {
      SkipBlanks(at, brackets);
      const std::string name = ReadName(at);
      if (name.empty()) return;
      out_.push_back(module.back() == '.' ? module + name : module + '.' + name);
      SkipBlanks(at, brackets);
      if (Takes(at, "as")) {
        SkipBlanks(at, brackets);
        ReadName(at);
        SkipBlanks(at, brackets);
      }
      if (at >= text_.size() || text_[at] != ',') return;
      ++at;
    }
  }

  std::string_view text_;
  std::vector<std::string>& out_;
};

// Part of an address, a path or a name with hyphens: `docs.scipy.org/doc/numpy-1.10`, `array/numpy`,
// `numpy-discussion@`. `x/numpy.pi`, `core.np.sum` and `tensor.numpy()` are none.
bool IsPartOfName(char before, char behind) {
  const auto joins = [](char c) { return c == '-' || c == '/' || c == '\\' || c == '@'; };
  if (joins(behind)) return true;
  return behind != '.' && (joins(before) || (before == '.' && behind != '('));
}

// A line that is a comment and nothing else. Behind code a `#` may stand in a string.
bool IsInCommentLine(std::string_view text, std::size_t at) {
  const std::size_t end = at == 0 ? std::string_view::npos : text.find_last_of("\r\n", at - 1);
  std::size_t start = end == std::string_view::npos ? 0 : end + 1;
  while (start < at && IsBlank(text[start])) ++start;
  return text[start] == '#';
}

// The bit of the word that starts at `begin`, where one does.
std::uint32_t MentionAt(std::string_view text, std::size_t begin, const ByteSet& is_word) {
  const auto word_at = [&](std::size_t at) { return is_word[static_cast<unsigned char>(text[at])]; };
  std::size_t end = begin;
  while (end < text.size() && end - begin <= kLongestWord && word_at(end)) ++end;
  const std::string_view word = text.substr(begin, end - begin);
  const auto* known = std::find_if(kWords.begin(), kWords.end(), [&](const Word& w) { return w.text == word; });
  if (known == kWords.end()) return 0;
  const char before = begin > 0 ? text[begin - 1] : ' ', behind = end < text.size() ? text[end] : ' ';
  // As a module, and no variable of that name.
  if (known->bit == kMentionsAlias && behind != '.') return 0;
  return IsPartOfName(before, behind) || IsInCommentLine(text, begin) ? 0 : known->bit;
}

// The bits among `wanted` of the words that occur; stops at the first of `enough`.
std::uint32_t ScanWords(std::string_view text, std::uint32_t wanted, std::uint32_t enough, const ByteSet& is_word) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const auto may_start = [&](std::size_t at) { return at == 0 || !is_word[byte(at - 1)]; };
  std::uint32_t found = 0;
  for (std::size_t at = 0; at < text.size(); at += 2) {
    // Of a text with an odd end, the last byte may end a word of two letters.
    if (at + 1 < text.size() && (kPairs[byte(at)][byte(at + 1)] & wanted) == 0) continue;
    if (may_start(at)) found |= MentionAt(text, at, is_word);
    if (at > 0 && may_start(at - 1)) found |= MentionAt(text, at - 1, is_word);
    if ((found & enough) != 0) break;
  }
  return found & wanted;
}

}  // namespace

std::uint32_t FindMentions(std::string_view text) { return ScanWords(text, ~std::uint32_t{0}, 0, kIsWord); }

bool MentionsAny(std::string_view text, std::uint32_t mentions) {
  return ScanWords(text, mentions, mentions, kIsWord) != 0;
}

bool MayMentionAny(std::string_view bytes, std::uint32_t mentions) {
  return ScanWords(bytes, mentions, mentions, kIsAsciiWord) != 0;
}

std::vector<std::string> FindImports(std::string_view text) {
  std::vector<std::string> modules;
  ImportReader(text, modules).Run();
  return modules;
}

}  // namespace cpnlint::source
