#include "cli/assumed_effect.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "analyzer/analysis/facts.h"
#include "analyzer/analysis/work.h"
#include "cost-model/model.h"

namespace cpnlint::cli {
namespace {

// What the prices are made of, in numbers: two analyses have no extents in common.
std::vector<double> NumbersOf(ir::Program& program) {
  const analysis::Facts facts(program, program.names);
  const analysis::Work work = analysis::WorkOf(facts);
  const cost::Sizes sizes(facts, work);
  std::vector<double> numbers;
  for (const analysis::WorkTask& task : work.tasks) {
    numbers.insert(numbers.end(), {task.launches, task.launches_divided, task.passes});
    for (const ir::DimId dim : {task.elements, task.bytes_read, task.bytes_written, task.temporary, task.m, task.n,
                                task.k, task.batch, task.to_host, task.from_host}) {
      numbers.push_back(sizes.Of(dim));
    }
    for (const analysis::WorkOperand& operand : task.operands) numbers.push_back(sizes.Of(operand.elements));
  }
  for (const analysis::WorkLoop& loop : work.loops) numbers.push_back(sizes.TripsOf(loop));
  for (const analysis::WorkRoot& root : work.roots) {
    for (const analysis::WorkStep& step : root.steps) numbers.push_back(step.share);
  }
  for (const analysis::WorkLoop& loop : work.loops) {
    for (const analysis::WorkStep& step : loop.body) numbers.push_back(step.share);
  }
  return numbers;
}

// "n=2000" of "n=1e3"; nullopt where no number is assumed.
std::optional<std::string> Doubled(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return std::nullopt;
  std::string digits = text.substr(equals + 1);
  std::erase(digits, '_');
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return text.substr(0, equals + 1) + std::to_string(std::llround(2 * number));
}

// The program under another assumption, for as long as it lives. Of two bindings of a name the first holds.
class Assuming {
 public:
  Assuming(ir::Program& program, const std::string& text) : program_(program) {
    ir::Pragma pragma;
    pragma.kind = ir::Pragma::Kind::kAssume;
    pragma.text = text;
    for (std::size_t i = 0; i < program.modules.size(); ++i) {
      auto& pragmas = program.modules[ir::ModuleId(i)].pragmas;
      pragmas.insert(pragmas.begin(), pragma);
    }
  }
  ~Assuming() {
    for (std::size_t i = 0; i < program_.modules.size(); ++i) {
      auto& pragmas = program_.modules[ir::ModuleId(i)].pragmas;
      pragmas.erase(pragmas.begin());
    }
  }
  Assuming(const Assuming&) = delete;
  Assuming& operator=(const Assuming&) = delete;

 private:
  ir::Program& program_;
};

}  // namespace

std::vector<std::string> WithoutEffect(ir::Program& program, const std::vector<std::string>& assumed) {
  std::vector<std::string> without;
  std::optional<std::vector<double>> as_is;
  for (const std::string& text : assumed) {
    const std::optional<std::string> other = Doubled(text);
    if (!other) continue;
    if (!as_is) as_is = NumbersOf(program);
    const Assuming assuming(program, *other);
    if (NumbersOf(program) == *as_is) without.push_back(text);
  }
  return without;
}

}  // namespace cpnlint::cli
