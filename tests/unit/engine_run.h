#pragma once

// Runs all rules over a snippet, for tests of the engine on real programs.

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

#include "analyzer/analysis/facts.h"
#include "analyzer/lower/lower.h"
#include "analyzer/source/file.h"
#include "analyzer/syntax/parse.h"
#include "rules/engine/runner.h"

struct Snippet {
  explicit Snippet(const std::string& text, const cpnlint::rules::Selection& selection = {},
                   const std::string& path = "snippet.py") {
    cpnlint::source::LoadOutcome loaded = cpnlint::source::LoadBytes(path, text);
    REQUIRE(loaded.file != nullptr);
    file = std::move(loaded.file);
    const cpnlint::syntax::Tree tree = cpnlint::syntax::Parse(file->text);
    std::vector<cpnlint::lower::SyntaxNote> lost;
    module = cpnlint::lower::Lower(*file, tree, "snippet", program, lost);
    facts = std::make_unique<cpnlint::analysis::Facts>(program, program.names);
    result = cpnlint::rules::Run(*facts, {&module, 1}, target, selection).front();
  }

  // "R101@3", by line, in order.
  [[nodiscard]] std::vector<std::string> Findings() const {
    std::vector<std::string> out;
    for (const auto& finding : result.findings) out.push_back(Code(finding) + "@" + Line(finding.span));
    return out;
  }

  // The one finding of the rule.
  [[nodiscard]] const cpnlint::rules::Finding& Only(int code) const {
    const cpnlint::rules::Finding* found = nullptr;
    for (const auto& finding : result.findings) {
      if (finding.rule->code != code) continue;
      CHECK(found == nullptr);
      found = &finding;
    }
    REQUIRE(found != nullptr);
    return *found;
  }

  [[nodiscard]] std::vector<std::string> Swallowed(const cpnlint::rules::Finding& finding) const {
    std::vector<std::string> out;
    for (const auto& label : finding.labels) {
      if (label.swallowed_rule != 0) out.push_back("R" + std::to_string(label.swallowed_rule) + "@" + Line(label.span));
    }
    return out;
  }

  [[nodiscard]] std::vector<std::string> Also(const cpnlint::rules::Finding& finding) const {
    std::vector<std::string> out;
    for (const cpnlint::Span span : finding.also) out.push_back(Line(span));
    return out;
  }

  [[nodiscard]] std::vector<std::string> Notes() const {
    std::vector<std::string> out;
    for (const auto& note : result.notes) out.push_back(note.kind + "@" + Line(note.span));
    return out;
  }

  [[nodiscard]] std::string Words(const cpnlint::rules::Text& text) const { return Render(text, file->text); }
  [[nodiscard]] std::string Line(cpnlint::Span span) const {
    return std::to_string(file->lines.ToPosition(span.begin).line);
  }
  static std::string Code(const cpnlint::rules::Finding& finding) { return CodeText(*finding.rule); }

  std::unique_ptr<cpnlint::source::SourceFile> file;
  cpnlint::ir::Program program;
  cpnlint::ir::ModuleId module;
  std::unique_ptr<cpnlint::analysis::Facts> facts;
  cpnlint::rules::Target target;
  cpnlint::rules::RunResult result;
};
