#include "cli/budgets.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/coverage.h"
#include "cli/output.h"

namespace cpnlint::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr std::size_t kWorst = 3;
constexpr double kSame = 1e-9;  // figures closer than this are the same

std::string Number(double value) { return fmt::format("{:g}", value); }

std::string PlaceText(const std::string& path, const report::Point& at) {
  return report::ToUtf8(report::LineText(path, at));
}

Figure BlocksOf(const report::Document& document) {
  Figure figure;
  if (!document.verdict) return figure;
  for (const verdict::ProgramVerdict& program : document.verdict->programs) {
    for (const verdict::IssueRef ref : program.blocking) {
      const report::File& file = document.files[ref.file];
      if (file.state == report::File::State::kRead) continue;
      const verdict::Issue& issue = file.evidence.issues[ref.issue];
      // A comment with its reason is how a team allows a finding.
      if (issue.hidden == verdict::Hidden::kSilenced || issue.hidden == verdict::Hidden::kWithheld) continue;
      ++figure.value;
      figure.worst.push_back(rules::CodeText(*issue.rule) + ' ' + issue.message + " (" +
                             verdict::PlaceText(report::ToUtf8(file.path), issue.start) + ')');
    }
  }
  return figure;
}

Figure WaitsOf(const report::Document& document) {
  Figure figure;
  const report::LoopWaits* most = nullptr;
  for (const report::File& file : document.files) {
    for (const report::LoopWaits& loop : file.waits) {
      if (most == nullptr || loop.waits > most->waits) most = &loop;
    }
  }
  if (most == nullptr) return figure;
  figure.value = most->waits;
  figure.at_least = most->at_least;
  figure.worst.push_back('`' + report::ToUtf8(most->loop) + "` (" + PlaceText(most->path, most->start) + ')');
  for (const report::Related& place : most->places) {
    figure.worst.push_back('`' + report::ToUtf8(place.message) + "` (" + PlaceText(place.path, place.place.start) +
                           ')');
  }
  return figure;
}

std::optional<Figure> CoverageOf(const report::Document& document) {
  struct Missing {
    std::size_t calls = 0;
    std::string first;
  };
  std::size_t calls = 0, covered = 0;
  std::map<std::string, Missing> missing;
  for (const report::File& file : document.files) {
    if (file.state == report::File::State::kRead) continue;
    for (const verdict::UsedName& used : file.evidence.names) {
      if (used.status.empty()) continue;  // nothing is known of it
      calls += used.count;
      if (used.status != "missing") {
        covered += used.count;
        continue;
      }
      Missing& entry = missing[used.name];
      entry.calls += used.count;
      if (entry.first.empty()) entry.first = verdict::PlaceText(report::ToUtf8(file.path), used.first);
    }
  }
  if (calls == 0) return std::nullopt;
  Figure figure;
  figure.value = 100.0 * static_cast<double>(covered) / static_cast<double>(calls);
  std::vector<std::pair<std::string, Missing>> names(missing.begin(), missing.end());
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return a.second.calls > b.second.calls; });
  for (const auto& [name, entry] : names) {
    figure.worst.push_back(
        fmt::format("`{}` ({} call{}, {})", name, entry.calls, entry.calls == 1 ? "" : "s", entry.first));
  }
  return figure;
}

std::string Worst(const Figure& figure) {
  std::string text;
  for (std::size_t i = 0; i < figure.worst.size() && i < kWorst; ++i) {
    text += (i == 0 ? ": " : ", ") + figure.worst[i];
  }
  if (figure.worst.size() > kWorst) text += fmt::format(" and {} more", figure.worst.size() - kWorst);
  return text;
}

// What the figures are called, how a limit to one is told.
struct Kind {
  const char* name;
  const char* key;  // in the ratchet
  bool falls;       // less is better
};
constexpr Kind kBlocks = {"max-blocks", "blocks", true};
constexpr Kind kWaits = {"max-waits-per-iteration", "waits_per_iteration", true};
constexpr Kind kCoverage = {"min-coverage", "coverage", false};

bool IsWorse(const Kind& kind, double value, double limit) {
  return kind.falls ? value > limit + kSame : value < limit - kSame;
}

std::string Sentence(const Kind& kind, const Figure& figure, double limit) {
  const std::string found = (figure.at_least ? "at least " : "") + Number(figure.value);
  const std::string allowed = Number(limit);
  if (kind.name == kBlocks.name) {
    return found + (figure.value == 1 ? " blocking unit, " : " blocking units, ") + allowed +
           (limit == 1 ? " is" : " are") + " allowed";
  }
  if (kind.name == kWaits.name) {
    return "the host waits " + found + (figure.value == 1 ? " time" : " times") + " in one pass of a hot loop, " +
           allowed + (limit == 1 ? " is" : " are") + " allowed";
  }
  return "cuPyNumeric has the names of " + fmt::format("{:.4g}", figure.value) + " % of the calls, " + allowed +
         " % are asked for";
}

report::Budget Judge(const Kind& kind, const Figure& figure, double limit, const std::string& name) {
  report::Budget budget;
  budget.name = name;
  budget.limit = limit;
  budget.found = figure.value;
  budget.exceeded = IsWorse(kind, figure.value, limit);
  budget.message = Sentence(kind, figure, limit);
  if (budget.exceeded) budget.message += Worst(figure);
  return budget;
}

struct Ratchet {
  std::vector<std::string> over;  // what it was measured over, relative to its folder
  std::map<std::string, double> figures;
};

Result<Ratchet> ReadRatchet(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string name = "the ratchet `" + file + "`";
  if (!stream) {
    return Fail("cannot read " + name + ": " + std::generic_category().message(errno) +
                "; a run with --prune writes it");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const Json json = Json::parse(text, nullptr, false);
  const std::string cure = "; delete it, and a run with --prune writes it anew";
  if (!json.is_object() || json.value("kind", Json()) != "ratchet" || !json.contains("over") ||
      !json["over"].is_array()) {
    return Fail(name + " is none: it needs `kind` (\"ratchet\") and `over`" + cure);
  }
  if (json.value("schema_version", Json()) != kVersion) {
    return Fail(name + " has a schema_version that this cpnlint does not read; use the cpnlint that wrote it");
  }
  Ratchet ratchet;
  for (const Json& path : json["over"]) {
    if (!path.is_string()) return Fail(name + ": `over` is to be a list of texts" + cure);
    ratchet.over.push_back(path.get<std::string>());
  }
  for (const Kind& kind : {kBlocks, kWaits, kCoverage}) {
    if (!json.contains(kind.key) || json[kind.key].is_null()) continue;
    if (!json[kind.key].is_number()) return Fail(name + ": `" + kind.key + "` is no number" + cure);
    ratchet.figures[kind.key] = json[kind.key].get<double>();
  }
  return ratchet;
}

std::string RatchetText(const Ratchet& ratchet) {
  Json json = {{"schema_version", kVersion}, {"kind", "ratchet"}, {"tool", "cpnlint"}, {"over", ratchet.over}};
  for (const Kind& kind : {kBlocks, kWaits, kCoverage}) {
    const auto found = ratchet.figures.find(kind.key);
    json[kind.key] = found == ratchet.figures.end() ? Json(nullptr) : Json(found->second);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

// Not one digit more than is said, so that the figure of the same program is the same again.
double Rounded(double value) { return std::stod(fmt::format("{:.6g}", value)); }

Result<std::vector<report::Budget>> JudgeRatchet(const Options& options, const Figures& figures) {
  std::vector<report::Budget> budgets;
  std::error_code ignored;
  const bool is_new = !fs::exists(options.ratchet, ignored);
  Ratchet ratchet;
  ratchet.over = PathsOver(options, options.ratchet);
  if (!is_new || !options.prune) {
    auto read = ReadRatchet(options.ratchet);
    if (!read) return tl::make_unexpected(read.error());
    if (read->over != ratchet.over) {
      std::string over;
      for (const std::string& path : read->over) over += (over.empty() ? "`" : ", `") + path + '`';
      Complain("the ratchet `" + options.ratchet + "` holds figures of " + over +
               "; this run reads other paths and is not held against it");
      return budgets;
    }
    ratchet = std::move(*read);
  }
  bool better = is_new;
  const auto see = [&](const Kind& kind, const Figure& figure) {
    const double value = Rounded(figure.value);
    const auto known = ratchet.figures.find(kind.key);
    if (known == ratchet.figures.end()) {
      better = true;
    } else if (!IsWorse(kind, value, known->second)) {
      Figure now = figure;
      now.value = value;
      better = better || IsWorse(kind, known->second, value);
      budgets.push_back(Judge(kind, now, known->second, std::string("ratchet ") + kind.name));
    } else {
      budgets.push_back(Judge(kind, figure, known->second, std::string("ratchet ") + kind.name));
      return;
    }
    ratchet.figures[kind.key] = value;
  };
  see(kBlocks, figures.blocks);
  see(kWaits, figures.waits);
  if (figures.coverage) see(kCoverage, *figures.coverage);
  if (!options.prune || !better) {
    if (better && !options.quiet) {
      Complain("the figures are better than the ratchet `" + options.ratchet + "`; --prune writes them into it");
    }
    return budgets;
  }
  if (auto written = WriteFiles({{options.ratchet, RatchetText(ratchet)}}); !written) {
    return tl::make_unexpected(written.error());
  }
  return budgets;
}

}  // namespace

Figures FiguresOf(const report::Document& document) {
  return {BlocksOf(document), WaitsOf(document), CoverageOf(document)};
}

Result<std::vector<report::Budget>> JudgeBudgets(const report::Document& document, const Options& options) {
  std::vector<report::Budget> budgets;
  const bool any = options.max_blocks || options.max_waits_per_iteration || options.min_coverage;
  if (!any && options.ratchet.empty()) return budgets;
  const Figures figures = FiguresOf(document);
  if (options.max_blocks) {
    budgets.push_back(Judge(kBlocks, figures.blocks, *options.max_blocks, kBlocks.name));
  }
  if (options.max_waits_per_iteration) {
    budgets.push_back(Judge(kWaits, figures.waits, *options.max_waits_per_iteration, kWaits.name));
  }
  if (options.min_coverage && figures.coverage) {
    budgets.push_back(Judge(kCoverage, *figures.coverage, *options.min_coverage, kCoverage.name));
  }
  if (options.ratchet.empty()) return budgets;
  auto ratchet = JudgeRatchet(options, figures);
  if (!ratchet) return ratchet;
  budgets.insert(budgets.end(), ratchet->begin(), ratchet->end());
  return budgets;
}

}  // namespace cpnlint::cli
