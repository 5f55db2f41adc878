// Which files `np.load` opens: archives give no arrays but what holds them.

#include "rules/match/archive.h"

#include <algorithm>

#include "analyzer/analysis/loaded_files.h"
#include "rules/match/rewrite.h"

namespace cpnlint::rules::match {

using analysis::Facts;
using ir::OpKind;
using ir::ValueId;

namespace {

constexpr int kMostSteps = 8;  // of one path that is put together

// The part of a path behind which nothing else stands: the last argument of what joins paths, the only one of what
// hands them on. None() for other calls.
ValueId EndOfCall(const Facts& facts, ValueId call) {
  const ir::Program& program = facts.program();
  const std::size_t count = facts.PositionalCount(call);
  const ValueId callee = program.Operand(call, 0);
  if (!callee.valid() || count == 0 || facts.HasStarArguments(call)) return {};
  const ValueId last = program.Operand(call, static_cast<std::uint32_t>(count));
  const std::string_view api = facts.ApiName(callee);
  if (IsOneOf(api, {"os.path.join", "pathlib.Path", "pathlib.PurePath"})) return last;
  const bool one = count == 1;
  if (one &&
      IsOneOf(api, {"os.fspath", "os.path.abspath", "os.path.expanduser", "os.path.normpath", "os.path.realpath"}))
    return last;
  const ir::Op& op = program.ops[callee];
  if (one && op.kind == OpKind::kBuiltin && program.Name(op) == "str") return last;
  if (op.kind == OpKind::kAttr && program.Name(op) == "joinpath") return last;
  const bool renames = op.kind == OpKind::kAttr && IsOneOf(program.Name(op), {"with_name", "with_suffix"});
  return one && renames ? last : ValueId::None();
}

// `"{}/u.npz".format(folder)`
ValueId FormattedText(const Facts& facts, ValueId call) {
  const ir::Program& program = facts.program();
  const ValueId callee = program.Operand(call, 0);
  const bool format =
      callee.valid() && program.ops[callee].kind == OpKind::kAttr && program.Name(program.ops[callee]) == "format";
  return format ? program.Operand(callee, 0) : ValueId::None();
}

// The only value of a variable of the module.
ValueId OnlyValue(const ir::Program& program, ValueId load) {
  const ir::Cell& cell = program.cells[ir::CellId(program.ops[load].payload)];
  return cell.stores.size() == 1 ? program.Operand(cell.stores[0], 0) : ValueId::None();
}

// `os.path.join(folder, "u.npz")`, `folder / "u.npz"`, `"%s/u.npz" % folder`
bool EndsLikeArchive(const Facts& facts, ValueId path) {
  const ir::Program& program = facts.program();
  for (int step = 0; step < kMostSteps && path.valid(); ++step) {
    path = facts.Source(path);
    if (!path.valid()) return false;
    if (const auto text = facts.TextOf(path)) return text->ends_with(".npz");
    const ir::Op& op = program.ops[path];
    switch (op.kind) {
      case OpKind::kBinary: {
        const auto binary = static_cast<ir::BinaryOp>(op.detail);
        if (binary != ir::BinaryOp::kAdd && binary != ir::BinaryOp::kDiv && binary != ir::BinaryOp::kMod) return false;
        path = program.Operand(path, binary == ir::BinaryOp::kMod ? 0 : 1);
        break;
      }
      case OpKind::kCall: {
        const ValueId end = EndOfCall(facts, path);
        path = end.valid() ? end : FormattedText(facts, path);
        break;
      }
      case OpKind::kLoadCell: path = OnlyValue(program, path); break;
      default: return false;
    }
  }
  return false;
}

}  // namespace

// `for name in file: file[name]`
static bool LooksUpNames(const Facts& facts, ValueId iter, ValueId file) {
  const ir::Program& program = facts.program();
  if (program.ops[iter].kind != ir::OpKind::kIter) return false;
  return std::ranges::any_of(facts.UsesOf(iter), [&](ValueId item) {
    if (program.ops[item].kind != ir::OpKind::kLoopItem) return false;
    return std::ranges::any_of(facts.UsesOf(item), [&](ValueId use) {
      return program.ops[use].kind == ir::OpKind::kSubscript && facts.Source(program.Operand(use, 0)) == file;
    });
  });
}

bool OpensArchive(const Facts& facts, const DeviceCall& call) {
  constexpr std::size_t kMostFollowed = 32;  // names that the result goes by, in the functions that it is handed on to
  const ir::Program& program = facts.program();
  if (EndsLikeArchive(facts, call.array)) return true;
  std::vector<ValueId> work = {call.call};
  const auto add = [&](ValueId value) {
    if (std::ranges::find(work, value) == work.end()) work.push_back(value);
  };
  for (std::size_t i = 0; i < work.size() && i < kMostFollowed; ++i) {
    const ValueId value = work[i];
    for (const ValueId use : facts.DeepUsesOf(value)) {
      if (analysis::UsesArchive(program, use) || LooksUpNames(facts, use, value)) return true;
      if (program.ops[use].kind == ir::OpKind::kReturn) {
        for (const ValueId site : facts.CallSitesOf(program.FunctionOf(use))) add(site);
      }
      if (program.ops[use].kind != ir::OpKind::kCall || facts.CalleeOf(use).kind != analysis::Callee::Kind::kLocal)
        continue;
      const ir::Function& function = program.functions[facts.CalleeOf(use).function];
      for (std::uint32_t k = 0; k < facts.PositionalCount(use) && k < function.params.size(); ++k) {
        const bool handed = facts.Source(program.Operand(use, k + 1)) == value;
        if (handed && !function.owner.valid()) add(function.params[k].value);
      }
    }
  }
  return false;
}

namespace {

// The same call of host NumPy.
Text OnHost(const Facts& facts, const DeviceCall& call, std::string_view rest) {
  const ir::Program& program = facts.program();
  Text code = Replace(program.ops[call.call].span, {{program.OperandSpan(call.call, 0), Text("onp.load")}});
  return IsShownWhole(code) ? code : Text("onp.load(..., ").Add(rest).Add(")");
}

}  // namespace

Text InsteadOfMap(const Facts& facts, const DeviceCall& call) {
  return Text("map the file with host NumPy, `")
      .Add(OnHost(facts, call, "mmap_mode=..."))
      .Add("`, and convert the parts in use: `np.asarray(mapped[i:j])`");
}

Text InsteadOfPickle(const Facts& facts, const DeviceCall& call) {
  const ir::Program& program = facts.program();
  const Text host = OnHost(facts, call, "allow_pickle=True");
  const auto uses = facts.DeepUsesOf(call.call);
  const bool object = std::ranges::any_of(uses, [&](ValueId use) {
    return program.ops[use].kind == OpKind::kAttr && IsOneOf(program.Name(program.ops[use]), {"item", "tolist"});
  });
  if (object) {
    return Text("what is pickled are Python objects: load them with host NumPy as they are, `")
        .Add(host)
        .Add("`; `np.asarray` brings an array among them to the device");
  }
  return Text("objects stay on the host: `")
      .Add(host)
      .Add("`; where the file holds numbers alone, `np.asarray` around that brings them to the device");
}

}  // namespace cpnlint::rules::match
