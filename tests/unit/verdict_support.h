#pragma once

// A program for the tests of the verdict.

#include <catch2/catch.hpp>

#include "rules/verdict/verdict.h"

namespace cpnlint::verdict {

using rules::Confidence;
using rules::Severity;

inline const rules::Rule* RuleOf(int code) {
  for (const rules::Rule* rule : rules::AllRules()) {
    if (rule->code == code) return rule;
  }
  return nullptr;
}

// A program of one file with one hot step loop of array work of unknown size.
struct OneFile {
  Evidence evidence;
  Settings settings;

  OneFile() { AddRegion(7, Pattern::kElementwise, 1000, 0); }

  RegionPart& AddRegion(RegionId id, Pattern pattern, double device, double host) {
    RegionPart part;
    part.region = id;
    part.hot = part.is_home = true;
    part.loop = "step";
    part.device = device;
    part.host = host;
    part.patterns[static_cast<std::size_t>(pattern)] = device + host;
    part.plain = part.patterns;
    part.sizes.push_back({std::nullopt, device, Confidence::kCertain});
    evidence.regions.push_back(part);
    evidence.has_array_work = true;
    return evidence.regions.back();
  }

  Issue& Add(int code, RegionId region = 7) {
    Issue issue;
    issue.rule = RuleOf(code);
    REQUIRE(issue.rule != nullptr);
    issue.severity = issue.rule->severity;
    issue.message = "message";
    issue.start = {0, static_cast<std::uint32_t>(evidence.issues.size() + 1), 1};
    issue.hot = region != kNoRegion;
    issue.region = region;
    issue.shown = evidence.issues.size();
    evidence.issues.push_back(issue);
    return evidence.issues.back();
  }

  ProgramVerdict Judged() const {
    const std::vector<Input> inputs = {{"a.py", "a.py", &evidence, false, 100}};
    const auto verdict = Judge(inputs, settings);
    REQUIRE(verdict);
    return verdict->programs.at(0);
  }
};

}  // namespace cpnlint::verdict
