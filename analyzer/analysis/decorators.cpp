// Functions as a whole: what their decorators make of them, and which are compiled elsewhere (rules.md A.8).

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "analyzer/analysis/compiled_functions.h"
#include "analyzer/analysis/engine.h"
#include "analyzer/analysis/named_definitions.h"

namespace cpnlint::analysis {

ir::ValueId DecoratorName(const Facts::Impl& impl, ir::ValueId decorator) {
  // A decorated function that is used as a decorator stands for itself.
  while (decorator.valid() && impl.program.ops[decorator].kind == ir::OpKind::kCall &&
         !IsDecoration(impl.program, decorator)) {
    decorator = impl.program.Operand(decorator, 0);
  }
  return decorator;
}

namespace {

// The dotted name that a decorator spells, from imports alone: numba.njit, cython.cfunc; builtins by their name.
std::string SpelledName(const Facts::Impl& impl, ir::ValueId id) {
  std::vector<std::string_view> parts;
  for (int depth = 0; depth < 16 && id.valid(); ++depth) {
    const ir::Op& op = impl.program.ops[id];
    if (op.kind == ir::OpKind::kAttr) {
      parts.push_back(impl.program.Name(op));
      id = impl.program.Operand(id, 0);
      continue;
    }
    if (op.kind == ir::OpKind::kImport) {
      const ir::ImportRecord& record = impl.program.imports[op.payload];
      const std::string_view imported = record.name.valid() ? impl.names.Text(record.name) : std::string_view();
      // A module of the program that hands on `jit`: `from .utils import jit`.
      if (record.level != 0 && parts.empty() && (imported == "jit" || imported == "njit")) return ".jit";
    }
    if (const ir::ValueId next = NextHop(impl, id, Several::kFirst); next.valid()) {
      id = next;
      continue;
    }
    std::string name;
    if (op.kind == ir::OpKind::kLoadCell) return {};
    if (op.kind == ir::OpKind::kBuiltin) name = impl.program.Name(op);
    if (op.kind == ir::OpKind::kImport) {
      const ir::ImportRecord& record = impl.program.imports[op.payload];
      if (record.target.valid() && record.name.valid()) return {};  // of the program, and defined nowhere
      name = record.level != 0 ? "." : "";
      name += impl.names.Text(record.module);
      if (record.root_only) name.resize(std::min(name.find('.'), name.size()));
      if (record.name.valid()) name.append(".").append(impl.names.Text(record.name));
    }
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) name.append(".").append(*part);
    return name;
  }
  return {};
}

constexpr auto kCompilers = std::to_array<std::string_view>(
    {"cupyx.jit", "cython", "dace", "jax.jit", "numba", "pythran", "taichi", "tensorflow.function", "torch.compile",
     "torch.jit", "transonic.boost", "triton", "warp"});

bool IsCompiler(std::string_view name) {
  // A module of the program that hands on `jit`: `from .utils import jit`.
  if (name.ends_with(".jit") || name.ends_with(".njit")) return true;
  return std::any_of(kCompilers.begin(), kCompilers.end(),
                     [&](std::string_view compiler) { return StartsWithModule(name, compiler); });
}

// `njit(f)`, `njit(cache=True)(f)`
bool IsCallOfCompiler(const Facts::Impl& impl, ir::ValueId call) {
  return impl.program.ops[call].kind == ir::OpKind::kCall && IsCompiler(SpelledName(impl, DecoratorName(impl, call)));
}

// `@lazily(njit(cache=True))`, `@partial(jax.jit, static_argnums=0)`: what the decorator is handed compiles.
bool TakesCompiler(const Facts::Impl& impl, ir::ValueId decorator) {
  if (!decorator.valid() || impl.program.ops[decorator].kind != ir::OpKind::kCall) return false;
  return std::ranges::any_of(impl.program.Operands(decorator).subspan(1), [&](ir::ValueId argument) {
    return argument.valid() && (IsCallOfCompiler(impl, argument) || IsCompiler(SpelledName(impl, argument)));
  });
}

bool IsImportedSomewhere(const ir::Program& program, Symbol name) {
  return std::any_of(program.imports.begin(), program.imports.end(),
                     [&](const ir::ImportRecord& record) { return record.name == name; });
}

// `fast = njit(cache=True)(slow)`, and `slow` is nowhere called as it is.
bool IsHandedToCompilerAlone(const Facts::Impl& impl, const ir::Function& function) {
  const ir::Program& program = impl.program;
  if (!function.made_by.valid() || function.owner.valid()) return false;
  std::vector<ir::ValueId> uses;
  for (const ir::ValueId use : impl.UsesOf(function.made_by)) {
    if (program.ops[use].kind != ir::OpKind::kStoreCell) {
      uses.push_back(use);
      continue;
    }
    for (const ir::ValueId load : program.cells[ir::CellId(program.ops[use].payload)].loads) {
      const auto of_load = impl.UsesOf(load);
      uses.insert(uses.end(), of_load.begin(), of_load.end());
    }
  }
  return !uses.empty() &&
         std::all_of(uses.begin(), uses.end(), [&](ir::ValueId use) { return IsCallOfCompiler(impl, use); }) &&
         !IsImportedSomewhere(program, function.name);
}

bool CallsCompiler(const Facts::Impl& impl, ir::FunctionId factory) {
  const ir::Module& module = impl.program.modules[impl.program.functions[factory].module];
  for (std::size_t i = factory.index(); i < module.end_function.index(); ++i) {
    const ir::Function& function = impl.program.functions[ir::FunctionId(i)];
    if (ir::FunctionId(i) != factory && function.parent != factory) continue;
    for (const ir::ValueId call : function.calls) {
      if (IsCompiler(SpelledName(impl, impl.program.Operand(call, 0)))) return true;
    }
  }
  return false;
}

// Modules that transonic writes out of those of the program, for the compiler behind it: copies, which say so.
bool IsWrittenByTransonic(const Facts::Impl& impl, const ir::Module& module) {
  const Symbol mark = impl.names.Intern("__transonic__");
  return std::ranges::any_of(impl.program.functions[module.body].bindings,
                             [&](const ir::Binding& binding) { return binding.name == mark; });
}

void SeeCopies(Facts::Impl& impl, const ir::Module& module) {
  if (!IsWrittenByTransonic(impl, module)) return;
  for (std::size_t i = module.first_function.index(); i < module.end_function.index(); ++i) {
    if (ir::FunctionId(i) != module.body) impl.functions[ir::FunctionId(i)].compiled = true;
  }
}

// Functions at the top of the module that a comment exports to a compiler.
void SeeExports(Facts::Impl& impl, const ir::Module& module, const std::vector<std::string>& names) {
  for (std::size_t i = module.first_function.index(); i < module.end_function.index(); ++i) {
    const ir::Function& function = impl.program.functions[ir::FunctionId(i)];
    if (function.parent != module.body || function.kind != ir::Function::Kind::kDef) continue;
    if (std::find(names.begin(), names.end(), impl.names.Text(function.name)) != names.end())
      impl.functions[ir::FunctionId(i)].compiled = true;
  }
}

// `@self.compile`: a method of that name, of the class whose method defines the function.
ir::FunctionId MethodNamed(const Facts::Impl& impl, ir::ValueId decorator) {
  const ir::ValueId object = impl.program.Operand(decorator, 0);
  if (!object.valid() || impl.program.ops[object].kind != ir::OpKind::kParam) return {};
  const ir::Function& around = impl.program.functions[impl.program.FunctionOf(object)];
  if (!around.owner.valid() || around.params.empty() || around.params[0].value != object) return {};
  for (const ir::FunctionId method : impl.program.classes[around.owner].methods) {
    if (impl.program.functions[method].name == impl.program.SymbolOf(impl.program.ops[decorator])) return method;
  }
  return {};
}

// The method calls a compiler, or reads an attribute of its object that is made so: `self.compiled(function)`.
bool MethodCallsCompiler(const Facts::Impl& impl, ir::ClassId class_id, std::string_view name) {
  const ir::Program& program = impl.program;
  const ir::FunctionId method = FindMethod(impl, class_id, impl.names.Intern(name));
  if (!method.valid() || program.functions[method].params.empty()) return false;
  if (CallsCompiler(impl, method)) return true;
  const std::span<const ir::ValueId> uses = impl.UsesOf(program.functions[method].params[0].value);
  return std::ranges::any_of(uses, [&](ir::ValueId use) {
    if (program.ops[use].kind != ir::OpKind::kAttr) return false;
    const ir::FunctionId read = FindMethod(impl, class_id, program.SymbolOf(program.ops[use]));
    return read.valid() && CallsCompiler(impl, read);
  });
}

// The class whose object `Class(...)` or `Class(...)(function)` makes; None() of anything else.
ir::ClassId ClassCalled(const Facts::Impl& impl, ir::ValueId id) {
  constexpr int kMostCalls = 4;
  const ir::Program& program = impl.program;
  for (int calls = 0; calls < kMostCalls; ++calls) {
    id = OriginOf(impl, id);
    if (!id.valid() || program.ops[id].kind != ir::OpKind::kCall) return {};
    id = program.Operand(id, 0);
    if (const ir::ClassId made = ClassNamed(impl, id); made.valid()) return made;
  }
  return {};
}

// `def function(**kwargs): return Wrapper(**kwargs)`, where the call of a Wrapper compiles what it is given.
bool GivesCompilingObject(const Facts::Impl& impl, const ir::Function& factory) {
  return std::ranges::any_of(factory.returns, [&](ir::ValueId leave) {
    if (impl.program.ops[leave].operand_count == 0) return false;
    const ir::ClassId made = ClassCalled(impl, impl.program.Operand(leave, 0));
    return made.valid() && MethodCallsCompiler(impl, made, "__call__");
  });
}

// A decorator of the program's own that hands its function to a compiler: `def fast(f): return numba.njit(f)`.
bool HandsToCompiler(const Facts::Impl& impl, ir::ValueId decorator) {
  if (decorator.valid() && impl.program.ops[decorator].kind == ir::OpKind::kAttr) {
    const ir::FunctionId method = MethodNamed(impl, decorator);
    if (method.valid()) return CallsCompiler(impl, method);
  }
  if (const ir::ClassId made = ClassCalled(impl, decorator); made.valid())  // `fast = Wrapper()`
    return MethodCallsCompiler(impl, made, "__call__");
  decorator = DefinitionOf(impl, decorator);
  if (!decorator.valid()) return false;
  const ir::Op& op = impl.program.ops[decorator];
  if (op.kind == ir::OpKind::kMakeClass) {
    const ir::ClassId given(op.payload);
    return MethodCallsCompiler(impl, given, "__init__") || MethodCallsCompiler(impl, given, "__call__");
  }
  const ir::FunctionId factory(op.payload);
  return CallsCompiler(impl, factory) || GivesCompilingObject(impl, impl.program.functions[factory]);
}

// ... or one of those that it may be does: the default of a parameter (`def maker(jit=numba.njit):`), what a branch
// makes of it (`jit = partial(numba.njit, cache=True)` beside a `jit` that does nothing).
// NOLINTNEXTLINE(misc-no-recursion): `depth` bounds it
bool MayCompile(const Facts::Impl& impl, ir::ValueId decorator, int depth = 0) {
  constexpr int kDeepest = 6;
  if (!decorator.valid() || depth == kDeepest) return false;
  const ir::ValueId named = DecoratorName(impl, decorator);
  if (IsCompiler(SpelledName(impl, named)) || TakesCompiler(impl, decorator) || HandsToCompiler(impl, named))
    return true;
  const ir::Program& program = impl.program;
  // NOLINTNEXTLINE(misc-no-recursion)
  const auto may = [&](ir::ValueId one) { return MayCompile(impl, one, depth + 1); };
  const ir::Op& op = program.ops[named];
  switch (op.kind) {
    case ir::OpKind::kParam: return may(program.functions[program.FunctionOf(named)].params[op.detail].default_value);
    case ir::OpKind::kPhi: return std::ranges::any_of(program.Operands(op), may);
    case ir::OpKind::kLoadCell:
      return std::ranges::any_of(program.cells[ir::CellId(op.payload)].stores,
                                 [&](ir::ValueId store) { return may(program.Operand(store, 0)); });
    default: return false;
  }
}

// Loops over numba.prange only make sense in a compiled body.
bool CallsPrange(const Facts::Impl& impl, const ir::Function& function) {
  return std::any_of(function.calls.begin(), function.calls.end(), [&](ir::ValueId call) {
    return SpelledName(impl, impl.program.Operand(call, 0)) == "numba.prange";
  });
}

// The body of a method that others override: a docstring, `pass`, `...` or `raise NotImplementedError`.
bool DoesNothing(const ir::Program& program, const ir::Function& function) {
  if (function.kind != ir::Function::Kind::kDef || function.is_generator || function.blocks.size() > 2) return false;
  for (const ir::BlockId block : function.blocks) {
    for (const ir::ValueId id : program.blocks[block].ops) {
      switch (program.ops[id].kind) {
        case ir::OpKind::kReturn:
          if (program.Operand(id, 0).valid()) return false;
          break;
        case ir::OpKind::kRaise: {
          ir::ValueId raised = program.Operand(id, 0);
          if (raised.valid() && program.ops[raised].kind == ir::OpKind::kCall) raised = program.Operand(raised, 0);
          if (!raised.valid() || program.ops[raised].kind != ir::OpKind::kBuiltin ||
              program.Name(program.ops[raised]) != "NotImplementedError") {
            return false;
          }
          break;
        }
        case ir::OpKind::kParam:
        case ir::OpKind::kBuiltin:
        case ir::OpKind::kCall:  // of the exception
        case ir::OpKind::kStr:
        case ir::OpKind::kFormatString:
        case ir::OpKind::kAttr:
        case ir::OpKind::kEllipsis:
        case ir::OpKind::kUnreachable: break;
        default: return false;
      }
    }
  }
  // A call is only that of the exception.
  return function.calls.size() <= 1 && (function.calls.empty() || function.returns.empty());
}

}  // namespace

namespace {

// Libraries whose compilers do not give arrays of NumPy.
constexpr auto kOtherCompilers = std::to_array<std::string_view>(
    {"cupy", "cupyx", "dace", "jax", "numba_cuda", "taichi", "tensorflow", "torch", "triton", "warp"});

CompiledAs ByName(std::string_view compiler) {
  if (!StartsWithModule(compiler, "numba"))
    return StartsWithModule(compiler, "cython") || StartsWithModule(compiler, "transonic") ? CompiledAs::kHostCode
                                                                                           : CompiledAs::kOther;
  const std::string_view kind = compiler.substr(compiler.rfind('.') + 1);
  if (kind == "vectorize" || kind == "guvectorize" || kind == "stencil") return CompiledAs::kUfunc;
  return kind == "jit" || kind == "njit"
             ? (StartsWithModule(compiler, "numba.cuda") ? CompiledAs::kOther : CompiledAs::kHostCode)
             : CompiledAs::kOther;
}

}  // namespace

CompiledAs CompiledFor(Facts::Impl& impl, ir::FunctionId function_id) {
  const ir::Function& function = impl.program.functions[function_id];
  for (const ir::ValueId decorator : function.decorators) {
    const std::string name = SpelledName(impl, DecoratorName(impl, decorator));
    if (!name.starts_with('.') && IsCompiler(name)) return ByName(name);
  }
  // By a decorator of the program's own, or by a comment: the one compiler that the program has.
  const bool has_others =
      std::ranges::any_of(kOtherCompilers, [&](std::string_view package) { return ImportsPackage(impl, package); });
  const ir::Module& module = impl.program.modules[function.module];
  const bool exported = std::ranges::any_of(
      module.pragmas, [](const ir::Pragma& pragma) { return pragma.kind == ir::Pragma::Kind::kCompiled; });
  const bool host = !has_others && (exported || ImportsPackage(impl, "numba") || IsWrittenByTransonic(impl, module));
  return host ? CompiledAs::kHostCode : CompiledAs::kOther;
}

void SeeDecorators(Facts::Impl& impl) {
  for (const ir::Module& module : impl.program.modules) {
    SeeCopies(impl, module);
    for (const ir::Pragma& pragma : module.pragmas) {
      if (pragma.kind == ir::Pragma::Kind::kCompiled) SeeExports(impl, module, pragma.codes);
    }
  }
  const bool has_numba = ImportsPackage(impl, "numba");
  for (std::size_t i = 0; i < impl.program.functions.size(); ++i) {
    const ir::Function& function = impl.program.functions[ir::FunctionId(i)];
    FunctionFact& fact = impl.functions[ir::FunctionId(i)];
    for (const ir::ValueId decorator : function.decorators) {
      // A Call op that applies the decorator names it by its callee.
      const std::string name = SpelledName(impl, DecoratorName(impl, decorator));
      if (name == "property" || name == "functools.cached_property" || name == "cached_property")
        fact.is_property = true;
      if (name == "staticmethod") fact.is_static = true;
      if (name == "classmethod") fact.is_classmethod = true;
      if (MayCompile(impl, decorator)) fact.compiled = true;
      if (name == "cupy.fuse" || name.starts_with("cupy.RawKernel")) fact.compiled = true;
    }
    if (IsHandedToCompilerAlone(impl, function)) fact.compiled = true;
    if (has_numba && CallsPrange(impl, function)) fact.compiled = true;
    if (impl.names.Text(function.name) == "__new__") fact.is_static = true;
    fact.abstract = function.owner.valid() && DoesNothing(impl.program, function);
    // What a compiled function defines inside is compiled with it.
    if (function.parent.valid() && impl.functions[function.parent].compiled) fact.compiled = true;
  }
}

}  // namespace cpnlint::analysis
