#include "rules/match/text_use.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "rules/match/device_call.h"
#include "rules/match/story.h"

namespace cpnlint::rules::match {

using analysis::Callee;
using ir::OpKind;
using ir::ValueId;

namespace {

constexpr std::size_t kMostUses = 64;

// `log.info`: the name behind the last dot of what is called.
std::string_view MethodOf(const ir::Program& program, ValueId call) {
  const ValueId callee = program.Operand(call, 0);
  const bool attribute = callee.valid() && program.ops[callee].kind == OpKind::kAttr;
  return attribute ? program.Name(program.ops[callee]) : std::string_view();
}

bool IsMessage(const Facts& facts, ValueId call) {
  const ir::Program& program = facts.program();
  const Callee& callee = facts.CalleeOf(call);
  if (callee.kind == Callee::Kind::kBuiltin) return callee.name == "print";
  const std::string_view library = callee.name.substr(0, callee.name.find('.'));
  if (IsOneOf(library, {"logging", "loguru", "matplotlib", "rich", "tqdm", "wandb", "warnings"})) return true;
  if (IsOneOf(callee.name, {"sys.stdout.write", "sys.stderr.write", "click.echo"})) return true;
  const std::string_view method = MethodOf(program, call);
  if (method == "write") {
    const ValueId stream = program.Operand(program.Operand(call, 0), 0);
    if (!stream.valid() || program.ops[stream].kind != OpKind::kAttr) return false;
    return IsOneOf(program.Name(program.ops[stream]), {"stdout", "stderr"});
  }
  return IsOneOf(method, {"critical", "debug", "echo", "error", "exception", "info", "log", "set_description",
                          "set_postfix", "set_postfix_str", "set_title", "suptitle", "title", "warn", "warning"});
}

// `print(..., file=out)` writes a file.
bool WritesFile(const Facts& facts, ValueId call) {
  const ValueId file = facts.KeywordArgument(call, "file");
  if (!file.valid() || facts.IsNoneConstant(file)) return false;
  const ir::Op& op = facts.program().ops[facts.Source(file)];
  return op.kind != OpKind::kAttr || !IsOneOf(facts.program().Name(op), {"stdout", "stderr"});
}

// Text is made of the text, or a display for it: what becomes of that counts.
bool MakesText(const Facts& facts, ValueId use) {
  const OpKind kind = facts.program().ops[use].kind;
  if (kind == OpKind::kFormatString || kind == OpKind::kBinary || kind == OpKind::kInplaceBinary) return true;
  if (kind == OpKind::kPhi || kind == OpKind::kAnnotate || kind == OpKind::kTuple || kind == OpKind::kList) return true;
  if (kind != OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(use);
  return callee.name.starts_with("str.") ||
         (callee.kind == Callee::Kind::kBuiltin && IsOneOf(callee.name, {"str", "repr", "format"}));
}

bool Stores(const Facts& facts, ValueId use) {
  switch (facts.program().ops[use].kind) {
    case OpKind::kCollectItem:
    case OpKind::kDict:
    case OpKind::kReturn:
    case OpKind::kSet:
    case OpKind::kStoreAttr:
    case OpKind::kStoreSubscript:
    case OpKind::kSubscript:
    case OpKind::kYield: return true;
    case OpKind::kCall: {
      const Callee& callee = facts.CalleeOf(use);
      if (callee.kind == Callee::Kind::kContainerMethod) return true;
      const std::string_view method = MethodOf(facts.program(), use);
      return IsOneOf(method, {"add", "append", "extend", "insert", "write", "writelines", "writerow"});
    }
    default: return false;
  }
}

bool IsTextItself(const Facts& facts, ValueId op) {
  const OpKind kind = facts.program().ops[op].kind;
  return kind == OpKind::kFormatString || kind == OpKind::kBinary || kind == OpKind::kInplaceBinary ||
         (kind == OpKind::kCall && MakesText(facts, op));
}

}  // namespace

TextUse UseOfText(const Facts& facts, ValueId op) {
  const ir::Program& program = facts.program();
  if (!IsTextItself(facts, op)) return WritesFile(facts, op) ? TextUse::kProduct : TextUse::kMessage;
  std::vector<ValueId> texts = {op};
  std::unordered_set<ValueId> seen(texts.begin(), texts.end());
  bool unknown = false;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (const ValueId use : facts.UsesOf(texts[i])) {
      if (facts.IsDead(use) || program.ops[use].kind == OpKind::kRaise) continue;
      if (MakesText(facts, use)) {
        if (seen.size() == kMostUses) return TextUse::kUnknown;
        if (seen.insert(use).second) texts.push_back(use);
      } else if (program.ops[use].kind == OpKind::kCall && IsMessage(facts, use)) {
        if (WritesFile(facts, use)) return TextUse::kProduct;
      } else if (Stores(facts, use)) {
        return TextUse::kProduct;
      } else {
        unknown = true;
      }
    }
  }
  return unknown ? TextUse::kUnknown : TextUse::kMessage;
}

Text HelpForProduct(const Facts& facts, ValueId op, ValueId value, Span words) {
  const ir::Program& program = facts.program();
  const ir::LoopId loop = facts.HeatOf(op).loop;
  Span array;
  ValueId whole = facts.Source(value);
  while (whole.valid() && program.ops[whole].kind == OpKind::kSubscript) {
    array = program.OperandSpan(whole, 0);
    whole = facts.Source(program.Operand(whole, 0));
  }
  const bool here = loop.valid() && facts.InLoop(op, loop);
  const bool stays = here && whole.valid() && !array.empty() && facts.IsDevice(whole) && !facts.InLoop(whole, loop) &&
                     facts.Invariant(whole, loop) && !facts.MutatedIn(facts.RootOf(whole), loop);
  if (stays) {
    return Text("copy the array to the host once before the loop, `onp.asarray(")
        .Add(array, Binding::kConditional)
        .Add(")` of host NumPy, and make the text of that");
  }
  return Text("keep ")
      .Add(Quoted(words))
      .Add(" of all passes in an array on the device, and make the text of one copy of it after the loop");
}

}  // namespace cpnlint::rules::match
