// R117 host-library-in-loop: arrays that leave the device on every pass for a library, for text, or come from the host.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/stored_tuples.h"
#include "rules/engine/rule.h"
#include "rules/match/device_call.h"
#include "rules/match/expression.h"
#include "rules/match/flag.h"
#include "rules/match/hot_site.h"
#include "rules/match/logging_level.h"
#include "rules/match/own_package.h"
#include "rules/match/shown_parts.h"
#include "rules/match/story.h"
#include "rules/match/text_use.h"
#include "rules/match/unchanged.h"

namespace cpnlint::rules::r117 {

using analysis::Callee;
using analysis::HostRead;
using ir::OpKind;
using ir::ValueId;

constexpr std::string_view kPartsOfDrawings[] = {"matplotlib.collections.", "matplotlib.colors.", "matplotlib.patches.",
                                                 "matplotlib.path.", "matplotlib.tri."};
constexpr std::int64_t kSmallOperand = 128;  // elements: 1 KiB of float64, cheap to copy

static bool IsOfCupy(const Facts& facts, ValueId op) {
  return facts.program().ops[op].kind == OpKind::kCall &&
         (facts.CalleeOf(op).library == analysis::Library::kCupy || facts.CalleeOf(op).name.starts_with("cupy"));
}

// A text that goes into nothing but an exception or a message of an assertion is not made on every pass.
static bool OnlyForErrors(const Facts& facts, ValueId text) {
  const auto uses = facts.UsesOf(text);
  if (uses.empty()) return false;
  for (const ValueId use : uses) {
    if (!facts.IsDead(use) && facts.program().ops[use].kind != OpKind::kRaise) return false;
  }
  return true;
}

// "matplotlib" of what is called; empty where it is the program's own compiled function or the operator of a text.
static std::string_view LibraryOf(const Facts& facts, ValueId op) {
  const ir::Program& program = facts.program();
  if (program.ops[op].kind == OpKind::kStoreSubscript) {
    const std::string_view name = program.names.Text(facts.Of(program.Operand(op, 0)).name);
    return name.substr(0, name.find('.'));
  }
  if (program.ops[op].kind != OpKind::kCall) return {};
  const Callee& callee = facts.CalleeOf(op);
  if (callee.kind == Callee::Kind::kLocal) return {};
  return callee.name.substr(0, callee.name.find('.'));
}

static Span CounterAround(const Facts& facts, ValueId op) {
  const analysis::Heat& heat = facts.HeatOf(op);
  return heat.loop.valid() && facts.InLoop(op, heat.loop) ? match::CounterOf(facts, heat.loop) : Span{};
}

// `print("%d %g" % row)` in `for row in log`: each pass shows what an earlier loop has put there.
static bool ShowsStored(const Facts& facts, const HostRead& read) {
  const ir::LoopId loop = facts.HeatOf(read.op).loop;
  const ValueId operand = facts.program().Operand(read.op, read.operand);
  if (!loop.valid() || !facts.InLoop(read.op, loop) || facts.InLoop(read.value, loop) || !operand.valid()) return false;
  const std::vector<ValueId> parts = analysis::DeviceParts(facts, operand);
  return std::ranges::find(parts, read.value) != parts.end();
}

static Text HelpForText(const Facts& facts, const HostRead& read, Span value) {
  const ValueId op = read.op;
  const Span counter = CounterAround(facts, op);
  Text help("RR-log  ");
  const match::TextUse use = match::UseOfText(facts, op);
  if (ShowsStored(facts, read)) return help.Add(match::HelpForShownNumbers({.found = true, .array = {}}));
  if (use == match::TextUse::kProduct) return help.Add(match::HelpForProduct(facts, op, read.value, value));
  if (const match::ShownPart part = match::ShownPartOf(facts, op, read.value))
    return help.Add(match::HelpForShownNumbers(part));
  if (use == match::TextUse::kUnknown) {
    return help.Add("where it is a message, write it every k passes only; where the text is kept, ")
        .Add(match::HelpForProduct(facts, op, read.value, value));
  }
  if (counter.empty()) {
    return help.Add("write the message every k passes only, or keep ")
        .Add(match::Quoted(value))
        .Add(" on the device and write it after the loop");
  }
  return help.Add("write it every k passes only: ").Add(match::SeldomTest(facts, facts.HeatOf(op).loop, counter));
}

// A function of the program that another tool compiles, or one of JAX that computes: they know the arrays of NumPy and
// their own, and raise for others.
static bool TakesNoOther(const Facts& facts, ValueId op) {
  if (facts.program().ops[op].kind != OpKind::kCall) return false;
  const Callee& callee = facts.CalleeOf(op);
  if (callee.kind == Callee::Kind::kLocal) return true;
  const bool converts = match::IsOneOf(callee.name, {"jax.numpy.array", "jax.numpy.asarray"});
  return callee.name.starts_with("jax.") && !converts;
}

// `Polygon(corners)`, `Path(points)`: a part of a drawing, of which each pass makes one, and which could be made of
// what is there before the loop.
static bool IsDrawnLater(const Facts& facts, const HostRead& read) {
  const ValueId op = read.op;
  if (facts.program().ops[op].kind != OpKind::kCall) return false;
  const ir::LoopId loop = facts.HeatOf(op).loop;
  if (!loop.valid() || !facts.InLoop(op, loop) || !match::IsMadeOfUnchanged(facts, read.value, loop, op)) return false;
  const std::string_view name = facts.CalleeOf(op).name;
  return std::ranges::any_of(kPartsOfDrawings, [&](std::string_view module) { return name.starts_with(module); });
}

static Text HelpForLibrary(const Facts& facts, const HostRead& read, Span words) {
  const ValueId op = read.op;
  const std::string_view library = LibraryOf(facts, op);
  if (TakesNoOther(facts, op)) {
    Text help("RR-host-boundary  keep what it reads and writes in arrays of host NumPy: ");
    if (facts.IsZeroD(read.value)) return help.Add("of this one `").Add(words, Binding::kPrimary).Add(".item()`");
    return help.Add("`onp.asarray(").Add(words).Add(")`, once before the loop where no pass changes it");
  }
  if (IsDrawnLater(facts, read)) {
    return "RR-host-boundary  it is no drawing yet: compute what all passes read before the loop and take it to the "
           "host "
           "once, `h = onp.asarray(u)`";
  }
  if (library == "matplotlib" || library == "PIL" || library == "imageio" || library == "tqdm" || library == "wandb") {
    if (const match::ShownPart part = match::ShownPartOf(facts, op, read.value))
      return Text("RR-log  ").Add(match::HelpForShownParts(part));
    const Span counter = CounterAround(facts, op);
    if (counter.empty()) return "RR-log  draw or record every k passes only";
    return Text("RR-log  draw or record every k passes only: ")
        .Add(match::SeldomTest(facts, facts.HeatOf(op).loop, counter));
  }
  if (library == "h5py" || library == "netCDF4" || library == "zarr" || library == "pickle" || library == "json") {
    return "RR-host-boundary  write every k passes only, or collect the passes in one array and write it once";
  }
  return "RR-host-boundary  run the host work in a phase of its own: `onp.asarray(u)` once before it and "
         "`np.asarray(h)` once after it; or use what cuPyNumeric has of it";
}

static bool Passes(const Facts& facts, const HostRead& read) {
  if (read.kind == HostRead::Kind::kForeign) {
    return !IsOfCupy(facts, read.op) && !match::IsOwnPackage(facts, read.op, LibraryOf(facts, read.op));
  }
  return read.kind == HostRead::Kind::kFormat;
}

// Where the value is written: an argument, or what stands in a display that is one.
static Span SpanOfValue(const Facts& facts, const HostRead& read) {
  const ir::Program& program = facts.program();
  const ValueId operand = program.Operand(read.op, read.operand);
  if (operand != read.value && operand.valid()) {
    const auto elements = program.Operands(operand);
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
      if (elements[i] == read.value) return program.OperandSpan(operand, i);
    }
  }
  const Span span = match::SpanOfOperand(facts, read.op, read.value);
  return span.empty() ? program.ops[read.op].span : span;
}

static Confidence GroundOf(const Facts& facts, const HostRead& read) {
  return analysis::ConfidenceOf(facts.Of(read.value).evidence);
}

// Of the values that one statement hands over, one of each storage: first those that are arrays on the firmest ground.
static std::vector<HostRead> FirmestFirst(const Facts& facts, std::span<const HostRead> statement) {
  std::vector<HostRead> reads(statement.begin(), statement.end());
  std::ranges::stable_sort(
      reads, [&](const HostRead& a, const HostRead& b) { return GroundOf(facts, a) > GroundOf(facts, b); });
  std::vector<HostRead> first;
  for (const HostRead& read : reads) {
    const ir::ValueId root = facts.RootOf(read.value);
    const auto is_same = [&](const HostRead& other) { return facts.RootOf(other.value) == root; };
    if (!root.valid() || std::ranges::none_of(first, is_same)) first.push_back(read);
  }
  return first;
}

// The reads of one statement, which stand one behind the other.
static std::span<const HostRead> SameStatement(std::span<const HostRead> reads) {
  std::size_t count = 1;
  while (count < reads.size() && reads[count].op == reads[0].op && reads[count].kind == reads[0].kind) ++count;
  return reads.first(count);
}

// All that the statement takes to the host on the same ground, as it is written: "`m`, `s` and 2 more". What has been
// told of is left out.
struct Taken {
  Text words;
  std::size_t count = 0;
};
static Taken TakenBy(const Facts& facts, std::span<const HostRead> statement, const HostRead& firmest,
                     std::span<const HostRead> told) {
  constexpr std::size_t kMost = 3;
  std::vector<Span> spans;
  const auto is_told = [&](const HostRead& read) {
    const ValueId root = facts.RootOf(read.value);
    return root.valid() &&
           std::ranges::any_of(told, [&](const HostRead& other) { return facts.RootOf(other.value) == root; });
  };
  for (const HostRead& read : statement) {
    if (GroundOf(facts, read) < GroundOf(facts, firmest) || is_told(read)) continue;
    const Span span = SpanOfValue(facts, read);
    const auto overlaps = [&](Span other) { return other.Contains(span) || span.Contains(other); };
    if (!std::ranges::any_of(spans, overlaps)) spans.push_back(span);
  }
  Taken taken{{}, spans.size()};
  const std::size_t shown = spans.size() > kMost ? kMost - 1 : spans.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == shown && shown == spans.size();
    if (i > 0) taken.words.Add(last ? " and " : ", ");
    taken.words.Add("`").Add(spans[i]).Add("`");
  }
  if (shown < spans.size()) taken.words.Add(" and " + std::to_string(spans.size() - shown) + " more");
  return taken;
}

// One value of the statement: `told` are those before it, which speak for all as long as no other rule tells of them.
static void Tell(const Facts& facts, std::span<const HostRead> statement, const HostRead& read,
                 std::span<const HostRead> told, Trial& trial) {
  const ir::Program& program = facts.program();
  const bool text = read.kind == HostRead::Kind::kFormat;
  const Span value = SpanOfValue(facts, read);
  const Span whole = program.ops[read.op].span;
  const Span primary = text && program.ops[read.op].kind == OpKind::kFormatString ? value : whole;
  Trial::Report report = trial.ReportOp(read.op);
  const Taken taken = TakenBy(facts, statement, read, told);
  report.At(primary).Arg("call", whole).Arg("arrays", taken.words).Root(facts.RootOf(read.value));
  report.Evidence(facts.Of(read.value).evidence);
  match::TellPasses(facts, read.op, primary, report);
  match::TellOrigin(facts, read.value, primary, report);
  if (text) {
    report
        .Message(taken.count > 1 ? "{arrays} become text, so their values are fetched[[ {passes}]]"
                                 : "{arrays} becomes text, so its value is fetched[[ {passes}]]")
        .PrimaryLabel("waits here")
        .Help(HelpForText(facts, read, value));
  } else {
    report.PrimaryLabel("copied to the host here").Help(HelpForLibrary(facts, read, value));
    if (TakesNoOther(facts, read.op)) {
      report.Why(
          "compiled code takes arrays of host NumPy and asks no other for its memory: numba raises TypingError, JAX "
          "TypeError (executed on 26.6.1)");
    }
    if (!facts.IsZeroD(read.value)) report.Doctor("whole-array gather");
  }
  const match::Logged logged = match::LoggedBy(facts, read.op);
  const match::Flag flag = match::FlagAround(facts, read.op);
  if (logged == match::Logged::kByModule || flag == match::Flag::kOn) report.Confidence(Confidence::kLikely);
  if (flag == match::Flag::kUnknown || logged == match::Logged::kByElsewhere ||
      (text && match::RunsUnderDeviceTest(facts, read.op))) {
    report.Confidence(Confidence::kPossible);
  }
}

// Fires when
//   1. the site is hot and runs more often than every tenth pass,
//   2. (a) a device array is handed to a library of host arrays, to an object of one, to its file, or to a function
//      that another tool compiles, or (b) is made into text, or (c) a host array that the loop does not change is an
//      operand of device work.
// Quiet: (a) shapes and Python numbers are no device arrays, (b) behind a cadence, or behind a flag that is known to be
// off, (c) after the loop, (d) reading is not handing over, (e) behind a flag of unknown value or a level of logging
// that the module does not ask for, and text behind a test of a device value that does not end the loop, is possible
// only.
static void OnFunction(const Facts& facts, ir::FunctionId function, Trial& trial) {
  ValueId last;
  const std::span<const HostRead> reads = facts.HostReadsOf(function);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const ValueId op = reads[i].op;
    trial.Considers(op);
    if (!trial.Holds(2, Passes(facts, reads[i]))) continue;
    if (op == last) continue;  // one statement, one wait
    if (!trial.Holds(1, static_cast<bool>(match::WaitSiteOf(facts, op)))) continue;
    if (trial.Quiet('b', match::RunsAtMarks(facts, op))) continue;
    const bool text = reads[i].kind == HostRead::Kind::kFormat;
    if (trial.Quiet('c', text && OnlyForErrors(facts, op))) continue;
    last = op;
    const std::span<const HostRead> statement = SameStatement(reads.subspan(i));
    const std::vector<HostRead> values = FirmestFirst(facts, statement);
    const std::span<const HostRead> all = values;
    for (std::size_t k = 0; k < all.size(); ++k) Tell(facts, statement, all[k], all.first(k), trial);
  }
}

// 2c: the host array in an operation with a device array.
static void OnOp(const Facts& facts, ValueId op, Trial& trial) {
  const bool in_place = facts.program().ops[op].kind == OpKind::kInplaceBinary && facts.IsDevice(op);
  if (!in_place && !match::IsElementwise(facts, op)) return;
  const match::HotSite hot = match::WaitSiteOf(facts, op);
  if (!hot || !hot.in_function) return;
  const ir::Program& program = facts.program();
  const auto operands = program.Operands(op);
  bool device = false;
  for (const ValueId operand : operands) device |= facts.IsDevice(operand) && !facts.IsZeroD(operand);
  for (std::uint32_t i = 0; device && i < operands.size(); ++i) {
    const ValueId host = operands[i];
    const bool array = host.valid() && facts.IsArray(host) && facts.IsHost(host) && facts.RankOf(host) >= 1;
    if (!array || facts.KnownBelow(host, kSmallOperand) || facts.Of(host).constant_items) continue;
    if (facts.InLoop(host, hot.loop) || facts.MutatedIn(facts.RootOf(host), hot.loop)) continue;
    const Span value = program.OperandSpan(op, i);
    Trial::Report report = trial.ReportOp(op);
    report.At(value).Root(facts.RootOf(host)).Evidence(facts.Of(host).evidence);
    report.Message("host array `{expr}` is copied to the device[[ {passes}]]")
        .Why("an operand that is a host array is made a device array anew each time (26.07)")
        .Help(Text("convert it once before the loop: `np.asarray(").Add(value).Add(")`"));
    match::TellPasses(facts, op, value, report);
    match::TellOrigin(facts, host, value, report);
    return;
  }
}

extern constinit const Rule kRule;
constinit const Rule kRule = {
    .code = 117,
    .slug = "host-library-in-loop",
    .family = Family::kBlocks,
    .severity = Severity::kError,
    .summary = "arrays leave the device on every pass for a library or for text",
    .message = "`{call}` needs {arrays} on the host[[ {passes}]]",
    .why =
        "the library asks for host memory: the whole array is waited for and copied, and what comes back is copied in "
        "again (26.07)",
    .details = R"md(
SciPy, matplotlib, h5py and their like know host memory only. They ask a cuPyNumeric array for it through NumPy's array
protocol, and the whole array is gathered: Python waits until the work behind it is done, the data crosses the bus, the
result is a host array that is copied in again. Functions that numba or JAX compiles, and those of `jax.numpy` but for `jnp.asarray`,
do not ask: they raise for what is no array of NumPy's. `print(u.max())` fetches as a library does, one number. Once that is the price of a
result; on every pass of a hot loop it is the run time.

**Fires when**

1. the site is hot and runs more often than every tenth pass
2. any of
   - (a) a device array is handed to SciPy, scikit-learn, pandas, matplotlib, OpenCV, scikit-image, h5py, `pickle`, `json` and the like, to a method of an object that one of them made, to a dataset (`dset[i] = u`), to a function that numba or another tool compiles, or to `numpy.testing`
   - (b) a device value is made into text: `print`, an f-string, `%`, `.format`, `str`, arguments of a logger
   - (c) a host array that the loop does not change is an operand of device work on every pass

**Stays quiet**

- (a) `print(f"step {it}")`, shapes, dtypes, Python numbers
- (b) behind a cadence (`it % 200 == 0`, or a mark that moves on: `if t >= t_next`), or a flag known to be off
- (c) after the loop, and in messages of exceptions
- (d) reading a chunk of a file into a new array
- (f) `tqdm(range(n))`, and `tqdm(x)`, which asks `x` for its length and its items (R103)

Behind a flag that is on by default it is *likely*. Behind one whose value is not known (`if verbose:`), for `logger.info("%s", u)`, which formats only what the level lets
through, unless the module itself sets that level (`logging.basicConfig(level=logging.INFO)`), and for text behind a test of a device value (`if err < tol: print(err)`), it is *possible* only; behind a test that ends the loop
(`if err < tol: break`) text is made on all other passes, which is as sure as without it.

A statement is told once, whatever it takes. Where a test or conversion tells of one of its values already, the finding is about the others.

The import of such a library has a note of its own, R301, hot or not. Conversions that are written out are R104, CuPy is
R111, worker processes are R118.
)md",
    .bad = R"py(import numpy as np
from scipy import ndimage


def smooth(n, steps):
    u = np.ones((n, n))
    for _ in range(steps):
        u = 0.5 * (u + ndimage.median_filter(u, 3))
    return u
)py",
    .good = R"py(import numpy as np


def smooth(n, steps):
    u = np.ones((n, n))
    for _ in range(steps):
        u[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
    return u
)py",
    .recipe = "RR-host-boundary",
    .fix = FixClass::kDisplay,
    .ops = {OpKind::kBinary, OpKind::kInplaceBinary, OpKind::kCall},
    .on_op = &OnOp,
    .on_function = &OnFunction,
};

}  // namespace cpnlint::rules::r117
