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
    Word{"cn", kMentionsAlias},
    Word{"cpn", kMentionsAlias},
    Word{"npx", kMentionsAlias},
    Word{"nplike", kMentionsAlias},
};

constexpr std::array<bool, 256> MakeWordBytes() {
  std::array<bool, 256> table{};
  for (int c = 0; c < 256; ++c) {
    table[static_cast<std::size_t>(c)] =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
  }
  return table;
}

// For each first byte the lengths of the words that begin with it, as bits: most words of a file fail here.
constexpr std::array<std::uint32_t, 256> MakeLengths() {
  std::array<std::uint32_t, 256> table{};
  for (const Word& word : kWords) table[static_cast<unsigned char>(word.text.front())] |= 1U << word.text.size();
  return table;
}

constexpr std::array<bool, 256> kIsWord = MakeWordBytes();
constexpr std::array<std::uint32_t, 256> kLengths = MakeLengths();

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
      if (c == '\n' || c == '\r' || c == ';' || c == ':') {
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
        at = text_.find_first_of("\n\r;:", at);
        if (at == std::string_view::npos) break;
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

}  // namespace

namespace {

// Stops at the first word with one of the bits of `enough`.
std::uint32_t ScanWords(std::string_view text, std::uint32_t enough) {
  std::uint32_t found = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    if (!IsWord(*at)) {
      ++at;
      continue;
    }
    const char* const begin = at;
    while (at < end && IsWord(*at)) ++at;
    const auto length = static_cast<std::size_t>(at - begin);
    if (length >= 32 || (kLengths[static_cast<unsigned char>(*begin)] >> length & 1) == 0) continue;
    const std::string_view word(begin, length);
    for (const Word& known : kWords) {
      if (known.text == word) found |= known.bit;
    }
    if ((found & enough) != 0) return found;
  }
  return found;
}

}  // namespace

std::uint32_t FindMentions(std::string_view text) { return ScanWords(text, 0); }

bool MentionsAny(std::string_view text, std::uint32_t mentions) { return (ScanWords(text, mentions) & mentions) != 0; }

std::vector<std::string> FindImports(std::string_view text) {
  std::vector<std::string> modules;
  ImportReader(text, modules).Run();
  return modules;
}

}  // namespace cpnlint::source
