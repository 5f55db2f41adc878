#pragma once

// The IR: one Program holds the lowered modules of an analysis run as flat tables addressed by typed ids.
//
// A function is a control-flow graph of blocks in static single assignment form: each op makes at most one value, a
// Python variable that several assignments reach becomes a Phi where control flow joins. So a fact about a value is
// flow-sensitive by itself. What other functions can see (module variables, captured variables, class variables) lives
// in cells besides: every assignment also stores into the cell, every read from another function loads from it.
//
// Python's loop nest is kept: each block knows its innermost loop and the chain of tests (guards) it stands under.
// The IR knows neither text nor syntax; spans lead back to the source. ops.def is the reference manual of the ops.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/base/id.h"
#include "analyzer/base/index_table.h"
#include "analyzer/base/interner.h"
#include "analyzer/base/lists.h"
#include "analyzer/base/span.h"
#include "analyzer/ir/operand_spans.h"

namespace cpnlint::ir {

using ValueId = Id<struct ValueTag>;  // an op and the value it makes
using BlockId = Id<struct BlockTag>;
using LoopId = Id<struct LoopTag>;
using GuardId = Id<struct GuardTag>;
using FunctionId = Id<struct FunctionTag>;
using ClassId = Id<struct ClassTag>;
using CellId = Id<struct CellTag>;
using ModuleId = Id<struct ModuleTag>;
using StatementId = Id<struct StatementTag>;

enum class OpKind : std::uint8_t {
#define CPNLINT_OP(kind, name, payload, operands, meaning) k##kind,
#include "analyzer/ir/ops.def"
#undef CPNLINT_OP
};

enum class Payload : std::uint8_t {
  kNothing,
  kSymbol,
  kInt,
  kFloat,
  kString,
  kCell,
  kLoop,
  kFunction,
  kClass,
  kCall,
  kImport,
  kItem
};

enum class UnaryOp : std::uint8_t { kNegative, kPositive, kInvert };
enum class BinaryOp : std::uint8_t {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kFloorDiv,
  kMod,
  kPow,
  kMatMul,
  kLeftShift,
  kRightShift,
  kAnd,
  kOr,
  kXor,
};
enum class CompareOp : std::uint8_t { kEq, kNe, kLt, kLe, kGt, kGe, kIs, kIsNot, kIn, kNotIn };
enum class TruthContext : std::uint8_t {
  kIf,
  kWhile,
  kAssert,
  kTernary,
  kAnd,
  kOr,
  kNot,
  kFilter,
  kMatchGuard,
  kCompareChain
};
enum class CollectionKind : std::uint8_t { kList, kSet, kDict, kGenerator };
enum class ParamKind : std::uint8_t { kPositionalOnly, kPositional, kVarPositional, kKeywordOnly, kVarKeyword };

enum OpFlag : std::uint8_t {
  kAugmented = 1,       // part of `target op= value`: the load, the InplaceBinary and the store
  kTupleIndex = 2,      // Subscript/StoreSubscript whose key is written as a tuple
  kDiscarded = 4,       // an expression statement: nobody uses the value
  kInAnnotation = 8,    // inside an annotation
  kNotEvaluated = 16,   // inside an annotation that Python does not evaluate when the program runs
  kSynthetic = 32,      // made by the lowering, not written by the user
  kParenthesized = 64,  // the whole expression stands in parentheses
};

struct Op {
  OpKind kind = OpKind::kOpaque;
  std::uint8_t detail = 0;
  std::uint8_t flags = 0;
  std::uint32_t payload = 0;
  std::uint32_t first_operand = 0;
  std::uint32_t operand_count = 0;
  Span span;  // the expression or statement part this op stands for
  BlockId block;
  StatementId statement;
};

// How a call spells its arguments: operands are callee, positional arguments, then one per entry of `keywords`.
// Calls that are spelled alike share one.
struct CallShape {
  std::uint32_t positional = 0;  // a Starred op among them is `*iterable`
  std::vector<Symbol> keywords;  // None() for `**mapping`

  friend bool operator==(const CallShape&, const CallShape&) = default;
};

struct ImportRecord {
  Symbol module;  // as written, dotted: "numpy.linalg"; leading dots of a relative import are in `level`
  Symbol name;    // the imported name of `from module import name`; None() for a plain import
  Symbol bound;   // the variable it is bound to
  std::uint32_t level = 0;
  bool root_only = false;  // `import a.b.c` binds `a`: the value is module `a`, `module` still says "a.b.c"
  // Set by lower::Link, None() where the module is not among those of the program:
  ModuleId target;     // what `module` means
  ModuleId submodule;  // `from package import name`: the module of that name in the package
};

// Position of one target in an unpacking: `a, *b, c = v` has count 3 and star 1. Packed into Op::payload.
struct ItemPosition {
  static constexpr std::uint32_t kNoStar = 0x3ff;
  std::uint32_t index = 0;
  std::uint32_t count = 0;
  std::uint32_t star = kNoStar;

  static constexpr std::uint32_t kMost = 1022;  // more targets are Opaque
  [[nodiscard]] constexpr std::uint32_t Pack() const { return index | count << 10 | star << 20; }
  static constexpr ItemPosition Unpack(std::uint32_t bits) { return {bits & 0x3ff, bits >> 10 & 0x3ff, bits >> 20}; }
};

struct Block {
  FunctionId function;
  LoopId loop;    // innermost, None() outside loops; a loop's header block belongs to the loop
  GuardId guard;  // innermost, None() where the function's entry leads here unconditionally
  // Lists of Program::block_ops and Program::edges:
  std::span<const ValueId> ops;    // Phi ops first, a control-flow op last
  std::span<const BlockId> preds;  // parallel to the operands of the block's Phi ops
  std::span<const BlockId> succs;  // as the control-flow op says
};

// A test that the code after it depends on, innermost first. The tests of a loop's own header are not guards.
struct Guard {
  GuardId parent;
  ValueId truth;      // the Truth or MatchTest op; None() for kExcept and kLoopElse
  bool holds = true;  // false: this code runs where the test fails
  LoopId loop;        // innermost loop around the test
  // kCompound: several tests of one `and`, `or` or chain lead here; truth is the last of them and `holds` says nothing.
  enum class Kind : std::uint8_t { kTest, kExcept, kLoopElse, kCompound } kind = Kind::kTest;
};

struct Loop {
  enum class Kind : std::uint8_t { kFor, kWhile, kComprehension } kind = Kind::kFor;
  LoopId parent;
  FunctionId function;
  BlockId header;    // where each trip starts: ForNext, or the while test
  BlockId body;      // first block of the body
  ValueId iterable;  // for, comprehension: what is iterated over (the operand of Iter)
  ValueId item;      // for, comprehension: the LoopItem op
  ValueId truth;  // while: the Truth op of the whole test where there is one test, else None() (a chain, `while True`)
  Span span;      // the whole statement; a comprehension's clause
  Span header_span;  // `for j in range(n):` without the colon; `while test`
  Span iterable_span;
  Span target_span;
  bool has_break = false;
  bool has_else = false;
};

// `with context:`, one per context: the errstate that divisions stand under, and the like.
struct With {
  ValueId entered;  // the WithEnter op
  Span suite;
};

// One assignment to a plain name: `name = value`, a loop target, an unpacking target, `as name`, ...
struct Binding {
  Symbol name;
  ValueId value;
  Span span;  // of the name
};

struct Param {
  Symbol name;
  ParamKind kind = ParamKind::kPositional;
  ValueId value;       // the Param op
  ValueId annotation;  // op of the enclosing function; None() without one
  ValueId default_value;
  Span span;
};

struct Function {
  enum class Kind : std::uint8_t { kModule, kDef, kLambda, kClassBody } kind = Kind::kDef;
  ModuleId module;
  FunctionId parent;           // the function whose code defines this one; None() for a module body
  ClassId owner;               // the class whose method this is (or whose body, for kClassBody)
  Symbol name;                 // "<module>", "<lambda>", else the name in the source
  std::string_view qualified;  // "Grid.step", "outer.inner"; empty for the module body
  // Lists of the program:
  List<Param> params;
  List<ValueId> decorators;    // ops of the enclosing function, outermost decorator first
  List<ValueId> returns;       // the Return ops
  List<ValueId> calls;         // the Call ops, in order
  List<Binding> bindings;      // every assignment to a plain name, in order of lowering
  List<BlockId> blocks;        // in source order of creation; [0] is the entry
  std::string_view docstring;  // decoded; empty without one, and when the values are known (ForgetDocstrings)
  ValueId return_annotation;   // op of the enclosing function
  ValueId made_by;             // the MakeFunction op; None() for module and class bodies
  ValueId first_op, end_op;    // all ops of the function have ids in [first_op, end_op)
  Span span;                   // the whole definition
  Span name_span;
  bool is_async = false;
  bool is_generator = false;
};

struct Class {
  ModuleId module;
  FunctionId parent;
  Symbol name;
  std::string_view qualified;
  FunctionId body;
  ValueId made_by;  // the MakeClass op
  List<ValueId> decorators;
  std::vector<FunctionId> methods;  // directly in the body, in order
  Span span;
  Span name_span;
};

// A variable that outlives or leaves one flow of one function.
struct Cell {
  enum class Kind : std::uint8_t { kGlobal, kClosure, kClassVariable } kind = Kind::kGlobal;
  Symbol name;
  bool deleted = false;  // some `del name` unbinds it
  FunctionId owner;      // module body, enclosing function or class body
  List<ValueId> stores;  // all StoreCell ops, in order of lowering
  List<ValueId> loads;   // all LoadCell ops
};

struct Statement {
  Span span;  // a compound statement's span ends before its colon
  FunctionId function;
};

struct Pragma {
  // kCompiled: another tool's comment, `# pythran export f(int)`; codes are the names of functions
  enum class Kind : std::uint8_t { kAssume, kHost, kIgnore, kIgnoreFile, kCompiled } kind = Kind::kIgnore;
  Span span;                       // the comment
  Span target;                     // the logical line it applies to
  std::vector<std::string> codes;  // kIgnore, kIgnoreFile: as written
  std::string text;                // kAssume: what follows `assume`; kIgnore: the reason
  bool noqa = false;               // written as `# noqa: R104`
};

struct Module {
  std::string path;  // as the report shows it
  std::string name;  // dotted, best guess from the path: "pkg.solver"
  FunctionId body;
  std::vector<Symbol>
      star_imports;  // dotted module names of `from m import *`, in order; relative ones with their dots
  Span text;         // where its text lies among the texts of the program: spans of different modules never overlap
  // Set by lower::Link:
  std::vector<ModuleId> star_targets;                 // parallel to star_imports
  std::vector<std::pair<Symbol, ModuleId>> imported;  // dotted names that its `import a.b` reach, sorted
  std::vector<std::pair<Symbol, ModuleId>> members;   // of a package: its modules, sorted
  std::vector<Pragma> pragmas;
  bool future_annotations = false;
  FunctionId first_function, end_function;
};

struct Program {
  Interner names;
  std::uint32_t text_size = 0;  // where the text of the next module starts
  IdVector<ValueId, Op> ops;
  std::vector<ValueId> operands;  // pool; Op::first_operand indexes it
  OperandSpans operand_spans;     // parallel: where the user wrote that operand
  std::vector<std::int64_t> ints;
  std::vector<double> floats;
  Interner strings;
  std::vector<CallShape> call_shapes;
  std::vector<ImportRecord> imports;
  IdVector<BlockId, Block> blocks;
  Lists<ValueId> block_ops;
  Lists<BlockId> edges;
  // What functions, classes and cells list.
  Lists<ValueId> values;
  Lists<Param> params;
  Lists<Binding> bindings;
  Lists<char> qualified_names, docstrings;
  IdVector<LoopId, Loop> loops;
  IdVector<GuardId, Guard> guards;
  std::vector<With> withs;  // in order
  IdVector<FunctionId, Function> functions;
  IdVector<ClassId, Class> classes;
  IdVector<CellId, Cell> cells;
  IdVector<StatementId, Statement> statements;
  IdVector<ModuleId, Module> modules;

  // Makes room for modules of so many bytes in all. What is not used of it costs nothing but addresses; to move tables
  // again and again as they grow costs time and leaves holes in the memory.
  void Reserve(std::size_t text_size) {
    ops.reserve(text_size / 10);
    operands.reserve(text_size / 8);
    operand_spans.reserve(text_size / 8);
    statements.reserve(text_size / 30);
    blocks.reserve(text_size / 60);
    functions.reserve(text_size / 400);
    cells.reserve(text_size / 300);
  }

  // The index of the shape.
  std::uint32_t Intern(CallShape shape);
  // Only the values of parameters and results are inferred from docstrings.
  void ForgetDocstrings();

  [[nodiscard]] std::span<const ValueId> Operands(const Op& op) const {
    return {operands.data() + op.first_operand, op.operand_count};
  }
  [[nodiscard]] std::span<const ValueId> Operands(ValueId id) const { return Operands(ops[id]); }
  // None() where the op has no such operand or it is absent.
  [[nodiscard]] ValueId Operand(ValueId id, std::uint32_t index) const {
    const Op& op = ops[id];
    return index < op.operand_count ? operands[op.first_operand + index] : ValueId::None();
  }
  [[nodiscard]] Span OperandSpan(ValueId id, std::uint32_t index) const {
    return operand_spans.Of(ops[id].first_operand + index, ops[id].span);
  }
  [[nodiscard]] Symbol SymbolOf(const Op& op) const { return Symbol(op.payload); }
  [[nodiscard]] std::string_view Name(const Op& op) const { return names.Text(Symbol(op.payload)); }
  [[nodiscard]] std::string_view String(const Op& op) const { return strings.Text(Symbol(op.payload)); }
  [[nodiscard]] const CallShape& Shape(const Op& call) const { return call_shapes[call.payload]; }
  [[nodiscard]] FunctionId FunctionOf(ValueId id) const { return blocks[ops[id].block].function; }
  [[nodiscard]] LoopId LoopOf(ValueId id) const { return blocks[ops[id].block].loop; }

 private:
  IndexTable shape_table_;  // of call_shapes
};

[[nodiscard]] std::string_view Name(OpKind kind);
[[nodiscard]] Payload PayloadOf(OpKind kind);
[[nodiscard]] std::string_view OperandsDoc(OpKind kind);
[[nodiscard]] std::string_view Meaning(OpKind kind);
[[nodiscard]] std::string_view Spelling(UnaryOp op);
[[nodiscard]] std::string_view Spelling(BinaryOp op);
[[nodiscard]] std::string_view Spelling(CompareOp op);
[[nodiscard]] constexpr bool IsControlFlow(OpKind kind) {
  return kind >= OpKind::kJump && kind <= OpKind::kUnreachable;
}

}  // namespace cpnlint::ir
