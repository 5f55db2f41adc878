#include <catch2/catch.hpp>

#include "rules/engine/selection.h"

using cpnlint::rules::AllRules;
using cpnlint::rules::CodeText;
using cpnlint::rules::Family;
using cpnlint::rules::Rule;
using cpnlint::rules::Selection;
using cpnlint::rules::SelectorIsKnown;
using cpnlint::rules::SelectorMatches;

namespace {

Rule Make(int code, const char* slug, Family family) {
  Rule rule;
  rule.code = code;
  rule.slug = slug;
  rule.family = family;
  return rule;
}

const Rule kStencil = Make(5, "stencil-slices", Family::kScales);
const Rule kLoop = Make(101, "element-loop", Family::kBlocks);
const Rule kScalar = Make(104, "host-scalar-in-loop", Family::kBlocks);
const Rule kAllocation = Make(201, "allocation-in-loop", Family::kRefactor);

Selection Choose(std::vector<std::string> select, std::vector<std::string> ignore,
                 std::vector<std::string> extend_select = {}) {
  const auto selection = Selection::Parse(select, ignore, extend_select);
  REQUIRE(selection.has_value());
  return *selection;
}

}  // namespace

TEST_CASE("codes have three digits") {
  CHECK(CodeText(kStencil) == "R005");
  CHECK(CodeText(kLoop) == "R101");
}

TEST_CASE("without options every rule but those of what scales is shown") {
  const Selection selection;
  CHECK(selection.Includes(kLoop));
  CHECK_FALSE(selection.Includes(kStencil));
}

TEST_CASE("select replaces the default, extend-select adds to it") {
  CHECK_FALSE(Choose({"R1"}, {}).Includes(kAllocation));
  CHECK(Choose({"R1"}, {}).Includes(kLoop));
  CHECK(Choose({}, {}, {"R005"}).Includes(kAllocation));
  CHECK(Choose({}, {}, {"R005"}).Includes(kStencil));
  CHECK(Choose({"ALL"}, {}).Includes(kStencil));
  CHECK(Choose({"scales"}, {}).Includes(kStencil));
}

TEST_CASE("the more specific selector wins, ignore wins a tie") {
  CHECK(Choose({"R101"}, {"R1"}).Includes(kLoop));
  CHECK_FALSE(Choose({"R101"}, {"R1"}).Includes(kScalar));
  CHECK_FALSE(Choose({"R1"}, {"R101"}).Includes(kLoop));
  CHECK_FALSE(Choose({"R101"}, {"R101"}).Includes(kLoop));
  CHECK_FALSE(Choose({"R101"}, {"element-loop"}).Includes(kLoop));
  CHECK_FALSE(Choose({"R1"}, {"blocks"}).Includes(kLoop));
  CHECK(Choose({"R10"}, {"blocks"}).Includes(kLoop));
  CHECK_FALSE(Choose({}, {"ALL"}).Includes(kLoop));
}

TEST_CASE("selectors are known by code, prefix, slug and family, in any case") {
  CHECK(SelectorMatches("r101", kLoop));
  CHECK(SelectorMatches("R10", kLoop));
  CHECK(SelectorMatches("Element-Loop", kLoop));
  CHECK(SelectorMatches("all", kLoop));
  CHECK_FALSE(SelectorMatches("R11", kLoop));
  CHECK_FALSE(SelectorMatches("loop", kLoop));
  CHECK(SelectorIsKnown("R1"));
  CHECK(SelectorIsKnown("memory"));
  CHECK_FALSE(SelectorIsKnown("R999"));
  CHECK_FALSE(SelectorIsKnown("E501"));
  CHECK_FALSE(SelectorIsKnown(""));
}

TEST_CASE("an unknown selector is named in the error") {
  const auto selection = Selection::Parse({"R1"}, {"R77"});
  REQUIRE_FALSE(selection.has_value());
  CHECK(selection.error().message.find("`R77`") != std::string::npos);
}

TEST_CASE("a preview rule shows only where previews are asked for") {
  Rule preview = kLoop;
  preview.preview = true;
  Selection selection;
  CHECK_FALSE(selection.Runs(preview));
  CHECK_FALSE(selection.Includes(preview));
  selection.ShowPreview(true);
  CHECK(selection.Includes(preview));
}

TEST_CASE("a preview that may find what raises is run for the verdict and shown nowhere") {
  Rule preview = kLoop;
  preview.preview = preview.may_raise = true;
  Selection selection;
  CHECK(selection.Runs(preview));
  CHECK(selection.Withholds(preview));
  CHECK_FALSE(selection.Includes(preview));
}
