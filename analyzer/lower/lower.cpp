#include "analyzer/lower/lower.h"

#include <utility>

#include "analyzer/lower/lowerer.h"
#include "analyzer/syntax/pragmas.h"
#include "analyzer/syntax/string_literal.h"

namespace cpnlint::lower {
namespace {

std::vector<ir::Pragma> PragmasOf(const syntax::Tree& tree) {
  using Type = syntax::Pragma::Type;
  std::vector<ir::Pragma> out;
  for (const syntax::Pragma& pragma : syntax::FindPragmas(tree)) {
    if (pragma.type == Type::kMalformed) continue;
    ir::Pragma& copy = out.emplace_back();
    copy.span = pragma.span;
    copy.target = pragma.applies_to;
    copy.text = pragma.reason;
    copy.noqa = pragma.type == Type::kNoqa;
    for (const syntax::PragmaCode& code : pragma.codes) copy.codes.push_back(code.text);
    switch (pragma.type) {
      case Type::kAssume:
        copy.kind = ir::Pragma::Kind::kAssume;
        for (const syntax::PragmaBinding& binding : pragma.bindings) {
          copy.text += (copy.text.empty() ? "" : ", ") + binding.name + "=" + binding.value;
        }
        break;
      case Type::kHost: copy.kind = ir::Pragma::Kind::kHost; break;
      case Type::kPythran: copy.kind = ir::Pragma::Kind::kCompiled; break;
      case Type::kIgnoreFile: copy.kind = ir::Pragma::Kind::kIgnoreFile; break;
      default: copy.kind = ir::Pragma::Kind::kIgnore; break;
    }
  }
  return out;
}

// How much of each table there is: what comes later belongs to the module that is being lowered.
struct Extent {
  std::size_t ops, operands, loops, withs, functions, classes, cells, statements, modules;
};

Extent ExtentOf(const ir::Program& program) {
  return {program.ops.size(),   program.operand_spans.size(), program.loops.size(),
          program.withs.size(), program.functions.size(),     program.classes.size(),
          program.cells.size(), program.statements.size(),    program.modules.size()};
}

// The lowering counts in its own file; here its spans get their place among the texts of the program.
void ShiftSpans(ir::Program& program, const Extent& from, std::uint32_t base) {
  const auto shift = [base](Span& span) { span = {span.begin + base, span.end + base}; };
  for (std::size_t i = from.ops; i < program.ops.size(); ++i) shift(program.ops[ValueId(i)].span);
  program.operand_spans.Shift(from.operands, base);
  for (std::size_t i = from.loops; i < program.loops.size(); ++i) {
    ir::Loop& loop = program.loops[LoopId(i)];
    for (Span* span : {&loop.span, &loop.header_span, &loop.iterable_span, &loop.target_span}) shift(*span);
  }
  for (std::size_t i = from.withs; i < program.withs.size(); ++i) shift(program.withs[i].suite);
  for (std::size_t i = from.functions; i < program.functions.size(); ++i) {
    ir::Function& function = program.functions[FunctionId(i)];
    shift(function.span);
    shift(function.name_span);
    for (ir::Param& param : function.params) shift(param.span);
    for (ir::Binding& binding : function.bindings) shift(binding.span);
  }
  for (std::size_t i = from.classes; i < program.classes.size(); ++i) {
    shift(program.classes[ir::ClassId(i)].span);
    shift(program.classes[ir::ClassId(i)].name_span);
  }
  for (std::size_t i = from.statements; i < program.statements.size(); ++i) {
    shift(program.statements[ir::StatementId(i)].span);
  }
  for (std::size_t i = from.modules; i < program.modules.size(); ++i) {
    for (ir::Pragma& pragma : program.modules[ir::ModuleId(i)].pragmas) {
      shift(pragma.span);
      shift(pragma.target);
    }
  }
}

}  // namespace

ir::ModuleId Lower(const source::SourceFile& file, const syntax::Tree& tree, std::string module_name,
                   ir::Program& program, std::vector<SyntaxNote>& notes) {
  return Lowerer(file, tree, program, notes).Run(std::move(module_name));
}

ir::ModuleId Lowerer::Run(std::string module_name) {
  const Extent before = ExtentOf(program_);
  scopes_ = FindScopes(tree_, program_.names);
  ir::Module module;
  module.path = file_.path;
  module.name = std::move(module_name);
  module.star_imports = scopes_.star_imports;
  module.future_annotations = scopes_.future_annotations;
  module.pragmas = PragmasOf(tree_);
  module_ = program_.modules.Add(std::move(module));

  ir::Function body;
  body.kind = ir::Function::Kind::kModule;
  body.module = module_;
  body.name = program_.names.Intern("<module>");
  body.span = tree_.root().span();
  body.name_span = {body.span.begin, body.span.begin};
  body.is_generator = false;
  const FunctionId first = program_.functions.Add(std::move(body));
  scopes_.scopes[ScopeId(0)].function = first;
  tasks_.push_back({first, ScopeId(0), tree_.root(), ir::ClassId::None()});
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const Task task = tasks_[i];  // the list grows
    LowerFunction(task);
  }

  ir::Module& made = program_.modules[module_];
  made.body = first;
  made.first_function = first;
  made.end_function = FunctionId(program_.functions.size());
  ListCellOps(before.cells, before.ops);
  const std::uint32_t base = program_.text_size;
  made.text = {base, base + static_cast<std::uint32_t>(file_.text.size())};
  program_.text_size = made.text.end + 1;  // the end of one text is not the start of the next
  if (base != 0) ShiftSpans(program_, before, base);
  return module_;
}

void Lowerer::LowerFunction(const Task& task) {
  const std::size_t first_function = program_.functions.size();
  const std::size_t first_class = program_.classes.size();
  const std::size_t first_loop = program_.loops.size();
  function_ = task.function;
  unit_ = task.scope;
  guard_ = GuardId::None();
  loop_ = LoopId::None();
  raise_to_ = BlockId::None();
  contexts_.clear();
  calls_.clear();
  returns_.clear();
  bindings_.clear();
  depth_ = 0;
  FindVariables(unit_);

  const ir::Function::Kind kind = program_.functions[function_].kind;
  NewStatement(kind == ir::Function::Kind::kModule ? Span{0, 0} : HeaderSpan(task.node));
  builder_.Begin(function_, variables_);
  Node body = task.node;
  if (kind != ir::Function::Kind::kModule) {
    if (kind != ir::Function::Kind::kClassBody) FunctionParameters(task);
    body = task.node.Child(Field::kBody);
  }
  if (kind == ir::Function::Kind::kLambda) {
    NewStatement(body.span());
    const Operand value = Expression(body);
    returns_.push_back(builder_.Leave(OpKind::kReturn, body.span(), {&value, 1}));
  } else {
    const Node docstring = DocstringStatement(body);
    if (docstring) {
      if (const auto text = syntax::PlainString(docstring.FirstNamed())) {
        const std::span<char> kept = program_.docstrings.Copy(*text);
        program_.functions[function_].docstring = {kept.data(), kept.size()};
      }
    }
    Suite(body, docstring);
  }
  if (!builder_.dead()) {
    const Span end = program_.functions[function_].span;
    const ValueId leave = builder_.Leave(OpKind::kReturn, {end.end, end.end}, {}, ir::kSynthetic);
    returns_.push_back(leave);
  }
  if (builder_.exhausted() && !exhausted_noted_) {
    exhausted_noted_ = true;
    Note(program_.functions[function_].name_span, "too many variables and branches; some values are not followed");
  }
  builder_.Finish();
  Settle(first_function, first_class, first_loop);
}

void Lowerer::FunctionParameters(const Task& task) {
  std::size_t index = 0;
  for (const Node parameter : task.node.Child(Field::kParameters).NamedChildren()) {
    if (parameter.IsAny(Kind::kPositionalSeparator, Kind::kKeywordSeparator)) continue;
    Node target = parameter;
    if (parameter.IsAny(Kind::kDefaultParameter, Kind::kTypedDefaultParameter)) target = parameter.Child(Field::kName);
    if (parameter.Is(Kind::kTypedParameter)) target = parameter.FirstNamed();
    if (target.IsAny(Kind::kListSplatPattern, Kind::kDictionarySplatPattern)) target = target.FirstNamed();
    if (index >= program_.functions[function_].params.size()) break;
    const Symbol name = program_.functions[function_].params[index].name;
    const auto detail = static_cast<std::uint8_t>(index < 255 ? index : 255);
    const Operand value = Make(OpKind::kParam, target.span(), {}, name.index(), detail);
    program_.functions[function_].params[index].value = value.value;
    ++index;
  }
  index = 0;
  for (const Node parameter : task.node.Child(Field::kParameters).NamedChildren()) {
    if (index >= program_.functions[function_].params.size()) break;
    if (parameter.IsAny(Kind::kPositionalSeparator, Kind::kKeywordSeparator)) continue;
    const ValueId value = program_.functions[function_].params[index++].value;
    for (const Node inner : parameter.Subtree()) {
      if (!inner.Is(Kind::kIdentifier) || !scopes_.binds[inner.index()]) continue;
      const NameId name = scopes_.NameOf(inner);
      if (name.valid() && scopes_.names[name].scope == unit_) {
        WriteName(name, {value, inner.span()}, inner.span(), ir::kSynthetic);
      }
    }
  }
}

// What was noted down while the values were still provisional.
void Lowerer::Settle(std::size_t first_function, std::size_t first_class, std::size_t first_loop) {
  const auto settle = [this](ValueId& value) { value = builder_.Final(value); };
  for (std::size_t i = first_function; i < program_.functions.size(); ++i) {
    ir::Function& made = program_.functions[FunctionId(i)];
    for (ir::Param& param : made.params) {
      settle(param.annotation);
      settle(param.default_value);
    }
    for (ValueId& decorator : made.decorators) settle(decorator);
    settle(made.return_annotation);
  }
  for (std::size_t i = first_class; i < program_.classes.size(); ++i) {
    for (ValueId& decorator : program_.classes[ir::ClassId(i)].decorators) settle(decorator);
  }
  for (std::size_t i = first_loop; i < program_.loops.size(); ++i) settle(program_.loops[LoopId(i)].iterable);
  for (ir::Binding& binding : bindings_) settle(binding.value);
  std::erase_if(bindings_, [](const ir::Binding& binding) { return !binding.value.valid(); });
  ir::Function& function = program_.functions[function_];
  function.calls = program_.values.Copy(calls_);
  function.returns = program_.values.Copy(returns_);
  function.bindings = program_.bindings.Copy(bindings_);
}

// The ops that store and load each variable of the module.
void Lowerer::ListCellOps(std::size_t first_cell, std::size_t first_op) {
  struct Count {
    std::uint32_t stores = 0, loads = 0;
  };
  std::vector<Count> counts(program_.cells.size() - first_cell);
  const auto each = [&](const auto& see) {
    for (std::size_t i = first_op; i < program_.ops.size(); ++i) {
      const ir::Op& op = program_.ops[ValueId(i)];
      if (op.kind != OpKind::kStoreCell && op.kind != OpKind::kLoadCell) continue;
      see(ValueId(i), program_.cells[ir::CellId(op.payload)], counts[op.payload - first_cell], op.kind);
    }
  };
  each([](ValueId, ir::Cell&, Count& count, OpKind kind) {
    ++(kind == OpKind::kStoreCell ? count.stores : count.loads);
  });
  for (std::size_t i = 0; i < counts.size(); ++i) {
    ir::Cell& cell = program_.cells[ir::CellId(first_cell + i)];
    cell.stores = program_.values.Make(counts[i].stores);
    cell.loads = program_.values.Make(counts[i].loads);
    counts[i] = {};
  }
  each([](ValueId id, ir::Cell& cell, Count& count, OpKind kind) {
    if (kind == OpKind::kStoreCell) {
      cell.stores[count.stores++] = id;
    } else {
      cell.loads[count.loads++] = id;
    }
  });
}

Operand Lowerer::Make(OpKind kind, Span span, std::span<const Operand> operands, std::uint32_t payload,
                      std::uint8_t detail, std::uint8_t flags) {
  return {builder_.Emit(kind, span, operands, payload, detail, flags), span};
}

void Lowerer::Flag(Operand value, std::size_t ops_before, std::uint8_t flag) {
  if (value.value.index() < ops_before || value.value.index() >= program_.ops.size()) return;
  ir::Op& op = program_.ops[value.value];
  if (op.span == value.span) op.flags = static_cast<std::uint8_t>(op.flags | flag);
}

void Lowerer::Note(Span span, std::string message) { notes_.push_back({span, std::move(message)}); }

void Lowerer::NewStatement(Span span) { builder_.statement = program_.statements.Add({span, function_}); }

// Up to the colon of a compound statement; all of a simple one.
Span Lowerer::HeaderSpan(Node node) {
  Span span{node.span().begin, node.span().begin};
  for (const Node child : node.Children()) {
    if (child.Is(Kind::kTokenColon)) return span;
    span.end = child.span().end;
  }
  return node.span();
}

}  // namespace cpnlint::lower
