#include "analyzer/ir/print.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace cpnlint::ir {
namespace {

constexpr std::size_t kLongestString = 40;
constexpr int kMostGuards = 6;

class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }

  [[nodiscard]] std::string Of(std::uint32_t offset) const {
    if (text_.empty()) return std::to_string(offset);
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
    return std::to_string(after - starts_.begin()) + ":" + std::to_string(offset - *(after - 1) + 1);
  }

 private:
  std::string_view text_;
  std::vector<std::uint32_t> starts_{0};
};

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  const bool cut = text.size() > kLongestString;
  for (const char c : text.substr(0, kLongestString)) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
      std::array<char, 8> buffer{};
      std::snprintf(buffer.data(), buffer.size(), "\\x%02x", static_cast<unsigned char>(c));
      out += buffer.data();
    } else {
      out += c;
    }
  }
  return out + (cut ? "\"..." : "\"");
}

std::string Number(double value) {
  std::array<char, 40> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.17g", value);
  std::array<char, 40> shorter{};
  std::snprintf(shorter.data(), shorter.size(), "%.15g", value);
  double back = 0;
  return std::sscanf(shorter.data(), "%lf", &back) == 1 && back == value ? shorter.data() : buffer.data();
}

std::string_view Spelling(TruthContext context) {
  constexpr std::array<std::string_view, 10> kNames = {"if", "while", "assert", "ternary",     "and",
                                                       "or", "not",   "filter", "match-guard", "compare-chain"};
  return kNames[static_cast<std::size_t>(context)];
}

std::string_view Spelling(CollectionKind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"list", "set", "dict", "generator"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view Spelling(Loop::Kind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"for", "while", "comprehension"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view Spelling(Cell::Kind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"global", "closure", "class"};
  return kNames[static_cast<std::size_t>(kind)];
}

// How to write down the parts of one function: values, blocks and loops by their place in it.
class FunctionPrinter {
 public:
  FunctionPrinter(const Program& program, FunctionId id, const Lines& lines)
      : program_(program), function_(program.functions[id]), lines_(lines) {
    values_.resize(function_.end_op.index() - function_.first_op.index(), 0);
    std::uint32_t next = 1;
    for (const BlockId block : function_.blocks) {
      for (const ValueId op : program.blocks[block].ops) {
        if (!IsControlFlow(program.ops[op].kind)) values_[op.index() - function_.first_op.index()] = next++;
      }
    }
    for (const BlockId block : function_.blocks) {
      for (LoopId loop = program.blocks[block].loop; loop.valid() && !Known(loop); loop = program.loops[loop].parent) {
        loops_.push_back(loop);
      }
    }
    std::sort(loops_.begin(), loops_.end());
  }

  std::string Run() {
    Head();
    for (const LoopId loop : loops_) LoopLine(loop);
    for (const BlockId block : function_.blocks) BlockLines(block);
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool Known(LoopId loop) const { return std::find(loops_.begin(), loops_.end(), loop) != loops_.end(); }

  [[nodiscard]] std::string Value(ValueId id) const {
    if (!id.valid()) return "_";
    if (id < function_.first_op || !(id < function_.end_op)) return "%elsewhere";
    return "%" + std::to_string(values_[id.index() - function_.first_op.index()] - 1);
  }
  [[nodiscard]] std::string Block_(BlockId id) const {
    return id.valid() ? "b" + std::to_string(id.index() - function_.blocks[0].index()) : "_";
  }
  [[nodiscard]] std::string Loop_(LoopId id) const {
    const auto at = std::lower_bound(loops_.begin(), loops_.end(), id);
    return at != loops_.end() && *at == id ? "l" + std::to_string(at - loops_.begin()) : "_";
  }
  [[nodiscard]] std::string FunctionName(FunctionId id) const {
    const Function& other = program_.functions[id];
    return "@" +
           (other.qualified.empty() ? std::string(program_.names.Text(other.name)) : std::string(other.qualified));
  }
  [[nodiscard]] std::string CellName(CellId id) const {
    const Cell& cell = program_.cells[id];
    const std::string name(program_.names.Text(cell.name));
    if (cell.kind == Cell::Kind::kGlobal) return "$" + name;
    return "$" + std::string(program_.functions[cell.owner].qualified) + "::" + name;
  }

  void Head() {
    out_ += "function " + FunctionName(function_.blocks.empty() ? FunctionId::None() : Self());
    if (function_.kind == Function::Kind::kClassBody) out_ += " class-body";
    if (function_.is_async) out_ += " async";
    if (function_.is_generator) out_ += " generator";
    if (function_.owner.valid() && function_.kind != Function::Kind::kClassBody) {
      out_ += " method-of @" + std::string(program_.classes[function_.owner].qualified);
    }
    out_ += " :" + lines_.Of(function_.span.begin) + "\n";
    constexpr std::array<std::string_view, 5> kStars = {"", "", "*", "", "**"};
    constexpr std::array<std::string_view, 5> kKinds = {" positional-only", "", "", " keyword-only", ""};
    for (const Param& param : function_.params) {
      out_ += "  param ";
      out_ += kStars[static_cast<std::size_t>(param.kind)];
      out_ += program_.names.Text(param.name);
      out_ += kKinds[static_cast<std::size_t>(param.kind)];
      if (param.annotation.valid()) out_ += " annotated";
      if (param.default_value.valid()) out_ += " default";
      out_ += "\n";
    }
    if (!function_.decorators.empty()) out_ += "  decorators " + std::to_string(function_.decorators.size()) + "\n";
    if (!function_.docstring.empty()) out_ += "  docstring " + Quoted(function_.docstring) + "\n";
  }

  [[nodiscard]] FunctionId Self() const { return program_.blocks[function_.blocks[0]].function; }

  void LoopLine(LoopId id) {
    const Loop& loop = program_.loops[id];
    out_ += "  loop " + Loop_(id) + " ";
    out_ += Spelling(loop.kind);
    out_ += " header=" + Block_(loop.header) + " body=" + Block_(loop.body);
    if (loop.parent.valid()) out_ += " in=" + Loop_(loop.parent);
    if (loop.iterable.valid()) out_ += " iterable=" + Value(loop.iterable);
    if (loop.item.valid()) out_ += " item=" + Value(loop.item);
    if (loop.truth.valid()) out_ += " truth=" + Value(loop.truth);
    if (loop.has_break) out_ += " has-break";
    if (loop.has_else) out_ += " has-else";
    out_ += " :" + lines_.Of(loop.span.begin) + "\n";
  }

  void Guards(GuardId id) {
    const char* separator = " if ";
    int count = 0;
    for (; id.valid(); id = program_.guards[id].parent) {
      out_ += separator;
      separator = " & ";
      if (count++ == kMostGuards) {
        out_ += "...";
        return;
      }
      const Guard& guard = program_.guards[id];
      switch (guard.kind) {
        case Guard::Kind::kTest: out_ += (guard.holds ? "" : "!") + Value(guard.truth); break;
        case Guard::Kind::kExcept: out_ += "except"; break;
        case Guard::Kind::kLoopElse: out_ += "loop-else"; break;
        case Guard::Kind::kCompound: out_ += "some(" + Value(guard.truth) + ")"; break;
      }
    }
  }

  void BlockLines(BlockId id) {
    const Block& block = program_.blocks[id];
    out_ += Block_(id) + ":";
    for (const BlockId pred : block.preds) out_ += " <" + Block_(pred);
    if (block.loop.valid()) out_ += " in " + Loop_(block.loop);
    Guards(block.guard);
    out_ += "\n";
    for (const ValueId op : block.ops) OpLine(op);
  }

  void CallOperands(const Op& op, std::span<const ValueId> operands) {
    const CallShape& shape = program_.Shape(op);
    out_ += " " + Value(operands[0]) + "(";
    for (std::size_t i = 1; i < operands.size(); ++i) {
      if (i > 1) out_ += ", ";
      if (i > shape.positional) {
        const Symbol name = shape.keywords[i - 1 - shape.positional];
        out_ += name.valid() ? std::string(program_.names.Text(name)) + "=" : "**";
      }
      out_ += Value(operands[i]);
    }
    out_ += ")";
  }

  void Detail(const Op& op) {
    switch (op.kind) {
      case OpKind::kUnary: out_ += Spelling(static_cast<UnaryOp>(op.detail)); break;
      case OpKind::kBinary: out_ += Spelling(static_cast<BinaryOp>(op.detail)); break;
      case OpKind::kInplaceBinary: out_ += std::string(Spelling(static_cast<BinaryOp>(op.detail))) + "="; break;
      case OpKind::kCompare: out_ += Spelling(static_cast<CompareOp>(op.detail)); break;
      case OpKind::kTruth: out_ += Spelling(static_cast<TruthContext>(op.detail)); break;
      case OpKind::kCollection: out_ += Spelling(static_cast<CollectionKind>(op.detail)); break;
      case OpKind::kYield: out_ += op.detail == 1 ? "from" : "value"; break;
      default: return;
    }
    out_ += " ";
  }

  void Import(const Op& op) {
    const ImportRecord& record = program_.imports[op.payload];
    out_ += " " + std::string(record.level, '.') + std::string(program_.names.Text(record.module));
    if (record.name.valid()) out_ += " name=" + std::string(program_.names.Text(record.name));
    if (record.root_only) out_ += " root";
  }

  void PayloadText(const Op& op) {
    switch (PayloadOf(op.kind)) {
      case Payload::kNothing:
      case Payload::kCall: break;
      case Payload::kSymbol:
        if (op.payload != Symbol::None().index()) out_ += " " + std::string(program_.Name(op));
        break;
      case Payload::kInt: out_ += " " + std::to_string(program_.ints[op.payload]); break;
      case Payload::kFloat: out_ += " " + Number(program_.floats[op.payload]); break;
      case Payload::kString: out_ += " " + Quoted(program_.String(op)); break;
      case Payload::kCell: out_ += " " + CellName(CellId(op.payload)); break;
      case Payload::kLoop: out_ += " " + Loop_(LoopId(op.payload)); break;
      case Payload::kFunction: out_ += " " + FunctionName(FunctionId(op.payload)); break;
      case Payload::kClass: out_ += " @" + std::string(program_.classes[ClassId(op.payload)].qualified); break;
      case Payload::kImport: Import(op); break;
      case Payload::kItem: {
        const ItemPosition item = ItemPosition::Unpack(op.payload);
        out_ += " " + std::to_string(item.index) + "/" + std::to_string(item.count);
        if (item.star != ItemPosition::kNoStar) out_ += " star=" + std::to_string(item.star);
        break;
      }
    }
  }

  void Flags(const Op& op) {
    constexpr std::array<std::string_view, 7> kNames = {"augmented",   "tuple",     "discarded",    "annotation",
                                                        "unevaluated", "synthetic", "parenthesized"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if ((op.flags >> i & 1) != 0 && op.kind != OpKind::kPhi) out_ += " [" + std::string(kNames[i]) + "]";
    }
  }

  void OpLine(ValueId id) {
    const Op& op = program_.ops[id];
    out_ += "  ";
    if (!IsControlFlow(op.kind)) out_ += Value(id) + " = ";
    out_ += Name(op.kind);
    if (op.detail != 0 || op.kind == OpKind::kUnary || op.kind == OpKind::kBinary ||
        op.kind == OpKind::kInplaceBinary || op.kind == OpKind::kCompare || op.kind == OpKind::kTruth ||
        op.kind == OpKind::kCollection) {
      if (op.kind != OpKind::kParam) {
        out_ += " ";
        Detail(op);
        out_.pop_back();
      }
    }
    PayloadText(op);
    const std::span<const ValueId> operands = program_.Operands(op);
    if (op.kind == OpKind::kCall) {
      CallOperands(op, operands);
    } else {
      for (const ValueId operand : operands) out_ += " " + Value(operand);
    }
    if (IsControlFlow(op.kind)) {
      for (const BlockId succ : program_.blocks[op.block].succs) out_ += " >" + Block_(succ);
    }
    Flags(op);
    if (op.kind != OpKind::kPhi && op.kind != OpKind::kJump) out_ += " :" + lines_.Of(op.span.begin);
    out_ += "\n";
  }

  const Program& program_;
  const Function& function_;
  const Lines& lines_;
  std::vector<std::uint32_t> values_;  // number + 1, by op
  std::vector<LoopId> loops_;
  std::string out_;
};

}  // namespace

std::string PrintFunction(const Program& program, FunctionId function, std::string_view text) {
  const Lines lines(text);
  return FunctionPrinter(program, function, lines).Run();
}

std::string Print(const Program& program, ModuleId id, std::string_view text) {
  const Lines lines(text);
  const Module& module = program.modules[id];
  std::string out = "module " + module.name + "\n";
  if (module.future_annotations) out += "future-annotations\n";
  for (const Symbol star : module.star_imports) out += "star-import " + std::string(program.names.Text(star)) + "\n";
  for (const Pragma& pragma : module.pragmas) {
    constexpr std::array<std::string_view, 4> kNames = {"assume", "host", "ignore", "ignore-file"};
    out += "pragma " + std::string(kNames[static_cast<std::size_t>(pragma.kind)]);
    for (const std::string& code : pragma.codes) out += " " + code;
    if (!pragma.text.empty()) out += " " + Quoted(pragma.text);
    out += " :" + lines.Of(pragma.span.begin) + "\n";
  }
  for (const Cell& cell : program.cells) {
    if (program.functions[cell.owner].module != id) continue;
    out += "cell " + std::string(Spelling(cell.kind)) + " ";
    if (cell.kind != Cell::Kind::kGlobal) out += std::string(program.functions[cell.owner].qualified) + "::";
    out += std::string(program.names.Text(cell.name)) + " stores=" + std::to_string(cell.stores.size()) +
           " loads=" + std::to_string(cell.loads.size()) + (cell.deleted ? " deleted" : "") + "\n";
  }
  for (FunctionId f = module.first_function; f < module.end_function; f = FunctionId(f.index() + 1)) {
    out += "\n" + FunctionPrinter(program, f, lines).Run();
  }
  return out;
}

}  // namespace cpnlint::ir
