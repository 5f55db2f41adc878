// R118 process-level-parallelism: array work handed to pools of processes or threads.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/rule.h"
#include "rules/match/device_call.h"

namespace cpnlint::rules::r118 {

using analysis::Callee;
using analysis::Kind;
using analysis::Value;
using ir::OpKind;
using ir::ValueId;

constexpr auto kLibraries =
    std::to_array<std::string_view>({"concurrent", "dask", "distributed", "ipyparallel", "joblib", "multiprocess",
                                     "multiprocessing", "pathos", "ray", "threading"});

// Where a call names the function that the workers run.
struct Spawner {
  std::string_view name;  // last part of what is called
  std::size_t position;
  std::string_view keyword;
};
constexpr Spawner kSpawners[] = {
    {"Process", 1, "target"},  {"Thread", 1, "target"},      {"Timer", 1, "function"},
    {"apply", 0, "func"},      {"apply_async", 0, "func"},   {"map", 0, "func"},
    {"map_async", 0, "func"},  {"imap", 0, "func"},          {"imap_unordered", 0, "func"},
    {"starmap", 0, "func"},    {"starmap_async", 0, "func"}, {"amap", 0, "f"},
    {"uimap", 0, "f"},         {"submit", 0, "fn"},          {"delayed", 0, "function"},
    {"remote", 0, "function"}, {"apply_gufunc", 0, "func"},  {"blockwise", 0, "func"},
    {"map_blocks", 0, "func"}, {"map_overlap", 0, "func"},
};

static std::string_view TopOf(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }
static std::string_view LastOf(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

static bool IsOfWorkers(std::string_view dotted) {
  for (const std::string_view library : kLibraries) {
    if (TopOf(dotted) == library) return true;
  }
  return false;
}

static bool MakesWorkers(std::string_view name) {
  return match::IsOneOf(
      name, {"Pool", "ThreadPool", "ProcessPool", "ParallelPool", "ProcessPoolExecutor", "ThreadPoolExecutor",
             "Parallel", "Client", "LocalCluster", "Process", "Thread", "SharedMemory"});
}

// The function of the program that a value stands for: `f`, `self.f`, `functools.partial(f, 3)`.
static ir::FunctionId FunctionOf(const Facts& facts, ValueId value) {
  const ir::Program& program = facts.program();
  for (int depth = 0; depth < 3 && value.valid(); ++depth) {
    const Value& known = facts.Of(value);
    if (known.function.valid()) return known.function;
    const ValueId source = facts.Source(value);
    if (!source.valid() || program.ops[source].kind != OpKind::kCall) return {};
    if (facts.CalleeOf(source).name != "functools.partial" || facts.PositionalCount(source) == 0) return {};
    value = program.Operand(source, 1);
  }
  return {};
}

// One number, or a few: what a shape is made of, a cumulated product of extents.
static bool IsFewNumbers(const Facts& facts, ValueId value) {
  constexpr std::int64_t kMostAxes = 8;
  return facts.IsZeroD(value) || facts.KnownBelow(value, kMostAxes + 1);
}

static bool HoldsDevice(const Facts& facts, ValueId value) {
  if (facts.IsDevice(value)) return !IsFewNumbers(facts, value);
  // `partial(run, u)` takes `u` along.
  const ValueId source = facts.Source(value);
  if (source.valid() && facts.program().ops[source].kind == OpKind::kCall &&
      facts.CalleeOf(source).name == "functools.partial") {
    for (const ValueId bound : facts.program().Operands(source)) {
      if (facts.IsDevice(bound)) return true;
    }
  }
  const Value& known = facts.Of(value);
  if (known.kind == Kind::kTuple && known.elements.valid()) {
    for (const Value& element : facts.store().Get(known.elements)) {
      if (element.kind == Kind::kArray && element.library == analysis::Library::kDevice) return true;
    }
  }
  if (known.kind != Kind::kList && known.kind != Kind::kTuple) return false;
  if (!known.item.valid()) return false;
  const std::vector<Value>& items = facts.store().Get(known.item);
  return !items.empty() && items.front().kind == Kind::kArray && items.front().library == analysis::Library::kDevice;
}

// `dask.compute(u)` runs what was planned elsewhere, and hands back what is no plan as it is.
static bool OnlyRunsPlans(std::string_view dotted) {
  return TopOf(dotted) == "dask" &&
         match::IsOneOf(LastOf(dotted), {"compute", "is_dask_collection", "optimize", "persist", "visualize"});
}

// `da.store(sources=plan, targets=u)`: what the workers give goes into arrays of the device.
static bool FillsTargets(const Facts& facts, ValueId call, std::uint32_t operand) {
  if (facts.CalleeOf(call).name != "dask.array.store") return false;
  const ValueId value = facts.program().Operand(call, operand);
  return value == facts.Argument(call, 1, "targets");
}

constexpr std::string_view kDaskArray = "dask.array.";

// Of dask there is no pool to drop: what plans array work gives way to the library itself.
static Text InsteadOfDask(const Facts& facts, ValueId call, std::string_view name, std::string_view version) {
  if (!name.starts_with(kDaskArray)) {
    return "RR-serial  call the function itself, for all cases at once, stacked along a leading axis: all processors "
           "of "
           "the run work on it";
  }
  Text help(
      "RR-serial  leave dask out: the library cuts whole arrays over all processors by itself, without chunks and "
      "plans");
  const std::string_view function = name.substr(kDaskArray.size());
  if (match::IsOneOf(function, {"array", "asanyarray", "asarray", "from_array"}))
    return help.Add("; keep the array as it is, without `").Add(facts.program().OperandSpan(call, 0)).Add("`");
  const api::Entry* row = match::Row("numpy." + std::string(function), version);
  if (row == nullptr || row->status == api::Status::kMissing || row->name != "numpy." + std::string(function))
    return help;
  return help.Add("; `np.").Add(function).Add("` in place of `").Add(facts.program().OperandSpan(call, 0)).Add("`");
}

// dask does the work in this thread: `scheduler="synchronous"` of the call, or of `dask.config.set` in its function or
// of its module.
static bool AsksForOneThread(const Facts& facts, ValueId call) {
  const auto name = facts.TextOf(facts.KeywordArgument(call, "scheduler"));
  return name && match::IsOneOf(*name, {"single-threaded", "sync", "synchronous"});
}
static bool RunsInThisThread(const Facts& facts, ValueId call) {
  if (TopOf(facts.CalleeOf(call).name) != "dask") return false;
  if (AsksForOneThread(facts, call)) return true;
  const ir::Program& program = facts.program();
  const ir::FunctionId function = program.FunctionOf(call);
  const auto sets = [&](ValueId other) {
    const std::string_view name = facts.CalleeOf(other).name;
    return name.starts_with("dask.") && name.ends_with("config.set") && AsksForOneThread(facts, other);
  };
  const ir::FunctionId body = program.modules[program.functions[function].module].first_function;
  return std::ranges::any_of(program.functions[function].calls, sets) ||
         std::ranges::any_of(program.functions[body].calls, sets);
}

// An operator with an array, or with something that may be one; a selection through a mask.
static bool ComputesOnArrays(const Facts& facts, ValueId op) {
  const ir::Program& program = facts.program();
  const auto may_be = [&](ValueId operand) {
    return operand.valid() && (facts.IsArray(operand) || facts.Of(operand).kind == analysis::Kind::kUnknown);
  };
  switch (program.ops[op].kind) {
    case OpKind::kBinary:
    case OpKind::kCompare:
    case OpKind::kUnary:
    case OpKind::kInplaceBinary: return std::ranges::any_of(program.Operands(op), may_be);
    case OpKind::kSubscript:
      return std::ranges::any_of(facts.KeysOf(op), [&](ValueId key) { return facts.IsArray(key); });
    default: return false;
  }
}

// The worker opens files, and makes nothing of what is in them but arrays.
static bool OnlyReadsFiles(const Facts& facts, ir::FunctionId worker, int depth = 3) {
  const ir::Program& program = facts.program();
  const ir::Function& function = program.functions[worker];
  bool reads = false;
  for (std::size_t i = function.first_op.index(); i < function.end_op.index(); ++i) {
    const ValueId op(i);
    if (program.ops[op].kind == OpKind::kCall) {
      const std::string_view name = facts.CalleeOf(op).name;
      const ValueId called = program.Operand(op, 0);
      const bool method = called.valid() && program.ops[called].kind == OpKind::kAttr;
      reads = reads || (method && match::IsOneOf(program.Name(program.ops[called]), {"read", "readinto"}));
      reads = reads || name == "open" || name == "PIL.Image.open" || name == "h5py.File" || name == "cv2.imread" ||
              name.ends_with(".imread");
      const Callee& callee = facts.CalleeOf(op);
      if (callee.kind == Callee::Kind::kLocal) {  // what that does with the data is not known by its lack of arrays
        if (!callee.function.valid() || depth == 0 || !OnlyReadsFiles(facts, callee.function, depth - 1)) return false;
        reads = true;
        continue;
      }
      const bool file =
          method && match::IsOneOf(program.Name(program.ops[called]), {"close", "read", "readinto", "seek"});
      if (callee.kind == Callee::Kind::kClass || (callee.kind == Callee::Kind::kUnknown && !file)) return false;
      const std::string_view base = match::AsDeviceCall(facts, op).base;
      if (match::IsOneOf(base, {"fromfile", "genfromtxt", "load", "loadtxt", "memmap"})) {
        reads = true;
        continue;
      }
      if (match::IsOneOf(base, {"array", "asarray", "frombuffer"})) continue;
      if (facts.ReachesArrayWork(called)) return false;
    }
    if (facts.IsArrayWork(op) || ComputesOnArrays(facts, op)) return false;
  }
  return reads;
}

struct Spread {
  ValueId op;
  ir::FunctionId worker;
  Span shipped;           // an argument with device arrays
  bool fills = false;     // ... that the workers' results go into
  bool resolved = false;  // the worker is a function of the program
};

static Spread SpreadAt(const Facts& facts, ValueId call) {
  const ir::Program& program = facts.program();
  const std::string_view name = facts.CalleeOf(call).name;
  Spread spread{call, {}, {}, false, false};
  if (LastOf(name) == "dump" || LastOf(name) == "load" || OnlyRunsPlans(name)) return spread;
  if (RunsInThisThread(facts, call)) return spread;
  const ValueId meta = TopOf(name) == "dask" ? facts.KeywordArgument(call, "meta") : ValueId();  // describes results
  for (const Spawner& spawner : kSpawners) {
    if (LastOf(name) != spawner.name) continue;
    // Without an array to work on, blocks are read or made.
    if (name.starts_with("dask.array.map_") && facts.PositionalCount(call) < 2) continue;
    spread.worker = FunctionOf(facts, facts.Argument(call, spawner.position, spawner.keyword));
    spread.resolved = spread.worker.valid();
  }
  for (std::uint32_t i = 1; i < program.ops[call].operand_count && spread.shipped.empty(); ++i) {
    if (program.Operand(call, i) == meta || !HoldsDevice(facts, program.Operand(call, i))) continue;
    spread.shipped = program.OperandSpan(call, i);
    spread.fills = FillsTargets(facts, call, i);
  }
  return spread;
}

static void Report(const Facts& facts, const Spread& spread, Trial& trial) {
  const ir::Program& program = facts.program();
  const std::string_view name = facts.CalleeOf(spread.op).name;
  const Span span = program.ops[spread.op].span;
  Trial::Report report = trial.ReportOp(spread.op);
  report.Arg("call", span).Arg("lib", TopOf(name)).Key(std::string(TopOf(name)));
  if (TopOf(name) == "dask") report.Help(InsteadOfDask(facts, spread.op, name, trial.target().version));
  if (!spread.shipped.empty()) {
    report.Label(spread.shipped, spread.fills ? "what the workers give is copied to the device through the host"
                                              : "device arrays are copied to the workers through the host");
  }
  if (spread.worker.valid() &&
      program.functions[spread.worker].module == program.functions[program.FunctionOf(spread.op)].module) {
    const Span defined = program.functions[spread.worker].name_span;
    if (!defined.empty() && !span.Contains(defined)) report.Label(defined, "the workers run this array code");
  }
}

// A function under `@dask.delayed` or `@ray.remote`.
static void Decorated(const Facts& facts, ir::FunctionId function, Trial& trial) {
  const ir::Program& program = facts.program();
  for (const ValueId decorator : program.functions[function].decorators) {
    std::string_view name = facts.ApiName(decorator);
    if (name.empty() && facts.Of(decorator).kind == Kind::kForeign) name = program.names.Text(facts.Of(decorator).name);
    if (!IsOfWorkers(name) || !match::IsOneOf(LastOf(name), {"delayed", "remote"})) continue;
    if (!facts.FunctionHasArrayWork(function)) continue;
    trial.ReportOp(decorator)
        .Arg("call", program.ops[decorator].span)
        .Arg("lib", TopOf(name))
        .Key(std::string(TopOf(name)))
        .Label(program.functions[function].name_span, "the workers run this array code");
  }
}

// Fires when
//   1. the module calls a library of worker processes or threads: multiprocessing, concurrent.futures, threading,
//      joblib, dask, ray, pathos, ipyparallel, and
//   2. the function that the workers run works on device arrays, or device arrays are handed to them. Where no such
//      function can be told, and the module has device arrays, it is possible only.
// Quiet: (a), (c) and (e) are workers without array work, (b) starts no worker, (d) files are R117's, (f) subprocess is
// none of the libraries.
static void OnModule(const Facts& facts, ir::ModuleId id, Trial& trial) {
  const ir::Program& program = facts.program();
  const ir::Module& module = program.modules[id];
  ValueId maker;
  bool any_resolved = false;
  bool found = false;
  for (std::size_t index = module.first_function.index(); index < module.end_function.index(); ++index) {
    const ir::FunctionId function(index);
    if (facts.IsCompiledElsewhere(function)) continue;
    Decorated(facts, function, trial);
    for (const ValueId call : program.functions[function].calls) {
      trial.Considers(call);
      const Callee& callee = facts.CalleeOf(call);
      if (callee.kind != Callee::Kind::kForeign || !IsOfWorkers(callee.name) || facts.IsDead(call)) continue;
      if (!maker.valid() && MakesWorkers(LastOf(callee.name))) maker = call;
      const Spread spread = SpreadAt(facts, call);
      any_resolved |= spread.resolved;
      // dask makes host blocks for what numba compiles.
      const bool on_host =
          TopOf(callee.name) == "dask" && spread.worker.valid() && facts.IsCompiledElsewhere(spread.worker);
      const bool works = spread.worker.valid() && facts.FunctionHasArrayWork(spread.worker) && !on_host &&
                         !OnlyReadsFiles(facts, spread.worker);
      if (!trial.Holds(2, works || !spread.shipped.empty())) continue;
      Report(facts, spread, trial);
      found = true;
    }
  }
  if (found || any_resolved || !maker.valid() || !facts.HasDeviceArrays(id)) return;
  Report(facts, {maker, {}, {}, false, false}, trial);
  trial.pending().back().cap = Confidence::kPossible;
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 118,
    .slug = "process-level-parallelism",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kError,
    .cap = Confidence::kLikely,
    .summary = "array work handed to worker processes or threads",
    .message = "`{call}` spreads array work over {lib}",
    .why =
        "every cuPyNumeric operation uses all processors of the run already; workers ship arrays through the host, and "
        "a forked or spawned process cannot share the devices (26.07)",
    .details = R"md(
A pool of workers gives each processor a piece of the work. Under cuPyNumeric the runtime does that: one operation on a
large array is cut over all processors of the run. Sending an array to another process pickles it, which gathers it on the
host. A forked child inherits a device context and runtime threads that it cannot use; a spawned one starts a second runtime
that competes for the same devices. Threads gain nothing, since submitting work does not wait.

**Fires when**

1. the module calls a library of worker processes or threads: `multiprocessing`, `concurrent.futures`, `threading`, `joblib`, `dask`, `ray`, `pathos`, `ipyparallel`
2. the function that the workers run works on device arrays, or device arrays are handed to them; where no such function can be told and the module has device arrays, it is *possible* only

**Stays quiet**

- (a) workers that download, read or decompress files
- (b) `cpu_count()`, `set_start_method`, a `Lock` around a file
- (c) a thread for a window or a heartbeat
- (d) `joblib.dump` and `load` (R117), `dask.compute`, which hands back arrays as they are, dask with `scheduler="synchronous"`, its `meta=`, and numbers such as `np.prod(u.shape)`
- (e) threads that save images
- (f) separate programs started with `subprocess`

mpi4py is R108.
)md",
    .bad = R"py(from multiprocessing import Pool

import numpy as np


def run_case(speed):
    u = np.linspace(0.0, 1.0, 1_000_000)
    return np.sum(np.sin(speed * u))


def run_all(speeds):
    with Pool(8) as pool:
        return pool.map(run_case, speeds)
)py",
    .good = R"py(import numpy as np


def run_all(speeds):
    u = np.linspace(0.0, 1.0, 1_000_000)
    return np.sum(np.sin(speeds[:, None] * u), axis=1)
)py",
    .recipe = "RR-serial",
    .on_module = &OnModule,
};

}  // namespace cpnlint::rules::r118
