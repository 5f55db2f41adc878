// A flag chooses the array library, and code asks the same flag later which one it is: after `xp = cp if USE_CUPY else
// np`, `xp` is CuPy behind `if USE_CUPY:`, and so is what was made with it: nothing that is said of NumPy holds there.

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

constexpr int kMostHops = 8;              // from a flag to what it was given, from a function to those around it
constexpr std::size_t kMostChoices = 16;  // of one name

// What a test asks about: a variable that is bound again and again, or a value; perhaps whether that is None.
struct Subject {
  enum class What : std::uint8_t { kNothing, kCell, kValue } what = What::kNothing;
  std::uint32_t index = 0;
  bool asks_none = false;

  friend bool operator==(const Subject&, const Subject&) = default;
};

struct Answer {
  Subject about;
  bool holds = true;
};

// One of the things that a name may mean, and the answers on which it does.
struct Choice {
  ir::ValueId value;
  std::vector<Answer> when;
};

// The variable that an op reads, in whichever module of the program; None() for anything else.
ir::CellId CellRead(const Facts::Impl& impl, ir::ValueId id) {
  const ir::Program& program = impl.program;
  const ir::Op& op = program.ops[id];
  switch (op.kind) {
    case ir::OpKind::kLoadCell: return ir::CellId(op.payload);
    case ir::OpKind::kImport: {
      const ir::ImportRecord& record = program.imports[op.payload];
      const bool of_program = record.target.valid() && record.name.valid() && !record.submodule.valid();
      return of_program ? FindGlobal(impl, record.target, record.name) : ir::CellId::None();
    }
    case ir::OpKind::kStarName:
      return FindGlobal(impl, program.functions[program.FunctionOf(id)].module, program.SymbolOf(op));
    case ir::OpKind::kAttr: {
      const ir::ModuleId module = ModuleMeant(impl, program.Operand(id, 0));
      return module.valid() ? FindGlobal(impl, module, program.SymbolOf(op)) : ir::CellId::None();
    }
    default: return {};
  }
}

ir::CellId CellJoined(const Facts::Impl& impl, ir::ValueId phi, int depth);

// The variable with several assignments that the value is given to, or read from: `try: import cupy as cp` and `except
// ImportError: cp = None` leave either.
// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
ir::CellId CellOf(const Facts::Impl& impl, ir::ValueId id, int depth = 0) {
  const ir::Program& program = impl.program;
  if (!id.valid() || depth == kMostHops) return {};
  if (const ir::CellId read = CellRead(impl, id); read.valid())
    return program.cells[read].stores.size() > 1 ? read : ir::CellId::None();
  if (program.ops[id].kind == ir::OpKind::kPhi) {
    if (const ir::CellId joined = CellJoined(impl, id, depth); joined.valid()) return joined;
  }
  for (const ir::ValueId user : impl.UsesOf(id)) {
    if (program.ops[user].kind != ir::OpKind::kStoreCell) continue;
    const ir::CellId cell(program.ops[user].payload);
    if (program.cells[cell].stores.size() > 1) return cell;
  }
  return {};
}

// ... of which a Phi joins the assignments.
ir::CellId CellJoined(const Facts::Impl& impl, ir::ValueId phi, int depth) {
  ir::CellId common;
  for (const ir::ValueId operand : impl.program.Operands(phi)) {
    const ir::CellId cell = CellOf(impl, operand, depth + 1);
    if (!cell.valid() || (common.valid() && cell != common)) return {};
    common = cell;
  }
  return common;
}

bool IsNone(const ir::Program& program, ir::ValueId id) {
  return id.valid() && program.ops[id].kind == ir::OpKind::kNone;
}

// What the test asks in the end: `USE_CUPY = cp is not None` asks about `cp`.
Answer AnswerOf(const Facts::Impl& impl, ir::ValueId id, bool holds) {
  const ir::Program& program = impl.program;
  bool asks_none = false;
  for (int hops = 0; hops < kMostHops && id.valid(); ++hops) {
    const ir::Op& op = program.ops[id];
    if (!asks_none && (op.kind == ir::OpKind::kTruth || op.kind == ir::OpKind::kNot)) {
      if (op.kind == ir::OpKind::kNot) holds = !holds;
      id = program.Operand(id, 0);
      continue;
    }
    const auto compare = static_cast<ir::CompareOp>(op.detail);
    const bool with_none = op.kind == ir::OpKind::kCompare && IsNone(program, program.Operand(id, 1)) &&
                           (compare == ir::CompareOp::kIs || compare == ir::CompareOp::kIsNot);
    if (!asks_none && with_none) {
      if (compare == ir::CompareOp::kIsNot) holds = !holds;
      asks_none = true;
      id = program.Operand(id, 0);
      continue;
    }
    if (const ir::CellId cell = CellOf(impl, id); cell.valid())
      return {{Subject::What::kCell, static_cast<std::uint32_t>(cell.index()), asks_none}, holds};
    const ir::CellId read = CellRead(impl, id);
    if (!read.valid() || program.cells[read].stores.size() != 1) break;
    id = program.Operand(program.cells[read].stores[0], 0);
  }
  if (!id.valid()) return {};
  return {{Subject::What::kValue, static_cast<std::uint32_t>(id.index()), asks_none}, holds};
}

void AddAnswers(const Facts::Impl& impl, ir::BlockId block, std::vector<Answer>& answers) {
  AnyTestAround(impl.program, block, [&](const Test& test, ir::GuardId) {
    answers.push_back(AnswerOf(impl, test.id, test.holds));
    return false;
  });
}

// The tests around a place, and around the functions that it lies in.
std::vector<Answer> AnswersAround(const Facts::Impl& impl, ir::BlockId block) {
  const ir::Program& program = impl.program;
  std::vector<Answer> answers;
  for (int hops = 0; hops < kMostHops && block.valid(); ++hops) {
    AddAnswers(impl, block, answers);
    const ir::ValueId made_by = program.functions[program.blocks[block].function].made_by;
    block = made_by.valid() ? program.ops[made_by].block : ir::BlockId::None();
  }
  return answers;
}

// `xp = np` and `if USE_CUPY: xp = cp`: the way past the branch.
std::optional<Answer> AnswerOfEdge(const Facts::Impl& impl, ir::BlockId from, ir::BlockId to) {
  const ir::Program& program = impl.program;
  const ir::Block& before = program.blocks[from];
  if (before.ops.empty() || before.succs.size() != 2 || before.succs[0] == before.succs[1]) return std::nullopt;
  const ir::ValueId last = before.ops.back();
  if (program.ops[last].kind != ir::OpKind::kBranch) return std::nullopt;
  return AnswerOf(impl, program.Operand(last, 0), before.succs[0] == to);
}

bool Says(const std::vector<Answer>& answers, const Answer& answer, bool same) {
  return std::ranges::any_of(answers, [&](const Answer& one) {
    return one.about.what != Subject::What::kNothing && one.about == answer.about &&
           (one.holds == answer.holds) == same;
  });
}

// No way comes by there: one test would have to come out so and otherwise.
bool Contradicts(const std::vector<Answer>& answers) {
  return std::ranges::any_of(answers, [&](const Answer& one) { return Says(answers, one, false); });
}

class Choices {
 public:
  explicit Choices(const Facts::Impl& impl) : impl_(impl), program_(impl.program) {}

  std::vector<Choice> Of(ir::ValueId name) {
    Add(name, {}, 0);
    return complete_ ? std::move(choices_) : std::vector<Choice>();
  }

 private:
  void Add(ir::ValueId id, const std::vector<Answer>& when, int depth) {
    if (!id.valid() || program_.ops[id].kind == ir::OpKind::kNone) return;  // None has no functions
    if (Contradicts(when)) return;
    if (depth > kMostHops || choices_.size() == kMostChoices) {
      complete_ = false;
      return;
    }
    if (const ir::CellId cell = CellRead(impl_, id); cell.valid()) {
      for (const ir::ValueId store : program_.cells[cell].stores) {
        std::vector<Answer> answers = when;
        AddAnswers(impl_, program_.ops[store].block, answers);
        Add(program_.Operand(store, 0), answers, depth + 1);
      }
      return;
    }
    if (program_.ops[id].kind != ir::OpKind::kPhi) {
      choices_.push_back({id, when});
      return;
    }
    const std::span<const ir::ValueId> operands = program_.Operands(id);
    const ir::BlockId here = program_.ops[id].block;
    const std::span<const ir::BlockId> before = program_.blocks[here].preds;
    for (std::size_t i = 0; i < operands.size() && i < before.size(); ++i) {
      if (operands[i] == id) continue;
      std::vector<Answer> answers = when;
      AddAnswers(impl_, before[i], answers);
      if (const std::optional<Answer> edge = AnswerOfEdge(impl_, before[i], here)) answers.push_back(*edge);
      Add(operands[i], answers, depth + 1);
    }
  }

  const Facts::Impl& impl_;
  const ir::Program& program_;
  std::vector<Choice> choices_;
  bool complete_ = true;
};

// What the name means where a test around it came out so: what it was given on the same answer, or else what it was not
// given on the other one. Nothing where the answer decides nothing.
std::vector<ir::ValueId> Left(const std::vector<Choice>& choices, const Answer& answer) {
  std::vector<ir::ValueId> same, open;
  bool excludes = false;
  for (const Choice& choice : choices) {
    if (Says(choice.when, answer, true)) {
      same.push_back(choice.value);
    } else if (Says(choice.when, answer, false)) {
      excludes = true;
    } else {
      open.push_back(choice.value);
    }
  }
  if (!same.empty()) return same;
  return excludes ? open : std::vector<ir::ValueId>();
}

bool IsOtherLibrary(const Value& value) {
  return value.kind == Kind::kApi &&
         (value.library == Library::kCupy || value.library == Library::kTorch || value.library == Library::kJax);
}

}  // namespace

void Engine::FindNamespaceChoices() {
  const bool others = std::ranges::any_of(names_, [&](ir::ValueId id) {
    return program_.ops[id].kind == ir::OpKind::kImport && IsOtherLibrary(impl_.Of(id));
  });
  if (!others) return;
  std::unordered_map<ir::ValueId, std::vector<Choice>> known;
  for (const ir::ValueId id : names_) {
    if (program_.ops[id].kind != ir::OpKind::kAttr) continue;
    const ir::ValueId name = program_.Operand(id, 0);
    if (program_.ops[name].kind != ir::OpKind::kPhi && !CellRead(impl_, name).valid()) continue;
    const std::vector<Answer> answers = AnswersAround(impl_, program_.ops[id].block);
    if (answers.empty()) continue;
    const auto [found, added] = known.try_emplace(name);
    if (added) found->second = Choices(impl_).Of(name);
    const std::vector<Choice>& choices = found->second;
    const bool ours = std::ranges::any_of(choices, [&](const Choice& choice) {
      return impl_.Of(choice.value).kind == Kind::kApi && impl_.Of(choice.value).library == Library::kDevice;
    });
    if (!ours) continue;
    for (const Answer& answer : answers) {
      const std::vector<ir::ValueId> left = Left(choices, answer);
      const bool other =
          !left.empty() && std::ranges::all_of(left, [&](ir::ValueId one) { return IsOtherLibrary(impl_.Of(one)); });
      if (!other) continue;
      of_others_.insert(id);
      Push(id);
      break;
    }
  }
}

}  // namespace cpnlint::analysis
