#include <algorithm>

#include <nlohmann/json.hpp>

#include "analyzer/api/describe.h"
#include "cli/commands.h"
#include "cli/config/configuration.h"
#include "cli/output.h"
#include "cli/report/style.h"
#include "cli/terminal.h"

namespace cpnlint::cli {
namespace {

using Json = nlohmann::ordered_json;
using api::Description;

report::Paint PaintOf(const Description& description) {
  if (description.entry == nullptr) return report::Paint::kWarning;
  switch (description.entry->status) {
    case api::Status::kMulti: return report::Paint::kGood;
    case api::Status::kPartial:
    case api::Status::kSingle: return report::Paint::kWarning;
    case api::Status::kMissing: return report::Paint::kError;
  }
  return report::Paint::kNone;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void AppendLine(std::string& out, std::string_view name, const std::string& value) {
  if (value.empty()) return;
  std::string left = "  " + std::string(name);
  left.resize(std::max<std::size_t>(left.size() + 1, 13), ' ');
  out += left + value + "\n";
}

void AppendText(std::string& out, const Description& description, const report::Style& style) {
  const std::string& name = description.name.empty() ? description.asked : description.name;
  report::Append(out, style, report::Paint::kBold, name);
  out += "  ";
  report::Append(out, style, PaintOf(description), description.status);
  out += "  (cuPyNumeric " + description.version + ")\n  " + description.sentence + "\n";
  AppendLine(out, "returns", description.returns);
  AppendLine(out, "takes", Joined(description.parameters));
  for (const Description::Argument& argument : description.arguments) {
    AppendLine(out, "argument", "`" + argument.name + "` " + argument.words);
  }
  for (const std::string& limit : description.limits) AppendLine(out, "limit", limit);
  for (const std::string& dtype : description.dtypes) AppendLine(out, "dtype", dtype);
  for (const std::string& wait : description.waits) AppendLine(out, "wait", wait);
  for (const std::string& note : description.notes) AppendLine(out, "note", note);
  AppendLine(out, "instead", description.instead);
  AppendLine(out, "rules", Joined(description.rules));
  AppendLine(out, "near", Joined(description.near));
}

Json ToJson(const Description& description) {
  Json arguments = Json::array();
  for (const Description::Argument& argument : description.arguments) {
    arguments.push_back({{"name", argument.name},
                         {"behaviour", argument.behaviour},
                         {"words", argument.words},
                         {"raises", argument.raises.empty() ? Json(nullptr) : Json(argument.raises)}});
  }
  const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  return {{"asked", description.asked},
          {"name", or_null(description.name)},
          {"version", description.version},
          {"status", description.status},
          {"sentence", description.sentence},
          {"kind", or_null(description.kind)},
          {"returns", or_null(description.returns)},
          {"parameters", description.parameters},
          {"arguments", std::move(arguments)},
          {"limits", description.limits},
          {"dtypes", description.dtypes},
          {"waits", description.waits},
          {"notes", description.notes},
          {"instead", or_null(description.instead)},
          {"rules", description.rules},
          {"near", description.near},
          {"executed", description.executed}};
}

}  // namespace

int RunApi(const Options& given) {
  Options options = given;  // of the project around the current folder: the version that it targets
  options.arguments.clear();
  if (auto configuration = config::Configuration::Load(options); !configuration) {
    Complain(configuration.error().message);
    return kTrouble;
  }
  const api::Version version = api::ParseVersion(options.target_version).value_or(api::kLatest);
  report::Style style;
  style.color = WantsColor(options.color);
  const bool json = !options.formats.empty() && options.formats.front() == "json";
  Json list = Json::array();
  std::string text;
  bool missed = false;
  for (const std::string& name : given.arguments) {
    const Description description = api::Describe(name, version);
    missed = missed || description.entry == nullptr;
    if (json) {
      list.push_back(ToJson(description));
      continue;
    }
    if (!text.empty()) text += '\n';
    AppendText(text, description, style);
  }
  // Like grep: 1 says that something asked for is not in the table.
  const int code = missed ? kFindings : kOk;
  return PrintResult(json ? list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n" : text, code);
}

}  // namespace cpnlint::cli
