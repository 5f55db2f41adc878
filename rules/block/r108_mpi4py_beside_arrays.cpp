#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rules/engine/rule.h"

namespace cpnlint::rules::r108 {
namespace {

using analysis::Callee;
using analysis::Kind;
using ir::OpKind;
using ir::ValueId;

constexpr std::string_view kPackage = "mpi4py";

bool IsOfPackage(std::string_view name) {
  return name == kPackage ||
         (name.starts_with(kPackage) && name.size() > kPackage.size() && name[kPackage.size()] == '.');
}

std::string_view LastPart(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

// Methods of communicators, windows and files that move or wait for data.
bool MovesData(std::string_view method) {
  constexpr std::array kStems = {
      std::string_view("send"),     std::string_view("recv"),       std::string_view("bcast"),
      std::string_view("scatter"),  std::string_view("gather"),     std::string_view("reduce"),
      std::string_view("alltoall"), std::string_view("barrier"),    std::string_view("scan"),
      std::string_view("put"),      std::string_view("get_buffer"), std::string_view("sendrecv")};
  std::string lower;
  for (const char c : method) lower.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  for (const std::string_view stem : kStems) {
    if (lower.find(stem) != std::string::npos) return true;
  }
  return lower.starts_with("read_at") || lower.starts_with("write_at") || lower == "allocate";
}

bool AsksForRank(std::string_view name) {
  const std::string_view last = LastPart(name);
  return last == "Get_rank" || last == "Get_size" || last == "rank" || last == "size";
}

// The place where a number made of `source` becomes an extent or a slice bound of an array; None() where it does not.
ValueId WhereItCutsArrays(const Facts& facts, ValueId source) {
  const ir::Program& program = facts.program();
  std::set<ValueId> seen = {source};
  std::vector<ValueId> pending = {source};
  while (!pending.empty() && seen.size() < 300) {
    const ValueId value = pending.back();
    pending.pop_back();
    for (const ValueId use : facts.DeepUsesOf(value)) {
      switch (program.ops[use].kind) {
        case OpKind::kSubscript:
        case OpKind::kStoreSubscript:
          if (facts.IsDevice(program.Operand(use, 0))) return use;
          break;
        case OpKind::kCall: {
          const Callee& callee = facts.CalleeOf(use);
          if (callee.kind == Callee::Kind::kApi && facts.IsDevice(use)) return use;
          if (callee.kind == Callee::Kind::kBuiltin && seen.insert(use).second) pending.push_back(use);
          break;
        }
        case OpKind::kBinary:
        case OpKind::kUnary:
        case OpKind::kSlice:
        case OpKind::kTuple:
          if (seen.insert(use).second) pending.push_back(use);
          break;
        default: break;
      }
    }
  }
  return ValueId::None();
}

struct Site {
  ValueId op;
  ValueId asked;  // where the rank was asked for, for an array cut by it
  analysis::EvidenceSet evidence = 0;
};

// `self.comm.Sendrecv(...)` of an object that nobody knows: no other library has methods of these names.
bool IsOnlyOfCommunicators(const Facts& facts, ValueId call) {
  constexpr auto kMethods = std::to_array<std::string_view>(
      {"Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Bcast", "Gatherv", "Iallreduce", "Ibcast",
       "Irecv", "Isend", "Recv", "Scatterv", "Sendrecv", "allgather", "allreduce", "alltoall", "sendrecv"});
  const ir::Program& program = facts.program();
  const ValueId method = program.Operand(call, 0);
  if (!method.valid() || program.ops[method].kind != OpKind::kAttr) return false;
  const ValueId receiver = program.Operand(method, 0);
  if (facts.Of(receiver).kind != Kind::kUnknown && facts.Of(receiver).kind != Kind::kNone) return false;
  return std::ranges::binary_search(kMethods, program.Name(program.ops[method]));
}

// A data movement or a cut by rank at this op.
std::optional<Site> SiteAt(const Facts& facts, ValueId op) {
  const ir::Program& program = facts.program();
  std::string_view name;
  analysis::EvidenceSet evidence = 0;
  if (program.ops[op].kind == OpKind::kCall) {
    const Callee& callee = facts.CalleeOf(op);
    if (callee.kind == Callee::Kind::kUnknown && IsOnlyOfCommunicators(facts, op))
      return Site{op, {}, analysis::kUnresolvedCall};
    if (callee.kind != Callee::Kind::kForeign || !IsOfPackage(callee.name)) return std::nullopt;
    if (MovesData(LastPart(callee.name))) return Site{op, {}, callee.evidence};
    name = callee.name;
    evidence = callee.evidence;
  } else {
    const analysis::Value& value = facts.Of(op);
    if (value.kind != Kind::kForeign && value.kind != Kind::kApi) return std::nullopt;
    name = program.names.Text(value.name);
    evidence = value.evidence;
  }
  if (!IsOfPackage(name) || !AsksForRank(name)) return std::nullopt;
  const ValueId cut = WhereItCutsArrays(facts, op);
  if (!cut.valid()) return std::nullopt;
  return Site{cut, op, evidence};
}

bool IsUsed(const Facts& facts, ValueId import) {
  for (const ValueId use : facts.UsesOf(import)) {
    const ir::Op& op = facts.program().ops[use];
    if (op.kind != OpKind::kStoreCell) return true;
    if (!facts.program().cells[ir::CellId(op.payload)].loads.empty()) return true;
  }
  return false;
}

// Fires when
//   1. a module that has device arrays imports mpi4py, not only for type checking,
//   2. code that an entry point reaches calls a method of an mpi4py object that moves data or waits, or makes the rank
//   or
//      the number of ranks an extent or a slice bound of an array; where it only uses the import, the finding is
//      likely.
void OnModule(const Facts& facts, ir::ModuleId id, Trial& trial) {
  if (!facts.Imports(kPackage)) return;
  const ir::Program& program = facts.program();
  const ir::Module& module = program.modules[id];
  ValueId import;
  std::vector<Site> sites;
  for (std::size_t index = module.first_function.index(); index < module.end_function.index(); ++index) {
    const ir::FunctionId function(index);
    if (!facts.IsReachable(function)) continue;
    for (const ir::BlockId block : program.functions[function].blocks) {
      for (const ValueId op : program.blocks[block].ops) {
        const ir::Op& data = program.ops[op];
        if (data.kind == OpKind::kImport && !import.valid()) {
          const bool ours = IsOfPackage(program.names.Text(program.imports[data.payload].module));
          if (ours && program.imports[data.payload].level == 0 && !facts.IsDead(op) && IsUsed(facts, op)) import = op;
        }
        if (data.kind != OpKind::kCall && data.kind != OpKind::kAttr) continue;
        if (const auto site = SiteAt(facts, op)) sites.push_back(*site);
      }
    }
  }
  const bool nothing = !import.valid() && sites.empty();
  if (!trial.Holds(2, !nothing) || nothing) return;
  if (!trial.Holds(1, facts.HasDeviceArrays(id))) return;

  if (sites.empty()) {
    Trial::Report report = trial.ReportOp(import);
    report.Key("mpi4py").Message("mpi4py is used beside arrays").Confidence(Confidence::kLikely);
    return;
  }
  // The first one on firm ground.
  const Site first =
      *std::ranges::max_element(sites, {}, [](const Site& site) { return analysis::ConfidenceOf(site.evidence); });
  Trial::Report report = trial.ReportOp(first.op);
  report.Key("mpi4py").Evidence(first.evidence);
  if (first.asked.valid()) {
    report.Message("`{expr}` cuts an array by MPI rank");
    report.Label(program.ops[first.asked].span, "rank or number of ranks asked for here");
  }
  if (import.valid()) report.Label(program.ops[import].span, "mpi4py imported here");
  for (const Site& site : sites) trial.pending().back().finding.also.push_back(program.ops[site.op].span);
}

}  // namespace

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 108,
    .slug = "mpi4py-beside-arrays",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .cold = Severity::kError,
    .summary = "mpi4py moves or splits the data of arrays",
    .message = "`{expr}` moves array data with mpi4py",
    .why =
        "Legate owns the processes and their communication: an array is global already, and ranks see all of it "
        "(26.07)",
    .details = R"md(
A program that splits its arrays by MPI rank and exchanges the pieces does by hand what Legate does for it: a cuPyNumeric
array is one global array, cut over all processors by the runtime. Under Legate each rank would hold a global array of its own
slice. Nothing stops such a run; Doctor reports the import as not permitted. The way out is a rewrite, a welcome one: it
deletes code.

**Fires when**

1. a module that has device arrays imports mpi4py, not only for type checking
2. code that an entry point reaches calls a method of an mpi4py object that moves data or waits (`Send`, `recv`, `Bcast`, `allreduce`, `Barrier`, windows, files), or makes the rank or the number of ranks an extent or a slice bound of an array; where it only uses the import, the finding is *likely*

A module has one such finding; its other places are listed with it.

**Stays quiet**

- (a) the word in comments, strings, `setup.py`, requirements
- (b) a launcher module that nothing imports
- (c) tests
- (d) an import under `TYPE_CHECKING`, or one in `try/except ImportError` whose name is never used
- (e) a module of the program that is called `mpi`
)md",
    .bad = R"py(import numpy as np
from mpi4py import MPI


def total(n):
    comm = MPI.COMM_WORLD
    part = np.ones(n // comm.Get_size())
    return comm.allreduce(part.sum())
)py",
    .good = R"py(import numpy as np


def total(n):
    field = np.ones(n)
    return np.sum(field)
)py",
    .recipe = "RR-mpi",
    .doctor = "mpi4py imported",
    .on_module = &OnModule,
};

}  // namespace cpnlint::rules::r108
