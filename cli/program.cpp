#include "cli/program.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "analyzer/lower/lower.h"
#include "analyzer/source/prefilter.h"
#include "cli/cache/index.h"

namespace cpnlint::cli {
namespace {

// Modules that are read besides those asked for, in one run. A project has some hundred; more is a loop through a tree
// of installed packages.
constexpr std::size_t kMostContext = 1000;

// Packages looked through for what a script reaches.
constexpr std::size_t kMostPackages = 64;

// Files that mention none of these have no array library in reach by themselves.
constexpr std::uint32_t kWanted = source::kMentionsArrayLibrary | source::kMentionsAlias;

// What an import statement calls the file: its stem, or the folder of an __init__.py.
std::string_view NameInImports(std::string_view path) {
  if (source::IsPackageFile(path)) {
    const std::size_t slash = path.rfind('/');
    path = path.substr(0, slash == std::string_view::npos ? 0 : slash);
  } else if (path.ends_with(".py")) {
    path.remove_suffix(3);
  }
  return path.substr(path.rfind('/') + 1);
}

std::string_view LastPart(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

// `mentions`: files without one of these are passed over.
void Load(Input& input, std::uint32_t mentions, bool fingerprint) {
  const auto start = std::chrono::steady_clock::now();
  auto loaded = source::Load(input.path, {.mentions = mentions, .fingerprint = fingerprint});
  if (loaded) {
    input.loaded = std::move(*loaded);
    input.changed = input.hash && *input.hash != input.loaded.hash;
    if (fingerprint) input.hash = input.loaded.hash;
  } else {
    input.trouble = loaded.error().message;
  }
  input.read_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Look(Input& input) {
  if (input.loaded.file == nullptr) {
    input.imports = std::move(input.loaded.imports);
    return;
  }
  const std::string& text = input.loaded.file->text;
  input.mentions = source::MentionsAny(text, kWanted);
  input.imports = source::FindImports(text);
}

// What Load and Look found out in an earlier run.
void Recall(Input& input, std::uint32_t mentions, const KnownFile& known) {
  input.indexed = true;
  input.hash = known.hash;
  input.mentions = known.mentions;
  input.imports = known.imports;
  input.text_size = known.text_size;
  input.loaded.refused = known.refused;
  if (known.refused) return;
  input.dropped = mentions == 0 || known.mentions;
  input.loaded.passed_over = !input.dropped;
}

void Remember(const Input& input, FileIndex& index) {
  const source::LoadOutcome& loaded = input.loaded;
  const bool foreign = loaded.file != nullptr && !loaded.file->notes.empty() &&
                       loaded.file->notes.front().kind == source::LoadNote::Kind::kSkipped;
  // Of a notebook of another language only its text is told, and it has none.
  if (!input.trouble.empty() || foreign) return;
  KnownFile known;
  known.stamp = loaded.stamp;
  known.hash = loaded.hash;
  known.mentions = input.mentions;
  known.text_size = loaded.file != nullptr ? loaded.file->text.size() : loaded.stamp.size;
  known.imports = input.imports;
  known.refused = loaded.refused;
  index.Remember(input.path, std::move(known));
}

// Reads a file, or recalls what is known of it.
void LoadAndLook(Input& input, std::uint32_t mentions, WaitingTexts& waiting, FileIndex* index) {
  if (index != nullptr) {
    if (const KnownFile* known = index->Find(input.path)) return Recall(input, mentions, *known);
  }
  Load(input, mentions, index != nullptr);
  Look(input);
  if (index != nullptr) Remember(input, *index);
  waiting.Add(input);
}

class Planner {
 public:
  Planner(std::vector<std::unique_ptr<Input>> inputs, const Linker& linker, WaitingTexts& waiting, FileIndex* index)
      : linker_(linker), waiting_(waiting), index_(index) {
    plan_.inputs = std::move(inputs);
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) by_path_.emplace(plan_.inputs[i]->path, i);
  }

  Plan Make() {
    ReachImporters();
    ReachNamed();
    FollowImports();
    Group();
    for (const std::unique_ptr<Input>& input : plan_.inputs)
      input->imports = std::vector<std::string>();  // `{}` would keep its memory
    return std::move(plan_);
  }

 private:
  [[nodiscard]] Input& At(std::size_t i) { return *plan_.inputs[i]; }

  void Reach(std::size_t i) {
    Input& input = At(i);
    if (!input.skipped || !input.trouble.empty()) return;
    input.skipped = false;
    if (!input.has_text() && !input.loaded.refused) {
      if (input.indexed) {
        input.dropped = true;
      } else {
        Load(input, 0, index_ != nullptr);
        waiting_.Add(input);
      }
    }
    reached_.push_back(i);
  }

  // A script that was named itself is reached by what it imports, also where that was not asked for.
  void ReachNamed() {
    const std::size_t given = plan_.inputs.size();
    for (std::size_t i = 0; i < given; ++i) {
      if (!At(i).named || !At(i).skipped) continue;
      bool arrays = false;
      std::vector<std::size_t> work = {i};
      for (std::size_t at = 0; at < work.size() && at < kMostPackages; ++at) {
        const std::vector<std::string>& imports = At(work[at]).imports;
        for (const std::string& spelled : imports) {
          const std::optional<std::size_t> target = KnownOrAdded(work[at], spelled);
          if (!target) continue;
          arrays = arrays || At(*target).mentions;
          // A package hands on what it imports.
          if (source::IsPackageFile(At(*target).path) && std::find(work.begin(), work.end(), *target) == work.end()) {
            work.push_back(*target);
          }
        }
      }
      if (arrays) Reach(i);
    }
  }

  // A file that imports a reached one is reached, however far from the library.
  void ReachImporters() {
    std::unordered_set<std::string_view> names;
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
      Input& input = At(i);
      input.skipped = !input.mentions;
      if (!input.mentions || !input.has_text()) continue;
      reached_.push_back(i);
      names.insert(NameInImports(input.path));
    }
    const std::size_t given = plan_.inputs.size();
    for (bool grown = !names.empty(); grown;) {
      grown = false;
      for (std::size_t i = 0; i < given; ++i) {
        if (!At(i).skipped || !ImportsReached(i, names)) continue;
        Reach(i);
        names.insert(NameInImports(At(i).path));
        grown = true;
      }
    }
  }

  bool ImportsReached(std::size_t i, const std::unordered_set<std::string_view>& names) {
    for (const std::string& spelled : At(i).imports) {
      const std::string_view last = LastPart(spelled);
      if (!last.empty() && !names.contains(last)) continue;  // asking costs more than this
      const std::optional<std::size_t> target = Known(i, spelled);
      if (target && !At(*target).skipped) return true;
    }
    return false;
  }

  std::optional<std::size_t> Known(std::size_t importer, std::string_view spelled) {
    const std::optional<std::string> path = linker_.Find(At(importer).path, spelled);
    if (!path) return std::nullopt;
    const auto found = by_path_.find(*path);
    return found == by_path_.end() ? std::nullopt : std::optional(found->second);
  }

  // Where the file is not among the inputs, it becomes one.
  std::optional<std::size_t> KnownOrAdded(std::size_t importer, std::string_view spelled) {
    const std::optional<std::string> path = linker_.Find(At(importer).path, spelled);
    if (!path) return std::nullopt;
    const auto [found, is_new] = by_path_.try_emplace(*path, plan_.inputs.size());
    if (!is_new || AddContext(*path)) return found->second;
    by_path_.erase(found);
    return std::nullopt;
  }

  // What reached files import may be called with arrays, or hand them on.
  void FollowImports() {
    for (std::size_t at = 0; at < reached_.size(); ++at) {
      const std::size_t importer = reached_[at];
      const bool hands_on = At(importer).mentions || source::IsPackageFile(At(importer).path);
      const std::vector<std::string>& imports = At(importer).imports;
      for (const std::string& spelled : imports) {
        const std::optional<std::size_t> target = hands_on ? KnownOrAdded(importer, spelled) : Known(importer, spelled);
        if (!target) continue;
        if (hands_on) Reach(*target);
        if (!At(*target).skipped) links_.emplace_back(importer, *target);
      }
    }
  }

  bool AddContext(const std::string& path) {
    if (context_ == kMostContext) return false;
    ++context_;
    auto input = std::make_unique<Input>();
    input->path = path;
    input->context = true;
    LoadAndLook(*input, 0, waiting_, index_);
    // What cannot be read here is nobody's trouble: it was not asked for.
    input->trouble.clear();
    plan_.inputs.push_back(std::move(input));
    reached_.push_back(plan_.inputs.size() - 1);
    return true;
  }

  void Group() {
    std::vector<std::size_t> leader(plan_.inputs.size());
    std::iota(leader.begin(), leader.end(), std::size_t{0});
    const auto find = [&](std::size_t i) {
      while (leader[i] != i) i = leader[i] = leader[leader[i]];
      return i;
    };
    for (const auto& [a, b] : links_) leader[find(a)] = find(b);
    std::map<std::string_view, std::size_t> order;
    for (const std::size_t i : reached_) {
      if (At(i).has_text()) order.emplace(At(i).path, i);
    }
    std::unordered_map<std::size_t, std::size_t> group_of;
    for (const auto& [path, i] : order) {
      const auto [group, is_new] = group_of.emplace(find(i), plan_.programs.size());
      if (is_new) plan_.programs.emplace_back();
      plan_.programs[group->second].push_back(&At(i));
    }
    std::erase_if(plan_.programs, [](const std::vector<Input*>& program) {
      return std::all_of(program.begin(), program.end(), [](const Input* input) { return input->context; });
    });
  }

  const Linker& linker_;
  WaitingTexts& waiting_;
  FileIndex* index_;
  Plan plan_;
  std::unordered_map<std::string, std::size_t> by_path_;
  std::vector<std::size_t> reached_;
  std::vector<std::pair<std::size_t, std::size_t>> links_;
  std::size_t context_ = 0;
};

}  // namespace

std::optional<std::string> Linker::Find(std::string_view importer, std::string_view spelled) const {
  const std::lock_guard lock(mutex_);
  return finder_.Find(importer, spelled);
}

void Linker::Link(ir::Program& program, const std::vector<LoweredModule>& modules, const std::vector<Input*>& inputs,
                  std::vector<Lookup>* lookups) const {
  if (modules.size() < 2) return;
  std::unordered_map<std::string_view, ir::ModuleId> by_path;
  for (const LoweredModule& lowered : modules) by_path.emplace(inputs[lowered.position]->path, lowered.module);
  std::vector<ir::ModuleId> package_of(program.modules.size());
  std::vector<std::size_t> position_of(program.modules.size());
  const auto module_at = [&](const std::optional<std::string>& path) {
    const auto found = path ? by_path.find(*path) : by_path.end();
    return found == by_path.end() ? ir::ModuleId::None() : found->second;
  };
  const std::lock_guard lock(mutex_);
  for (const LoweredModule& lowered : modules) {
    package_of[lowered.module.index()] = module_at(finder_.PackageOf(inputs[lowered.position]->path));
    position_of[lowered.module.index()] = lowered.position;
  }
  std::map<std::pair<std::size_t, std::string>, std::string> asked;
  lower::Link(
      program,
      [&](ir::ModuleId importer, std::string_view spelled) {
        const std::optional<std::string> found = finder_.Find(program.modules[importer].path, spelled);
        if (lookups != nullptr) {
          asked.try_emplace({position_of[importer.index()], std::string(spelled)}, found.value_or(""));
        }
        return module_at(found);
      },
      package_of);
  for (auto& [question, found] : asked) lookups->push_back({question.first, question.second, std::move(found)});
}

void WaitingTexts::Add(Input& input) {
  if (input.loaded.file == nullptr) return;
  input.text_size = input.loaded.file->text.size();
  if ((bytes_ += input.text_size) <= most_) return;
  Drop(input);
}

void Drop(Input& input) {
  input.loaded.file.reset();
  input.dropped = true;
}

bool ReadAgain(Input& input) {
  if (!input.dropped) return true;
  Load(input, 0, input.hash.has_value());
  input.dropped = false;
  return input.loaded.file != nullptr;
}

std::unique_ptr<Input> ReadInput(const source::DiscoveredFile& file, WaitingTexts& waiting, FileIndex* index) {
  auto input = std::make_unique<Input>();
  input->path = file.path;
  input->named = file.named;
  LoadAndLook(*input, kWanted, waiting, index);
  return input;
}

std::unique_ptr<Input> MakeInput(const std::string& path, source::LoadOutcome loaded) {
  auto input = std::make_unique<Input>();
  input->path = path;
  input->named = true;
  input->given = true;
  input->loaded = std::move(loaded);
  if (input->loaded.file != nullptr) input->text_size = input->loaded.file->text.size();
  Look(*input);
  return input;
}

Plan MakePlan(std::vector<std::unique_ptr<Input>> inputs, const Linker& linker, WaitingTexts& waiting,
              FileIndex* index) {
  return Planner(std::move(inputs), linker, waiting, index).Make();
}

}  // namespace cpnlint::cli
