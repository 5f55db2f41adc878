// `if isinstance(x, np.ndarray):` makes an array of `x` where the test holds, `if isinstance(x, float):` a number, and
// only there. Where `isinstance(x, str)` does not hold, `x` is none of the texts that are handed over in sight.

#include <algorithm>
#include <array>

#include "analyzer/analysis/dtype_tests.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/item_types.h"
#include "analyzer/analysis/named_definitions.h"
#include "analyzer/analysis/rank_tests.h"
#include "analyzer/analysis/sparse_tests.h"
#include "analyzer/analysis/type_questions.h"
#include "analyzer/analysis/way_tests.h"

namespace cpnlint::analysis {
namespace {

constexpr int kMostTests = 64;  // around one place, innermost first

// What an array holds whose items are tested for being of the type: texts, or objects of a class. kUnknown where
// numbers may be of the type, or nobody knows it.
ir::DType TypeOfItem(const Facts::Impl& impl, const IdVector<ir::ClassId, Library>& array_libraries, ir::ValueId type) {
  const Value& meant = impl.Of(OriginOf(impl, type));
  const std::string_view name = impl.names.Text(meant.name);
  switch (meant.kind) {
    case Kind::kBuiltin:
      if (name == "str") return ir::DType::kString;
      if (name == "bytes") return ir::DType::kBytes;
      return name == "dict" || name == "set" || name == "type" ? ir::DType::kObject : ir::DType::kUnknown;
    case Kind::kClass:
      return array_libraries[meant.class_id] == Library::kNone ? ir::DType::kObject : ir::DType::kUnknown;
    case Kind::kApi: return IsClassOfOthers(impl.names, meant) ? ir::DType::kObject : ir::DType::kUnknown;
    default: return ir::DType::kUnknown;
  }
}

// ... of `isinstance(x, (A, B))` of all of them.
ir::DType TypeOfItems(const Facts::Impl& impl, const IdVector<ir::ClassId, Library>& array_libraries,
                      const std::vector<ir::ValueId>& types) {
  ir::DType common = ir::DType::kUnknown;
  for (const ir::ValueId one : types) {
    const ir::DType item = TypeOfItem(impl, array_libraries, one);
    if (item == ir::DType::kUnknown) return item;
    common = common == ir::DType::kUnknown || common == item ? item : ir::DType::kObject;
  }
  return common;
}

// The question of a test, or of the function of the program that answers it.
TypeQuestion QuestionBehind(const Facts::Impl& impl, ir::ValueId test) {
  const ir::Program& program = impl.program;
  TypeQuestion question = TypeQuestionOf(program, test);
  if (!question.types.empty() || program.ops[test].kind != ir::OpKind::kCall) return question;
  const ir::FunctionId function = FunctionNamed(impl, program.Operand(test, 0));
  if (!function.valid()) return {};
  auto answer = AnswerOf(program, function);
  const ir::CallShape& shape = program.Shape(program.ops[test]);
  if (!answer || answer->first >= shape.positional) return {};
  question = std::move(answer->second);
  question.value = program.Operand(test, 1 + answer->first);
  return question;
}

// `isinstance(x, NUMBERS)`: the types that the tuple of that name holds.
TypeQuestion WithTypesOfTuples(const Facts::Impl& impl, TypeQuestion question) {
  std::vector<ir::ValueId> types;
  for (const ir::ValueId type : question.types) {
    const ir::ValueId made = OriginOf(impl, type);
    if (!made.valid() || impl.program.ops[made].kind != ir::OpKind::kTuple) {
      types.push_back(made);
      continue;
    }
    for (const ir::ValueId one : impl.program.Operands(made)) types.push_back(OriginOf(impl, one));
  }
  question.types = std::move(types);
  return question;
}

Kind KindOf(const Facts::Impl& impl, const TypeQuestion& question) {
  const auto value_of = [&](ir::ValueId id) -> const Value& { return impl.Of(id); };
  return KindOfTypes(impl.program, impl.store, value_of, WithTypesOfTuples(impl, question).types);
}

// A list, a tuple, an object. What an array is behind a test for numbers is left: `abs(x)` of both is one of its kind.
bool FindsObject(const Facts::Impl& impl, const TypeQuestion& question) {
  if (question.types.empty()) return false;
  const auto value_of = [&](ir::ValueId id) -> const Value& { return impl.Of(id); };
  return KindOf(impl, question) == Kind::kUnknown &&
         AreOfNoArray(impl.program, impl.store, value_of, WithTypesOfTuples(impl, question).types);
}

bool IsArrayClass(const Facts::Impl& impl, const TypeQuestion& question) {
  return std::ranges::all_of(question.types, [&](ir::ValueId type) {
    const Value& meant = impl.Of(OriginOf(impl, type));
    return meant.kind == Kind::kApi && impl.names.Text(meant.name) == "numpy.ndarray";
  });
}

}  // namespace

void Engine::FindTypeTests() {
  const auto see = [this](ir::ValueId test, const TypeQuestion& question) {
    const bool array = IsArrayClass(impl_, question);
    if (!array && KindOf(impl_, question) == Kind::kUnknown) return;
    TypeTests& tests = type_tests_[question.value];
    if (array && tests.array == ValueTable::kNothingKnown) {
      const Library library = impl_.Of(OriginOf(impl_, question.types.front())).library;
      Value value = Array(library, ir::DType::kUnknown, ShapeId::None(), kUsed);
      value.root = value.device_root = question.value;
      tests.array = impl_.values.Keep(value);
    }
    tests.tests.push_back(test);
  };
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    const TypeQuestion question = TypeQuestionOf(program_, ir::ValueId(i));
    if (question.types.empty()) continue;
    if (const ir::DType item = TypeOfItems(impl_, array_libraries_, question.types); item != ir::DType::kUnknown)
      SeeItemOfType(impl_, question.value, item);
    see(ir::ValueId(i), question);
  }
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const ir::FunctionId function(i);
    if (named_by_[function].empty() || !AnswerOf(program_, function)) continue;
    for (const ir::FunctionId caller : named_by_[function]) {
      for (const ir::ValueId call : program_.functions[caller].calls) {
        if (FunctionNamed(impl_, program_.Operand(call, 0)) != function) continue;
        if (const TypeQuestion question = QuestionBehind(impl_, call); !question.types.empty()) see(call, question);
      }
    }
  }
}

void Engine::FindArrayTests() {
  const auto value_of = [&](ir::ValueId id) -> const Value& { return impl_.Of(id); };
  for (std::size_t i = 0; i < program_.ops.size(); ++i) {
    ir::ValueId array;
    if (const auto test = DTypeTestOf(program_, value_of, ir::ValueId(i))) array = test->array;
    if (const auto test = RankTestOf(program_, value_of, ir::ValueId(i))) array = test->array;
    if (const ir::ValueId sparse = FoundSparse(program_, value_of, ir::ValueId(i)); sparse.valid()) array = sparse;
    if (const TypeQuestion question = TypeQuestionOf(program_, ir::ValueId(i)); FindsObject(impl_, question))
      array = question.value;
    if (!array.valid()) continue;
    if (tested_arrays_.empty()) tested_arrays_.resize(program_.ops.size());
    tested_arrays_[array.index()] = true;
  }
}

// The array where it is read: behind `if x.dtype.kind == "U":` it holds texts, behind `if x.ndim != 2: raise` it has
// two axes, and behind `if issparse(x):` or `if isinstance(x, list):` it is none, whatever it is elsewhere.
const Value& Engine::OfArrayAt(ir::ValueId id, const Value& array) const {
  const bool asks_type = array.dtype == ir::DType::kUnknown, asks_rank = !array.shape.valid();
  if (!here_.valid()) return array;
  const auto value_of = [&](ir::ValueId at) -> const Value& { return impl_.Of(at); };
  const bool sparse = AnyTestAround(program_, here_, [&](const Test& test, ir::GuardId) {
    return test.holds && FoundSparse(program_, value_of, test.id) == id;
  });
  if (sparse) {
    Value matrix = analysis::Of(Kind::kForeign);
    matrix.name = impl_.names.Intern("scipy.sparse.spmatrix");
    return Kept(impl_.values.Keep(matrix));
  }
  // What hands an array over does not come here.
  static const Value bottom;
  const bool other = AnyTestAround(program_, here_, [&](const Test& test, ir::GuardId) {
    if (!test.holds) return false;
    const TypeQuestion question = TypeQuestionOf(program_, test.id);
    return question.value == id && FindsObject(impl_, question);
  });
  if (other) return bottom;
  if (!asks_type && !asks_rank) return array;
  ir::DType dtype = ir::DType::kUnknown;
  int rank = -1;
  AnyTestAround(program_, here_, [&](const Test& test, ir::GuardId) {
    if (asks_type && dtype == ir::DType::kUnknown) {
      const std::optional<DTypeTest> found = DTypeTestOf(program_, value_of, test.id);
      if (found && found->array == id) dtype = test.holds ? found->holds : found->fails;
    }
    if (asks_rank && rank < 0) {
      const std::optional<RankTest> found = RankTestOf(program_, value_of, test.id);
      if (found && found->array == id) rank = test.holds ? found->holds : found->fails;
    }
    return (!asks_type || dtype != ir::DType::kUnknown) && (!asks_rank || rank >= 0);
  });
  if (dtype == ir::DType::kUnknown && rank < 0) return array;
  Value narrowed = array;
  if (dtype != ir::DType::kUnknown) narrowed.dtype = dtype;
  if (rank >= 0) narrowed.shape = impl_.store.Intern(Shape(static_cast<std::size_t>(rank)));
  return Kept(impl_.values.Keep(narrowed));
}

const Value& Engine::NarrowedAt(ir::ValueId id, const Value& otherwise) const {
  const auto found = type_tests_.find(id);
  if (found == type_tests_.end() || !here_.valid()) return otherwise;
  const std::vector<ir::ValueId>& tests = found->second.tests;
  const auto asks = [&](ir::ValueId test) { return std::find(tests.begin(), tests.end(), test) != tests.end(); };
  const auto holds = [&](ir::ValueId truth) { return truth.valid() && asks(program_.Operand(truth, 0)); };
  if (otherwise.kind == Kind::kStr) {
    const bool is_other = AnyTestAround(program_, here_, [&](const Test& test, ir::GuardId) {
      return !test.holds && asks(test.id) && KindOf(impl_, QuestionBehind(impl_, test.id)) == Kind::kStr;
    });
    return is_other ? impl_.unknown : otherwise;
  }
  const auto narrowed = [&](ir::ValueId truth) -> const Value& {
    const TypeQuestion question = QuestionBehind(impl_, program_.Operand(truth, 0));
    if (IsArrayClass(impl_, question)) return Kept(found->second.array);
    const Kind kind = KindOf(impl_, question);
    if (kind == Kind::kBottom) return otherwise;
    Value value = analysis::Of(kind);
    if (kind == Kind::kInt || kind == Kind::kNumber) value.dim = otherwise.dim;
    return Kept(impl_.values.Keep(value));
  };
  // The way from the block before leads here only where the test holds.
  if (next_.valid()) {
    const ir::Block& before = program_.blocks[here_];
    const ir::ValueId last = before.ops.empty() ? ir::ValueId::None() : before.ops.back();
    const bool branch = last.valid() && program_.ops[last].kind == ir::OpKind::kBranch && before.succs.size() == 2;
    if (branch && before.succs[0] == next_ && before.succs[1] != next_ && holds(program_.Operand(last, 0)))
      return narrowed(program_.Operand(last, 0));
  }
  int seen = 0;
  for (ir::GuardId at = program_.blocks[here_].guard; at.valid() && seen < kMostTests;
       at = program_.guards[at].parent) {
    const ir::Guard& guard = program_.guards[at];
    if (guard.kind == ir::Guard::Kind::kTest && guard.holds && holds(guard.truth)) return narrowed(guard.truth);
    ++seen;
  }
  return otherwise;
}

}  // namespace cpnlint::analysis
