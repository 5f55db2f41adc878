// Sources and the lives of arrays for the HTML page.

#include "cli/page.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace cpnlint::cli {
namespace {

using report::ArrayEvent;
using report::PageArray;

constexpr std::size_t kMostArrays = 60;   // of one file: those with the most to tell
constexpr std::size_t kMostSources = 32;  // arrays that one variable of a loop may hold
constexpr std::size_t kLongestName = 40;

// The arrays that a root of the work stands for: itself, or those behind the variable of a loop.
std::vector<ir::ValueId> ArraysOf(const analysis::Facts& facts, ir::ValueId root) {
  const ir::Program& program = facts.program();
  std::vector<ir::ValueId> seen = {root}, arrays;
  for (std::size_t i = 0; i < seen.size() && seen.size() < kMostSources; ++i) {
    const ir::ValueId id = seen[i];
    if (id.index() >= program.ops.size()) continue;  // storage that no op of the program makes
    if (program.ops[id].kind != ir::OpKind::kPhi) {
      arrays.push_back(id);
      continue;
    }
    for (const ir::ValueId operand : program.Operands(id)) {
      if (!operand.valid()) continue;
      const ir::ValueId storage = facts.DeviceRootOf(operand);
      const ir::ValueId from = storage.valid() ? storage : operand;
      if (std::find(seen.begin(), seen.end(), from) == seen.end()) seen.push_back(from);
    }
  }
  return arrays;
}

// The variable that the array is bound to first; empty where it has none.
std::string VariableOf(const analysis::Facts& facts, ir::ValueId array) {
  const ir::Program& program = facts.program();
  const ir::Op& op = program.ops[array];
  if (op.kind == ir::OpKind::kParam) return std::string(program.Name(op));
  for (const ir::Binding& binding : program.functions[program.FunctionOf(array)].bindings) {
    if (binding.name.valid() && facts.Source(binding.value) == array) {
      return std::string(program.names.Text(binding.name));
    }
  }
  return {};
}

// The words that make it.
std::string WordsOf(const analysis::Facts& facts, ir::ValueId array, const Sources& sources) {
  std::string words(sources.Words(facts.program().ops[array].span));
  std::replace_if(
      words.begin(), words.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  if (words.size() <= kLongestName) return words;
  std::size_t end = kLongestName;
  while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xc0) == 0x80) --end;  // not within a character
  return words.substr(0, end) + "…";
}

}  // namespace

ArrayLives::ArrayLives(const analysis::Facts& facts, const CostSettings& settings, const Sources& sources) {
  const ir::Program& program = facts.program();
  const analysis::Work work = analysis::WorkOf(facts);
  const cost::Sizes sizes(facts, work);
  std::map<ir::ValueId, std::size_t> index;
  const auto life_of = [&](ir::ValueId array) -> PageArray& {
    const auto [found, is_new] = index.emplace(array, lives_.size());
    if (is_new) {
      const ir::FunctionId function = program.FunctionOf(array);
      PageArray made;
      made.name = VariableOf(facts, array);
      const bool named = !made.name.empty();
      if (!named) made.name = WordsOf(facts, array, sources);
      made.function = facts.QualifiedName(function);
      made.line = sources.PlaceOf(program.ops[array].span).start.line;
      lives_.push_back({program.functions[function].module, facts.IsZeroD(array), named, std::move(made)});
    }
    return lives_[found->second].array;
  };
  for (const analysis::WorkTask& task : work.tasks) {
    if (!task.op.valid()) continue;
    const ir::ModuleId module = program.functions[program.FunctionOf(task.op)].module;
    const std::uint32_t line = sources.PlaceOf(program.ops[task.op].span).start.line;
    for (const analysis::WorkOperand& operand : task.operands) {
      if (!operand.root.valid()) continue;
      for (const ir::ValueId array : ArraysOf(facts, operand.root)) {
        if (!facts.IsArray(array) || facts.ConfidenceOfValue(array) == analysis::Confidence::kPossible) continue;
        PageArray& life = life_of(array);
        if (program.functions[program.FunctionOf(array)].module != module) continue;
        if (array == task.op) continue;  // it is made there
        const bool to_host = task.kind == analysis::WorkKind::kToHost;
        life.events.push_back({line, to_host           ? ArrayEvent::kToHost
                                     : operand.written ? ArrayEvent::kWritten
                                                       : ArrayEvent::kRead});
      }
    }
  }
  const cost::Layout one;
  for (std::uint32_t root = 0; root < work.roots.size(); ++root) {
    const cost::Liveness living = cost::LivenessOf(sizes, work, root);
    const cost::Footprint footprint = cost::FootprintOf(living, work, sizes, settings.profile, one);
    for (const cost::Lifetime& array : footprint.arrays) {
      const auto found = index.find(array.array);
      if (found == index.end()) continue;
      PageArray& life = lives_[found->second].array;
      if (array.bytes <= life.bytes) continue;
      life.bytes = array.bytes;
      life.known = array.known;
    }
  }
  for (Life& life : lives_) {
    std::sort(life.array.events.begin(), life.array.events.end());
    life.array.events.erase(std::unique(life.array.events.begin(), life.array.events.end()), life.array.events.end());
  }
}

std::vector<PageArray> ArrayLives::In(ir::ModuleId module) const {
  std::vector<PageArray> arrays;
  for (const Life& life : lives_) {
    const auto& events = life.array.events;
    const bool crosses = std::any_of(events.begin(), events.end(),
                                     [](const PageArray::Event& event) { return event.kind == ArrayEvent::kToHost; });
    const bool stays = std::all_of(events.begin(), events.end(),
                                   [&](const PageArray::Event& event) { return event.line == life.array.line; });
    // A single number, or what lives within one line, is worth telling where the host asks for it.
    const bool told = crosses || (!life.one_number && (life.named || !stays));
    if (life.module == module && !events.empty() && told) arrays.push_back(life.array);
  }
  if (arrays.size() > kMostArrays) {
    std::stable_sort(arrays.begin(), arrays.end(), [](const PageArray& a, const PageArray& b) {
      return std::pair(a.events.size(), a.bytes) > std::pair(b.events.size(), b.bytes);
    });
    arrays.resize(kMostArrays);
  }
  std::stable_sort(arrays.begin(), arrays.end(), [](const PageArray& a, const PageArray& b) {
    return std::tie(a.line, a.name) < std::tie(b.line, b.name);
  });
  return arrays;
}

std::shared_ptr<report::PageFile> PageFileOf(const ir::Program& program, ir::ModuleId module,
                                             const source::SourceFile& source, const Sources& sources,
                                             const ArrayLives& lives) {
  auto file = std::make_shared<report::PageFile>();
  for (std::uint32_t line = 1; line <= source.lines.line_count(); ++line) {
    report::SourceLine shown{std::string(source.LineText(line))};
    if (source.notebook != nullptr) {
      const source::NotebookLine& at = source.notebook->lines[line - 1];
      shown.cell = at.cell;
      shown.cell_line = at.line;
    }
    file->lines.push_back(std::move(shown));
  }
  const ir::Module& described = program.modules[module];
  for (std::uint32_t i = described.first_function.index(); i < described.end_function.index(); ++i) {
    const ir::Function& function = program.functions[ir::FunctionId(i)];
    if (function.kind != ir::Function::Kind::kDef || function.span.empty()) continue;
    const report::Place place = sources.PlaceOf(function.span);
    file->functions.push_back({place.start.line, place.end.line});
  }
  file->arrays = lives.In(module);
  return file;
}

}  // namespace cpnlint::cli
