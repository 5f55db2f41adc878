#include "analyzer/api/describe.h"

#include <algorithm>
#include <array>

namespace cpnlint::api {
namespace {

constexpr std::string_view kNumpy = "numpy.";

std::string Join(std::initializer_list<std::string_view> parts) {
  std::string joined;
  for (const std::string_view part : parts) joined += part;
  return joined;
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return "";
  text = text.substr(first, text.find_last_not_of(kSpace) - first + 1);
  if (text.ends_with("()")) text.remove_suffix(2);
  return text;
}

// "numpy.linalg.qr" as people write it: "np.linalg.qr", "ndarray.std".
std::string Spelled(std::string_view name) {
  if (!name.starts_with(kNumpy)) return std::string(name);
  const std::string_view tail = name.substr(kNumpy.size());
  if (tail.starts_with("ndarray.") || tail.starts_with("ufunc.")) return std::string(tail);
  return Join({"np.", tail});
}

std::string Code(int rule) { return "R" + std::to_string(rule); }

// What follows the library's name; and whether the user wrote one.
struct Tail {
  std::string_view text;
  bool rooted = false;
  bool own = false;  // the library written is cuPyNumeric
};
Tail TailOf(std::string_view asked) {
  struct Root {
    std::string_view prefix;
    bool own;
  };
  constexpr std::array<Root, 4> kRoots = {{{"np.", false}, {"numpy.", false}, {"cupynumeric.", true}, {"cpn.", true}}};
  for (const Root& root : kRoots) {
    if (asked.starts_with(root.prefix)) return {asked.substr(root.prefix.size()), true, root.own};
  }
  return {asked, false, false};
}

std::string_view LastComponent(std::string_view name) { return name.substr(name.rfind('.') + 1); }

// The only row with this last component; null where there is none or more than one.
const Entry* OnlyOne(std::string_view last, Version version) {
  const Entry* only = nullptr;
  for (const Entry& entry : Entries(version)) {
    if (LastComponent(entry.name) != last) continue;
    if (only != nullptr) return nullptr;
    only = &entry;
  }
  return only;
}

struct Found {
  const Entry* entry = nullptr;
  std::string name;  // what was looked up: longer than the row's own name for names inside a missing module
};

Found Look(std::string_view asked, Version version) {
  const Tail tail = TailOf(Trimmed(asked));
  if (tail.text.empty()) return {};
  const auto under = [&](std::string_view prefix, std::string_view rest) -> Found {
    std::string name = Join({prefix, rest});
    const Entry* entry = Find(name, version);
    return entry != nullptr ? Found{entry, std::move(name)} : Found{};
  };
  if (tail.own) {
    if (Found found = under("cupynumeric.", tail.text); found.entry != nullptr) return found;
  }
  if (Found found = under(kNumpy, tail.text); found.entry != nullptr) return found;
  if (tail.rooted) return {};
  if (Found found = under("cupynumeric.", tail.text); found.entry != nullptr) return found;

  // `a.std`, `rng.normal`: the receiver is a variable.
  const std::size_t dot = tail.text.rfind('.');
  if (dot == std::string_view::npos) {
    const Entry* only = OnlyOne(tail.text, version);
    return only != nullptr ? Found{only, std::string(only->name)} : Found{};
  }
  const std::string_view head = tail.text.substr(0, dot);
  const std::string_view member = tail.text.substr(dot + 1);
  const std::string_view receiver = head.substr(head.rfind('.') + 1);
  if (receiver == "Generator" || receiver == "RandomState") {
    if (Found found = under(Join({"numpy.random.", receiver, "."}), member); found.entry != nullptr) return found;
  }
  if (head.find('.') != std::string_view::npos || Find(Join({kNumpy, head}), version) != nullptr) return {};
  if (head == "rng" || head == "generator" || head == "gen") return under("numpy.random.Generator.", member);
  return under("numpy.ndarray.", member);
}

bool BringsToHost(const Entry& entry) {
  return std::ranges::any_of(entry.waits,
                             [](const Wait& wait) { return wait.when == WaitWhen::kAlways && wait.gathers; });
}

std::string Sentence(const Found& found, std::string_view version) {
  const Entry& entry = *found.entry;
  const std::string where = Join({"cuPyNumeric ", version});
  const bool of_ufunc = entry.name.starts_with("numpy.ufunc.");
  const std::string name = Spelled(of_ufunc ? std::string_view(found.name) : entry.name);
  const std::string_view looked_up = TailOf(found.name).text;
  if (entry.status == Status::kMissing && !of_ufunc && looked_up.size() > TailOf(entry.name).text.size()) {
    return Join({Spelled(Join({kNumpy, looked_up})), " lies in ", name, ", which does not exist in ", where,
                 ": using it raises ", Text(entry.raises)});
  }
  if (entry.status == Status::kMissing) {
    if (entry.raises == Raises::kNothing) return Join({name, " does not exist in ", where, " as NumPy has it"});
    if (entry.raises != Raises::kAttributeError) {
      return Join({name, " is a stub in ", where, ": using it raises ", Text(entry.raises)});
    }
    return Join({name, " does not exist in ", where, ": using it raises AttributeError"});
  }
  const std::string exists = Join({name, " exists in ", where});
  if (entry.kind == Kind::kModule) return exists + "; its names have rows of their own";
  if (entry.host_object) return Join({name, " is NumPy's own object in ", where});
  if (entry.one_device == OneDevice::kAlways) return exists + " and runs on one processor, however many there are";
  if (BringsToHost(entry)) return exists + " and brings the whole array to the host";
  const bool callable = entry.kind == Kind::kFunction || entry.kind == Kind::kUfunc || entry.kind == Kind::kMethod;
  const bool computes = callable && entry.returns != Returns::kScalar && entry.returns != Returns::kOther;
  switch (entry.status) {
    case Status::kMulti: return exists + (computes ? " and distributes over all processors" : "");
    case Status::kPartial: return exists + "; some calls run on one processor or raise";
    case Status::kSingle: return exists + " and works on the host";
    case Status::kMissing: break;
  }
  return exists;
}

std::string KeywordWords(const Keyword& keyword) {
  std::string words;
  switch (keyword.behaviour) {
    case Behaviour::kAbsent: words = Join({"does not exist: ", Text(keyword.raises)}); break;
    case Behaviour::kRenamed:
      words = Join({"is called ", keyword.to, " here: ", Text(keyword.raises), " by keyword, works by position"});
      break;
    case Behaviour::kIgnored: words = "is accepted without effect"; break;
    case Behaviour::kValue:
    case Behaviour::kHost:
    case Behaviour::kDiffers: return std::string(keyword.note);
  }
  if (!keyword.note.empty()) words += Join({" (", keyword.note, ")"});
  return words;
}

std::string DtypeWords(const DtypeGap& gap) {
  std::string words = DtypeNames(gap.dtypes);
  switch (gap.effect) {
    case DtypeEffect::kRaises: words += Join({": raises ", Text(gap.raises)}); break;
    case DtypeEffect::kEndsProcess: words += ": ends the process"; break;
    case DtypeEffect::kOtherDtype: words += Join({": gives ", gap.here, ", NumPy ", gap.numpy}); break;
    case DtypeEffect::kWrongValue: words += ": gives a wrong value"; break;
  }
  if (!gap.text.empty()) words += Join({gap.effect == DtypeEffect::kRaises ? ": " : ", ", gap.text});
  return words;
}

std::string WaitWords(const Wait& wait) {
  std::string words = "waits";
  if (wait.when != WaitWhen::kAlways) words += Join({" ", Text(wait.when)});
  words += Join({": ", wait.cause});
  if (wait.bounds_check) words += "; not with bounds checking disabled";
  if (!wait.instead.empty()) words += Join({"; instead: ", wait.instead});
  return words;
}

std::string InsteadWords(const Substitute& substitute) {
  std::string words;
  switch (substitute.fix) {
    case Fix::kNone: return "";
    case Fix::kStructural: return "no one-line substitute: the code around it has to change";
    case Fix::kUnsafe:
    case Fix::kSafe: break;
  }
  words = substitute.rename ? Spelled(substitute.to) : std::string(substitute.text);
  if (!substitute.when.empty()) words += Join({" (", substitute.when, ")"});
  return words;
}

void AddRules(const Entry& entry, Description& description) {
  std::vector<int> codes;
  if (entry.status == Status::kMissing) codes.push_back(entry.owner != 0 ? entry.owner : 112);
  for (const Keyword& keyword : entry.keywords) codes.push_back(RuleOf(keyword));
  for (const Limit& limit : entry.limits) codes.push_back(RuleOf(limit));
  for (const DtypeGap& gap : entry.dtypes) codes.push_back(RuleOf(entry, gap));
  for (const Wait& wait : entry.waits) codes.push_back(wait.rule);
  if (entry.unbound != Unbound::kNever) codes.push_back(114);
  if (const int code = RuleOfOneDevice(entry); code != 0) codes.push_back(code);
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  for (const int code : codes) description.rules.push_back(Code(code));
}

void AddNotes(const Entry& entry, Version version, Description& description) {
  const auto add = [&](std::string note) {
    if (!note.empty()) description.notes.push_back(std::move(note));
  };
  // The table's hint at a substitute gives way to the substitute.
  const bool is_hint = entry.status == Status::kMissing && entry.owner == 0 && entry.substitute.fix >= Fix::kUnsafe;
  if (!is_hint) add(std::string(entry.note));
  if (!entry.one_device_note.empty()) add(Join({Text(entry.one_device), ": ", entry.one_device_note}));
  if (entry.unbound == Unbound::kAlways) {
    add("the length of the result is known on the device only: its first use waits");
  }
  if (entry.view) add("gives a view");
  add(std::string(entry.disagreement));
  for (const Version other : Versions()) {
    if (other == version) continue;
    const Entry* there = FindExact(entry.name, other);
    const bool missing = there == nullptr || there->status == Status::kMissing;
    if (missing != (entry.status == Status::kMissing)) {
      add(Join({missing ? "missing in " : "exists in ", Name(other)}));
    }
  }
}

}  // namespace

std::string Resolve(std::string_view asked, Version version) { return Look(asked, version).name; }

Description Describe(std::string_view asked, Version version) {
  Description description;
  description.asked = asked;
  description.version = Name(version);
  const Found found = Look(asked, version);
  if (found.entry == nullptr) {
    description.status = "unknown";
    description.sentence = Join(
        {Trimmed(asked), " is not in the table of cuPyNumeric ", description.version, ": nothing is known about it"});
    for (const Entry* entry : NearNames(Trimmed(asked), version)) description.near.emplace_back(entry->name);
    return description;
  }
  const Entry& entry = *found.entry;
  description.entry = &entry;
  description.name = entry.name;
  description.sentence = Sentence(found, description.version);
  description.status = Text(entry.status);
  description.kind = Text(entry.kind);
  description.returns = Text(entry.returns);
  for (const std::string_view parameter : entry.parameters) description.parameters.emplace_back(parameter);
  for (const Keyword& keyword : entry.keywords) {
    description.arguments.push_back({std::string(keyword.name), std::string(Text(keyword.behaviour)),
                                     KeywordWords(keyword), std::string(Text(keyword.raises))});
  }
  for (const Limit& limit : entry.limits) description.limits.emplace_back(limit.text);
  for (const DtypeGap& gap : entry.dtypes) description.dtypes.push_back(DtypeWords(gap));
  for (const Wait& wait : entry.waits) description.waits.push_back(WaitWords(wait));
  AddNotes(entry, version, description);
  description.instead = InsteadWords(entry.substitute);
  AddRules(entry, description);
  description.executed = entry.executed;
  return description;
}

}  // namespace cpnlint::api
