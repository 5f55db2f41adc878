#include "analyzer/syntax/builder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <tree_sitter/api.h>

#include "analyzer/base/check.h"
#include "analyzer/syntax/grammar.h"
#include "analyzer/syntax/preorder.h"

namespace cpnlint::syntax {
namespace {

constexpr TSSymbol kErrorSymbol = 0xFFFF;

// A tree cursor that is released with its scope.
class Cursor {
 public:
  explicit Cursor(TSNode node) : cursor_(ts_tree_cursor_new(node)) {}
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  ~Cursor() { ts_tree_cursor_delete(&cursor_); }
  TSTreeCursor* get() { return &cursor_; }

 private:
  TSTreeCursor cursor_;
};

Kind KindOf(TSSymbol symbol) {
  if (symbol == kErrorSymbol) return Kind::kError;
  const std::vector<Kind>& kinds = internal::KindOfSymbol();
  return symbol < kinds.size() ? kinds[symbol] : Kind::kOther;
}

Kind KindOf(TSNode node) { return KindOf(ts_node_symbol(node)); }

Span SpanOf(TSNode node) { return {ts_node_start_byte(node), ts_node_end_byte(node)}; }

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

bool IsClause(Kind kind) {
  switch (kind) {
    case Kind::kElifClause:
    case Kind::kElseClause:
    case Kind::kExceptClause:
    case Kind::kFinallyClause:
    case Kind::kCaseClause:
    case Kind::kFunctionDefinition:  // of a decorated_definition
    case Kind::kClassDefinition: return true;
    default: return false;
  }
}

bool IsStatement(Kind kind) {
  switch (kind) {
    case Kind::kExpressionStatement:
    case Kind::kAssertStatement:
    case Kind::kReturnStatement:
    case Kind::kDeleteStatement:
    case Kind::kRaiseStatement:
    case Kind::kPassStatement:
    case Kind::kBreakStatement:
    case Kind::kContinueStatement:
    case Kind::kGlobalStatement:
    case Kind::kNonlocalStatement:
    case Kind::kTypeAliasStatement:
    case Kind::kPrintStatement:
    case Kind::kExecStatement:
    case Kind::kImportStatement:
    case Kind::kImportFromStatement:
    case Kind::kFutureImportStatement:
    case Kind::kIfStatement:
    case Kind::kForStatement:
    case Kind::kWhileStatement:
    case Kind::kTryStatement:
    case Kind::kWithStatement:
    case Kind::kFunctionDefinition:
    case Kind::kClassDefinition:
    case Kind::kDecoratedDefinition:
    case Kind::kMatchStatement:
    case Kind::kCaseClause: return true;
    default: return false;
  }
}

// Where the statement's own parts have an error: anywhere but within its blocks. An empty span stands for none.
bool FindOwnError(TSNode statement, Span& where) {
  if (ts_node_is_missing(statement) || KindOf(statement) == Kind::kError) {
    where = SpanOf(statement);
    return true;
  }
  std::vector<TSNode> work{statement};
  while (!work.empty()) {
    const TSNode node = work.back();
    work.pop_back();
    Cursor cursor(node);
    if (!ts_tree_cursor_goto_first_child(cursor.get())) continue;
    const bool in_match = KindOf(node) == Kind::kMatchStatement;
    const bool decorated = KindOf(node) == Kind::kDecoratedDefinition;
    do {
      const TSNode child = ts_tree_cursor_current_node(cursor.get());
      if (!ts_node_has_error(child)) continue;
      const Kind kind = KindOf(child);
      const Span span = SpanOf(child);
      const bool definition = kind == Kind::kFunctionDefinition || kind == Kind::kClassDefinition;
      if (kind == Kind::kBlock && !span.empty()) {
        if (in_match) work.push_back(child);
        continue;
      }
      if (IsClause(kind) && !ts_node_is_missing(child) && (!definition || decorated)) {
        work.push_back(child);
        continue;
      }
      where = span;
      return true;
    } while (ts_tree_cursor_goto_next_sibling(cursor.get()));
  }
  return false;
}

class Walk {
 public:
  Walk(std::string_view text, internal::Storage& storage, std::vector<Span>& comments,
       std::vector<BrokenStatement>& broken, std::vector<BrokenStatement> taken_out, std::vector<Span>& stray)
      : text_(text),
        stray_(stray),
        storage_(storage),
        comments_(comments),
        broken_(broken),
        taken_out_(std::move(taken_out)) {}

  // False when a placeholder became part of something else than a broken statement.
  bool Run(const TSTree* parsed) {
    const TSNode root = ts_tree_root_node(parsed);
    storage_.records.clear();
    storage_.records.reserve(ts_node_descendant_count(root));
    Add(SpanOf(root), Kind::kModule, Field::kNoField);
    storage_.records.back().span = {0, static_cast<std::uint32_t>(text_.size())};
    internal::Preorder walk(parsed);
    open_.push_back(0);
    while (!open_.empty()) {
      if (walk.Next() == internal::Preorder::Step::kUp) {
        storage_.records[open_.back()].size = Count() - open_.back();
        open_.pop_back();
      } else if (Visit(walk) && !walk.item().leaf) {
        open_.push_back(Count() - 1);
        walk.Enter();
      }
    }
    const auto starts_later = [](std::uint32_t at, const BrokenStatement& broken) {
      return at < broken.statement.begin;
    };
    return std::all_of(taken_out_.begin(), taken_out_.end(), [&](const BrokenStatement& taken) {
      const auto after = std::upper_bound(broken_.begin(), broken_.end(), taken.statement.begin, starts_later);
      return after != broken_.begin() && std::prev(after)->statement.Contains(taken.statement);
    });
  }

 private:
  std::uint32_t Add(Span span, Kind kind, Field field) {
    internal::Record record;
    record.span = span;
    record.parent = open_.empty() ? 0 : open_.back();
    record.kind = kind;
    record.field = field;
    record.named = IsNamed(kind);
    storage_.records.push_back(record);
    return static_cast<std::uint32_t>(storage_.records.size()) - 1;
  }

  [[nodiscard]] std::uint32_t Count() const { return static_cast<std::uint32_t>(storage_.records.size()); }

  // True when the node was added, and what lies below it is to be visited.
  bool Visit(const internal::Preorder& walk) {
    const internal::Preorder::Item& node = walk.item();
    const Kind kind = node.symbol < kinds_.size() ? kinds_[node.symbol] : KindOf(node.symbol);
    if (kind == Kind::kComment) {
      AddComment(node.span);
      return false;
    }
    if (kind == Kind::kLineContinuation) return false;
    const Kind parent = storage_.records[open_.back()].kind;
    if (parent == Kind::kModule || parent == Kind::kBlock) return VisitStatement(walk, kind);
    if (kind == Kind::kStringContent) CheckLineEnds(node.span);
    Add(node.span, kind, FieldOf(node, kind));
    return true;
  }

  [[nodiscard]] Field FieldOf(const internal::Preorder::Item& node, Kind kind) const {
    if (node.field == 0) return Field::kNoField;
    const Field field = fields_[node.field];
    if (IsNamed(kind) || field == Field::kOperator || field == Field::kOperators) return field;
    return Field::kNoField;
  }

  bool VisitStatement(const internal::Preorder& walk, Kind kind) {
    const Span span = walk.item().span;
    if (kind == Kind::kTokenSemicolon) return false;
    if (kind == Kind::kExpressionStatement && IsTakenOut(span)) return false;
    Span error;
    if (!IsStatement(kind)) {
      AddBroken(span, span);
      return false;
    }
    if (walk.item().has_error && FindOwnError(walk.node(), error)) {
      AddBroken(span, error);
      return false;
    }
    Add(span, kind, FieldOf(walk.item(), kind));
    return true;
  }

  // The placeholder of a statement that was taken out before parsing.
  bool IsTakenOut(Span span) {
    while (next_taken_ < taken_out_.size() && taken_out_[next_taken_].statement.begin < span.begin) ++next_taken_;
    if (next_taken_ == taken_out_.size() || taken_out_[next_taken_].statement.begin != span.begin) return false;
    BrokenStatement& broken = taken_out_[next_taken_];
    Add(broken.statement, Kind::kError, Field::kNoField);
    // The placeholder was shorter than the statement, so what is around it has to grow.
    for (const std::uint32_t around : open_) {
      internal::Record& record = storage_.records[around];
      record.span = Join(record.span, broken.statement);
    }
    broken_.push_back(broken);
    ++next_taken_;
    return true;
  }

  // Pieces that an error left side by side make one broken statement.
  void AddBroken(Span span, Span error) {
    const std::uint32_t last = static_cast<std::uint32_t>(storage_.records.size()) - 1;
    internal::Record& previous = storage_.records[last];
    if (previous.kind == Kind::kError && previous.parent == open_.back() && !broken_.empty() &&
        broken_.back().statement == previous.span && !IsPlaceholder(previous.span)) {
      previous.span = Join(previous.span, span);
      broken_.back().statement = previous.span;
      return;
    }
    // A piece that starts with a missing token starts before the blanks in front of it.
    if (!broken_.empty()) span.begin = std::max(span.begin, broken_.back().statement.end);
    while (span.begin < span.end && IsBlank(text_[span.begin])) ++span.begin;
    if (span.empty()) return;
    error.begin = std::clamp(error.begin, span.begin, span.end - 1);
    error.end = std::clamp(error.end, error.begin + 1, span.end);
    Add(span, Kind::kError, Field::kNoField);
    broken_.push_back({span, error, "syntax error"});
  }

  bool IsPlaceholder(Span span) const { return next_taken_ > 0 && taken_out_[next_taken_ - 1].statement == span; }

  void CheckLineEnds(Span content) {
    const std::string_view inside = text_.substr(content.begin, content.size());
    if (inside.find('\n') == std::string_view::npos) return;
    const std::string_view start = text_.substr(storage_.records[open_.back()].span.begin, 8);
    const std::size_t quote = start.find_first_of("\"'");
    if (quote == std::string_view::npos) return;
    if (quote + 2 < start.size() && start[quote + 1] == start[quote] && start[quote + 2] == start[quote]) return;
    bool escaped = false;
    for (std::size_t i = 0; i < inside.size(); ++i) {
      if (inside[i] == '\n' && !escaped) {
        const auto at = static_cast<std::uint32_t>(content.begin + i);
        stray_.push_back({at, at + 1});
        return;
      }
      // The CR of a hidden line end does not end the escape.
      escaped = (inside[i] == '\\' && !escaped) || (inside[i] == '\r' && escaped);
    }
  }

  // A comment token may span blanks at its end, or a CR.
  void AddComment(Span span) {
    while (span.end > span.begin && (text_[span.end - 1] == '\r' || text_[span.end - 1] == '\n')) --span.end;
    comments_.push_back(span);
  }

  const std::vector<Kind>& kinds_ = internal::KindOfSymbol();  // asked for each node
  const std::vector<Field>& fields_ = internal::FieldOfNumber();
  std::string_view text_;
  std::vector<Span>& stray_;
  internal::Storage& storage_;
  std::vector<Span>& comments_;
  std::vector<BrokenStatement>& broken_;
  std::vector<BrokenStatement> taken_out_;
  std::size_t next_taken_ = 0;
  std::vector<std::uint32_t> open_;  // records whose children are being added
};

}  // namespace

Tree TreeBuilder::Empty(std::string_view text) {
  Tree tree;
  tree.storage_->text = text;
  internal::Record module;
  module.span = {0, static_cast<std::uint32_t>(text.size())};
  module.kind = Kind::kModule;
  module.named = true;
  tree.storage_->records.assign(1, module);
  return tree;
}

Tree TreeBuilder::Broken(std::string_view text) {
  Tree tree = Empty(text);
  const Span all = tree.root().span();
  tree.broken_.push_back({all, {all.begin, std::min(all.end, all.begin + 1)}, "syntax error"});
  return tree;
}

std::optional<Tree> TreeBuilder::Build(const TSTree* parsed, std::string_view text,
                                       std::vector<BrokenStatement> taken_out, std::vector<Span>& stray_line_ends) {
  CPNLINT_CHECK(parsed != nullptr);
  Tree tree;
  tree.storage_->text = text;
  Walk walk(text, *tree.storage_, tree.comments_, tree.broken_, std::move(taken_out), stray_line_ends);
  if (!walk.Run(parsed)) return std::nullopt;
  return tree;
}

std::vector<Span> TreeBuilder::AddComments(Tree& tree, const std::vector<Span>& runs,
                                           const std::vector<Span>& comments) {
  std::vector<Span> in_strings;
  for (const Span run : runs) {
    for (Node node = tree.Covering(run); node; node = node.parent()) {
      if (!node.Is(Kind::kString)) continue;
      in_strings.push_back(run);
      break;
    }
  }
  if (!in_strings.empty()) return in_strings;
  std::vector<Span> all;
  all.reserve(tree.comments_.size() + comments.size());
  std::merge(tree.comments_.begin(), tree.comments_.end(), comments.begin(), comments.end(), std::back_inserter(all));
  tree.comments_ = std::move(all);
  return {};
}

}  // namespace cpnlint::syntax
