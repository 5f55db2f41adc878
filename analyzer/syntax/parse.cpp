#include "analyzer/syntax/parse.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <tree_sitter/api.h>

#include "analyzer/base/check.h"
#include "analyzer/source/file.h"
#include "analyzer/syntax/arena.h"
#include "analyzer/syntax/builder.h"
#include "analyzer/syntax/grammar.h"
#include "analyzer/syntax/repair.h"
#include "analyzer/syntax/slow_runs.h"

namespace cpnlint::syntax {
namespace {

constexpr std::uint64_t kStepsPerCall = 100;  // tree-sitter asks for progress that often
constexpr std::size_t kMostErrors = 10'000;

// Drops everything that tree-sitter allocated when the file is done.
class ArenaScope {
 public:
  ArenaScope() { internal::InstallAllocator(); }
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;
  ~ArenaScope() { internal::ThreadArena().Reset(); }
};

// One file's parser and its budget, which all its parses share. Trees are never deleted one by one: they go with the
// arena.
class Parser {
 public:
  Parser(std::uint64_t calls, std::size_t memory) : calls_left_(calls), memory_(memory), parser_(ts_parser_new()) {
    CPNLINT_CHECK(ts_parser_set_language(parser_, internal::Language()));
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { ts_parser_delete(parser_); }

  // Null when the budget ran out.
  TSTree* Run(std::string_view text) {
    ts_parser_reset(parser_);
    Input input{text};
    TSInput source{};
    source.payload = &input;
    source.read = [](void* payload, std::uint32_t at, TSPoint, std::uint32_t* length) {
      const std::string_view rest = static_cast<Input*>(payload)->text;
      *length = at < rest.size() ? static_cast<std::uint32_t>(rest.size() - at) : 0;
      return at < rest.size() ? rest.data() + at : "";
    };
    source.encoding = TSInputEncodingUTF8;
    TSParseOptions options{};
    options.payload = this;
    options.progress_callback = [](TSParseState* state) { return static_cast<Parser*>(state->payload)->OverBudget(); };
    return ts_parser_parse_with_options(parser_, nullptr, source, options);
  }

  [[nodiscard]] bool exhausted() const { return calls_left_ == 0; }

 private:
  struct Input {
    std::string_view text;
  };

  bool OverBudget() {
    if (internal::ThreadArena().taken() > memory_) calls_left_ = 0;
    if (calls_left_ > 0) --calls_left_;
    return calls_left_ == 0;
  }

  std::uint64_t calls_left_;
  std::size_t memory_;
  TSParser* parser_;
};

// The outermost ERROR and MISSING nodes.
std::vector<ErrorSpot> FindErrors(const TSTree* tree) {
  std::vector<ErrorSpot> errors;
  const TSNode root = ts_tree_root_node(tree);
  if (!ts_node_has_error(root)) return errors;
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  bool root_is_error = ts_node_is_error(root);
  for (bool going = true; going && errors.size() < kMostErrors;) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const bool error = ts_node_is_error(node) && !root_is_error;
    root_is_error = false;
    if (error || ts_node_is_missing(node)) {
      const char* name = ts_node_is_missing(node) ? ts_node_type(node) : "";
      errors.push_back({{ts_node_start_byte(node), ts_node_end_byte(node)}, name});
    } else if (ts_node_has_error(node) && ts_tree_cursor_goto_first_child(&cursor)) {
      continue;
    }
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (!ts_tree_cursor_goto_parent(&cursor)) {
        going = false;
        break;
      }
    }
  }
  ts_tree_cursor_delete(&cursor);
  // An ERROR as root tells nothing about the place when no other lies in it.
  if (errors.empty()) errors.push_back({{ts_node_start_byte(root), ts_node_end_byte(root)}, ""});
  return errors;
}

}  // namespace

Tree::Tree() : storage_(std::make_unique<internal::Storage>()) {
  internal::Record module;
  module.kind = Kind::kModule;
  module.named = true;
  storage_->records.push_back(module);
}
Tree::Tree(Tree&&) noexcept = default;
Tree& Tree::operator=(Tree&&) noexcept = default;
Tree::~Tree() = default;

Node Tree::Covering(Span span) const {
  Node found = root();
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (const Node child : found.Children()) {
      if (!child.span().Contains(span)) continue;
      found = child;
      deeper = true;
      break;
    }
  }
  return found;
}

namespace {

// Parses `shown` (the text, or as long as it), takes out what is broken, and builds the tree over `text`. `known` is
// broken for sure.
Tree ParseAndRepair(Parser& parser, std::string_view text, std::string_view shown, int repairs,
                    const std::vector<BrokenStatement>& known) {
  Repair repair(shown, [&parser](std::string_view piece) {
    TSTree* const tree = parser.Run(piece);
    return tree == nullptr ? std::vector<ErrorSpot>() : FindErrors(tree);
  });
  repair.TakeOut(known);
  const std::vector<BrokenStatement> taken_at_first = repair.taken_out();
  TSTree* const first = parser.Run(repair.text());
  if (first == nullptr) return TreeBuilder::Empty(text);
  TSTree* parsed = first;
  std::optional<Tree> tree;
  std::vector<Span> stray;
  for (int round = 0;; ++round) {
    std::vector<ErrorSpot> errors = FindErrors(parsed);
    if (errors.empty() || round == repairs) {
      stray.clear();
      tree = TreeBuilder::Build(parsed, text, repair.taken_out(), stray);
      if (!tree || round == repairs) break;
      for (const Span at : stray) errors.push_back({at, ""});
    }
    if (errors.empty() || !repair.Round(errors)) break;
    tree.reset();
    parsed = parser.Run(repair.text());
    if (parsed == nullptr) break;
  }
  if (!tree && parsed != nullptr) tree = TreeBuilder::Build(parsed, text, repair.taken_out(), stray);
  if (!tree) tree = TreeBuilder::Build(first, text, taken_at_first, stray);
  if (!tree) return TreeBuilder::Broken(text);
  return std::move(*tree);
}

// What is broken in each of the cells by itself.
std::vector<BrokenStatement> BrokenInCells(Parser& parser, std::string_view shown, int repairs,
                                           std::span<const Span> cells) {
  std::vector<BrokenStatement> broken;
  for (const Span cell : cells) {
    const std::string_view text = shown.substr(cell.begin, cell.size());
    const Tree tree = ParseAndRepair(parser, text, text, repairs, {});
    for (BrokenStatement found : tree.broken()) {
      for (Span* const span : {&found.statement, &found.error}) {
        *span = {span->begin + cell.begin, span->end + cell.begin};
      }
      broken.push_back(std::move(found));
    }
  }
  return broken;
}

Tree ParseCells(Parser& parser, std::string_view text, const Smoothed& smoothed, int repairs,
                std::span<const Span> cells) {
  const std::string_view shown = smoothed.runs.empty() ? text : std::string_view(smoothed.text);
  return ParseAndRepair(parser, text, shown, repairs, BrokenInCells(parser, shown, repairs, cells));
}

}  // namespace

Tree Parse(std::string_view utf8, const ParseLimits& limits, std::span<const Span> cells) {
  CPNLINT_CHECK(utf8.size() < std::numeric_limits<std::uint32_t>::max());
  const ArenaScope scope;
  const std::uint64_t steps = std::max(limits.steps_at_least, limits.steps_per_byte * utf8.size());
  Parser parser(steps / kStepsPerCall, limits.bytes_at_least + limits.bytes_per_byte * utf8.size());
  Smoothed smoothed = SmoothSlowRuns(utf8, {});
  Tree tree = ParseCells(parser, utf8, smoothed, limits.repairs, cells);
  const std::vector<Span> in_strings = TreeBuilder::AddComments(tree, smoothed.runs, smoothed.comments);
  if (!in_strings.empty()) {
    // What looked like comments is in strings, which may hold interpolations.
    smoothed = SmoothSlowRuns(utf8, in_strings);
    tree = ParseCells(parser, utf8, smoothed, limits.repairs, cells);
    TreeBuilder::AddComments(tree, smoothed.runs, smoothed.comments);
  }
  tree.incomplete_ = parser.exhausted() && tree.size() == 1;
  tree.cells_.assign(cells.begin(), cells.end());
  return tree;
}

Tree Parse(const source::SourceFile& file) {
  return file.notebook == nullptr ? Parse(file.text) : Parse(file.text, {}, file.notebook->cells);
}

void ReleaseThreadMemory() { internal::ThreadArena().Release(); }

}  // namespace cpnlint::syntax
