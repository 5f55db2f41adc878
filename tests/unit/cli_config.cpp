#include <catch2/catch.hpp>

#include <set>

#include "cli/config/configuration.h"
#include "cli/config/show.h"

using namespace cpnlint;
using namespace cpnlint::cli;
using namespace cpnlint::cli::config;

namespace {

Value Parsed(const std::string& text) {
  auto value = ParseToml(text, "x.toml");
  if (!value) FAIL(value.error().message);
  return *value;
}

std::string Broken(const std::string& text) {
  auto value = ParseToml(text, "x.toml");
  REQUIRE(!value.has_value());
  return value.error().message;
}

std::vector<std::string> TextsOf(const std::vector<Binding>& bindings) {
  std::vector<std::string> texts;
  for (const Binding& binding : bindings) texts.push_back(binding.pattern + " | " + binding.text);
  return texts;
}

}  // namespace

TEST_CASE("config: TOML as plain values, in the order of the file") {
  const Value table = Parsed("b = 1\na = [true, 2.5, \"x\"]\n[t]\nz.y = 2020-01-01\n");
  CHECK(table.names == std::vector<std::string>{"b", "a", "t"});
  CHECK(table.items[0].kind == Value::Kind::kInteger);
  CHECK(table.items[0].at == Point{1, 5});
  CHECK(table.items[0].name_at == Point{1, 1});
  CHECK(table.items[1].items.at(1).number == 2.5);
  CHECK(Find(*Find(table, "t"), "z")->items.at(0).kind == Value::Kind::kOther);
  CHECK(Find(table, "c") == nullptr);
}

TEST_CASE("config: broken TOML names its place") {
  CHECK(Broken("a = = 1").starts_with("x.toml:1:5: this is no TOML: "));
  CHECK(Broken("a = 1\na = 2").starts_with("x.toml:2:"));
  CHECK(Broken("a = \"\xff\"").starts_with("x.toml:1:"));
  CHECK(Broken("a = " + std::string(100'000, '[')).starts_with("x.toml:1:"));
  CHECK(Broken("b = 1\n[{x]\n").starts_with("x.toml:2:"));
  CHECK(Broken("[\x01x]\n").starts_with("x.toml:1:"));
  std::string deep = "a";
  for (int i = 0; i < 100'000; ++i) deep += ".a";
  CHECK(Broken(deep + " = 1").starts_with("x.toml: "));
}

TEST_CASE("config: values are written as TOML that says the same") {
  for (const std::string text : {"true", "-3", "2.5", "1e+300", "\"a \\\"b\\\" \\\\ \\n \\u0001\"", "[]", "[1, [2]]",
                                 "{}", "{ a = 1, \"b c\" = [\"x\"], d = { e = 2.0 } }"}) {
    const Value value = *Find(Parsed("v = " + text), "v");
    CHECK(ToToml(value) == text);
    CHECK(ToToml(*Find(Parsed("v = " + ToToml(value)), "v")) == text);
  }
  CHECK(KeyToToml("a-b_1") == "a-b_1");
  CHECK(KeyToToml("a.b") == "\"a.b\"");
  CHECK(KeyToToml("") == "\"\"");
}

TEST_CASE("config: each key is complete, and its default is what the options have") {
  std::set<std::string> names;
  const Options defaults;
  for (const Key& key : Keys()) {
    INFO(key.name);
    CHECK(names.insert(key.name).second);
    CHECK(FindKey(key.name) == &key);
    CHECK(std::string(key.help).size() > 5);
    CHECK(!TypeText(key).empty());
    const Value example = Parsed(key.example);
    REQUIRE(Find(example, key.name) != nullptr);
    CHECK(Check(key, *Find(example, key.name)).empty());
    const std::optional<Value> fallback = DefaultOf(key);
    if (!fallback) continue;
    CHECK(Check(key, *fallback).empty());
    if (key.read == nullptr || std::string(key.name) == "output-format") continue;
    CHECK(ToToml(*fallback) == ToToml(key.read(defaults)));
  }
}

TEST_CASE("config: what is applied is what is read") {
  const Origin origin;
  for (const Key& key : Keys()) {
    if (key.apply == nullptr || key.read == nullptr) continue;
    INFO(key.name);
    const Value value = *Find(Parsed(key.example), key.name);
    Setting setting{&key, value, origin};
    const std::vector<const Setting*> parts = {&setting};
    Options options;
    key.apply(options, parts);
    if (key.name == std::string("extend-exclude")) {
      CHECK(options.discover.more_excludes.at(0).patterns == Texts(value));
      continue;
    }
    const Value read = key.read(options);
    CHECK(read.kind != Value::Kind::kOther);
    if (key.type == Type::kIntegers || key.type == Type::kInteger || key.type == Type::kNumber) {
      CHECK(read.number == value.number);
    } else {
      CHECK(ToToml(read) == ToToml(value));
    }
  }
}

TEST_CASE("config: bindings of an assume") {
  const Value table = Parsed(
      "[assume]\nN = 1e8\n\"a.py:n\" = 3\nstep.u = \"(4,4)\"\n[assume.\"src/b.py\"]\nk = 1\nf.v = \"(2,)\"\n"
      "[assume.\"c.py:g\"]\nw = 2\n");
  CHECK(TextsOf(Bindings(*Find(table, "assume"))) == std::vector<std::string>{" | N=100000000", "a.py | n=3",
                                                                              " | step.u=(4,4)", "src/b.py | k=1",
                                                                              "src/b.py | f.v=(2,)", "c.py | g.w=2"});
  CHECK(TextsOf(Bindings(config::List({"N=1", "a.py:f.u=(3,)"}))) ==
        std::vector<std::string>{" | N=1", "a.py | f.u=(3,)"});
}

TEST_CASE("config: words of the environment") {
  CHECK(FromWord(*FindKey("no-cache"), "1")->truth);
  CHECK(!FromWord(*FindKey("no-cache"), "0")->truth);
  CHECK(!FromWord(*FindKey("no-cache"), "2").has_value());
  CHECK(Texts(*FromWord(*FindKey("output-format"), "json,text")) == std::vector<std::string>{"json", "text"});
  CHECK(!FromWord(*FindKey("output-format"), "json,").has_value());
  CHECK(FromWord(*FindKey("jobs"), "3")->integer == 3);
  CHECK(!FromWord(*FindKey("jobs"), "3x").has_value());
}

TEST_CASE("config: patterns mean files and the folders around them") {
  CHECK(PatternMeans("a.py", "/r", "/r/x/a.py"));
  CHECK(PatternMeans("x/", "/r", "/r/x/y/a.py"));
  CHECK(PatternMeans("/x", "/r", "/r/x/a.py"));
  CHECK(PatternMeans("./x/a.py", "/r", "/r/x/a.py"));
  CHECK(PatternMeans("x/*.py", "/r", "/r/x/a.py"));
  CHECK(PatternMeans("**/y/*.py", "/r", "/r/x/y/a.py"));
  CHECK(!PatternMeans("y/a.py", "/r", "/r/x/y/a.py"));
  CHECK(!PatternMeans("r/", "/r", "/r/x/a.py"));
  CHECK(!PatternMeans("a.py", "/r", "/q/a.py"));
  CHECK(!PatternMeans("a.py/", "/r", "/r/a.py"));
  CHECK(PatternMeans("a.py", "/", "/a.py"));
}

TEST_CASE("config: the most specific severity holds, of equals the later") {
  FileSettings settings;
  const auto add = [&](const char* selector, rules::Severity severity) {
    settings.severities.push_back({selector, *rules::Selection::WeightOf(selector), severity});
  };
  const rules::Rule* rule = nullptr;
  for (const rules::Rule* one : rules::AllRules()) {
    if (one->code == 101) rule = one;
  }
  REQUIRE(rule != nullptr);
  CHECK(SeverityOf(settings, *rule, rules::Severity::kError) == rules::Severity::kError);
  add("R101", rules::Severity::kInfo);
  add("ALL", rules::Severity::kError);
  CHECK(SeverityOf(settings, *rule, rules::Severity::kError) == rules::Severity::kInfo);
  add("element-loop", rules::Severity::kWarning);
  CHECK(SeverityOf(settings, *rule, rules::Severity::kError) == rules::Severity::kWarning);
}
