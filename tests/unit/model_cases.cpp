// The model of NumPy against a table of calls whose results tests/tools/model_oracle.py checks with NumPy itself.

#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "analyzer/analysis/model.h"

namespace cpnlint::analysis {
namespace {

struct Case {
  const char* call;
  const char* result;
};

const Case kCases[] = {
#include "tests/unit/model_cases.inc"
};

// Reads "numpy.sum(f64[3,4], axis=1)": dtype[extents] is an array, the rest is Python.
class Reader {
 public:
  Reader(std::string_view text, ValueStore& store, Interner& names) : text_(text), store_(store), names_(names) {}

  std::string Name() {
    std::string name;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' || text_[at_] == '.')) {
      name += text_[at_++];
    }
    return name;
  }

  void Arguments(std::vector<Value>& positional, std::vector<KeywordArgument>& keywords) {
    Expect('(');
    while (!Accept(')')) {
      const std::size_t before = at_;
      const std::string name = Name();
      if (!name.empty() && Accept('=')) {
        keyword_names_.push_back(std::make_unique<std::string>(name));
        keywords.push_back({*keyword_names_.back(), Parse()});
      } else {
        at_ = before;
        positional.push_back(Parse());
      }
      Accept(',');
    }
  }

  Value Parse() {
    Skip();
    const char c = text_[at_];
    if (c == '(' || c == '[') return Sequence(c);
    if (c == '\'') return Text();
    if (c == '-' || std::isdigit(static_cast<unsigned char>(c))) return Number();
    if (text_.substr(at_, 3) == "...") {
      at_ += 3;
      return Of(Kind::kEllipsis);
    }
    const std::string name = Name();
    if (name == "None") return Of(Kind::kNone);
    if (name == "True" || name == "False") {
      Value value = Of(Kind::kBool);
      value.constant = true;
      value.number = name == "True" ? 1 : 0;
      return value;
    }
    if (name == "rng") return Of(Kind::kGeneratorRng);
    if (name == "slice") {
      Value value = Of(Kind::kSlice);
      value.elements = store_.Intern(store_.Get(Sequence('(').elements));
      return value;
    }
    if (name == "scalar") {
      Expect('(');
      Value value = Of(Kind::kNumpyScalar);
      value.dtype = ByShortName(Name());
      Expect(')');
      return value;
    }
    if (Accept('[')) return ArrayValue(ByShortName(name));
    Value value =
        Of(name == "float" || name == "int" || name == "bool" || name == "complex" ? Kind::kBuiltin : Kind::kApi);
    value.name = names_.Intern(value.kind == Kind::kApi ? "numpy." + name : name);
    return value;
  }

 private:
  void Skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Accept(char c) {
    Skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    Skip();
    return true;
  }
  void Expect(char c) {
    if (!Accept(c)) throw std::runtime_error("expected " + std::string(1, c) + " in " + std::string(text_));
  }

  Value Sequence(char open) {
    Expect(open);
    std::vector<Value> elements;
    const char close = open == '(' ? ')' : ']';
    while (!Accept(close)) {
      elements.push_back(Parse());
      Accept(',');
    }
    Value value = Tuple(store_, elements);
    if (open == '[') value.kind = Kind::kList;
    return value;
  }

  Value Text() {
    const std::size_t end = text_.find('\'', at_ + 1);
    Value value = Of(Kind::kStr);
    value.constant = true;
    value.name = names_.Intern(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }

  Value Number() {
    const std::string rest(text_.substr(at_));
    char* end = nullptr;
    const double number = std::strtod(rest.c_str(), &end);
    const std::string_view digits(rest.c_str(), static_cast<std::size_t>(end - rest.c_str()));
    at_ += digits.size();
    if (at_ < text_.size() && text_[at_] == 'j') {
      ++at_;
      return Imaginary(store_, number);
    }
    if (digits.find_first_of(".e") != std::string_view::npos) return Float(number);
    return Int(store_, static_cast<std::int64_t>(number));
  }

  Value ArrayValue(ir::DType dtype) {
    Shape shape;
    while (!Accept(']')) {
      shape.push_back(Parse().dim);
      Accept(',');
    }
    Value value = Array(Library::kDevice, dtype, store_.Intern(shape), 0);
    value.root = value.device_root = ir::ValueId(7);
    return value;
  }

  static ir::DType ByShortName(std::string_view name) {
    for (int i = 1; i <= static_cast<int>(ir::DType::kStructured); ++i) {
      const auto dtype = static_cast<ir::DType>(i);
      if (ir::ShortName(dtype) == name) return dtype;
    }
    throw std::runtime_error("no dtype " + std::string(name));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  ValueStore& store_;
  Interner& names_;
  std::vector<std::unique_ptr<std::string>> keyword_names_;
};

constexpr std::array<std::string_view, 13> kBinary = {"op.add",  "op.sub", "op.mul",    "op.truediv", "op.floordiv",
                                                      "op.mod",  "op.pow", "op.matmul", "op.lshift",  "op.rshift",
                                                      "op.and_", "op.or_", "op.xor"};
constexpr std::array<std::string_view, 6> kCompare = {"op.eq", "op.ne", "op.lt", "op.le", "op.gt", "op.ge"};
constexpr std::array<std::string_view, 3> kUnary = {"op.neg", "op.pos", "op.invert"};

std::string Evaluate(std::string_view text) {
  ValueStore store;
  Interner names;
  Reader reader(text, store, names);
  const std::string name = reader.Name();
  std::vector<Value> positional;
  std::vector<KeywordArgument> keywords;
  reader.Arguments(positional, keywords);
  CallContext context{store, names, ir::ValueId(99), Library::kDevice};
  const auto show = [&](const Value& value) { return ToString(store, names, value); };
  for (std::size_t i = 0; i < kBinary.size(); ++i) {
    if (name == kBinary[i])
      return show(ResultOfBinary(context, static_cast<ir::BinaryOp>(i), positional[0], positional[1]));
  }
  for (std::size_t i = 0; i < kCompare.size(); ++i) {
    if (name == kCompare[i])
      return show(ResultOfCompare(context, static_cast<ir::CompareOp>(i), positional[0], positional[1]));
  }
  for (std::size_t i = 0; i < kUnary.size(); ++i) {
    if (name == kUnary[i]) return show(ResultOfUnary(context, static_cast<ir::UnaryOp>(i), positional[0]));
  }
  const std::span<const Value> rest = std::span<const Value>(positional).subspan(positional.empty() ? 0 : 1);
  if (name == "index") return show(ResultOfSubscript(context, positional[0], rest).value);
  if (name == "attr") {
    const auto value = AttributeOfArray(context, positional[0], names.Text(positional[1].name));
    return value ? show(*value) : "no model";
  }
  if (name == "numpy.mgrid" || name == "numpy.ogrid" || name == "numpy.r_" || name == "numpy.c_") {
    const auto value = ResultOfApiSubscript(context, name, positional);
    return value ? show(*value) : "no model";
  }
  const auto value = ResultOfCall(context, name, {positional, keywords});
  return value ? show(*value) : "no model";
}

TEST_CASE("the model gives what NumPy gives", "[model]") {
  for (const Case& c : kCases) {
    INFO(c.call);
    CHECK(Evaluate(c.call) == c.result);
  }
}

}  // namespace
}  // namespace cpnlint::analysis
