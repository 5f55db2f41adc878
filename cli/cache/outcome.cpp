#include "cli/cache/outcome.h"

#include <algorithm>

#include "cli/cache/bytes.h"

namespace cpnlint::cli {

// Each struct takes itself apart, so that one with a field more does not compile until the field stands here, too.
// A change of the order or of the kinds of fields needs no version: a cache belongs to one build of the program.

static void VisitRule(ByteWriter& visit, const rules::Rule*& rule) { visit(rule->code); }

static void VisitRule(ByteReader& visit, const rules::Rule*& rule) {
  int code = 0;
  visit(code);
  const auto rules = rules::AllRules();
  const auto found = std::lower_bound(rules.begin(), rules.end(), code,
                                      [](const rules::Rule* one, int wanted) { return one->code < wanted; });
  if (found == rules.end() || (*found)->code != code) return visit.Refuse();
  rule = *found;
}

template <class Visitor>
void Fields(Visitor& visit, report::Point& value) {
  auto& [line, column, utf16, byte, cell, cell_line, raw_line, raw_column, raw_byte] = value;
  visit(line, column, utf16, byte, cell, cell_line, raw_line, raw_column, raw_byte);
}

template <class Visitor>
void Fields(Visitor& visit, report::Place& value) {
  auto& [start, end] = value;
  visit(start, end);
}

template <class Visitor>
void Fields(Visitor& visit, report::Related& value) {
  auto& [place, message, rule, path] = value;
  visit(place, message, rule, path);
}

template <class Visitor>
void Fields(Visitor& visit, cost::Range& value) {
  auto& [low, mid, high] = value;
  visit(low, mid, high);
}

template <class Visitor>
void Fields(Visitor& visit, cost::PriceTerm& value) {
  auto& [name, seconds, formula] = value;
  visit(name, seconds, formula);
}

template <class Visitor>
void Fields(Visitor& visit, cost::FindingCost& value) {
  auto& [per_pass, passes, region, per, share, gain, terms, bound_by, assumptions, unpriced] = value;
  visit(per_pass, passes, region, per, share, gain, terms, bound_by, assumptions, unpriced);
}

template <class Visitor>
void Fields(Visitor& visit, report::Finding& value) {
  auto& [rule, severity, confidence, place, function, message, label, why, help, doctor, fingerprint, code, extent,
         related, causes, also, cost] = value;
  VisitRule(visit, rule);
  visit(severity, confidence, place, function, message, label, why, help, doctor, fingerprint, code, extent, related,
        causes, also, cost);
}

template <class Visitor>
void Fields(Visitor& visit, report::Good& value) {
  auto& [rule, function, count, places] = value;
  VisitRule(visit, rule);
  visit(function, count, places);
}

template <class Visitor>
void Fields(Visitor& visit, report::Note& value) {
  auto& [kind, start, message, path, codes] = value;
  visit(kind, start, message, path, codes);
}

template <class Visitor>
void Fields(Visitor& visit, report::LoopWaits& value) {
  auto& [path, start, loop, waits, at_least, places] = value;
  visit(path, start, loop, waits, at_least, places);
}

template <class Visitor>
void Fields(Visitor& visit, report::SourceLine& value) {
  auto& [text, cell, cell_line] = value;
  visit(text, cell, cell_line);
}

template <class Visitor>
void Fields(Visitor& visit, cost::Layout& value) {
  auto& [processors, nodes] = value;
  visit(processors, nodes);
}

// The task at the peak is a fact, and facts are gone (report::PredictedRegion).
template <class Visitor>
void Fields(Visitor& visit, cost::Memory& value) {
  auto& [processor, fits, host, at] = value;
  visit(processor, fits, host);
}

template <class Visitor>
void Fields(Visitor& visit, cost::Point& value) {
  auto& [layout, time, parts, bound_by, probability, or_by, memory] = value;
  visit(layout, time, parts, bound_by, probability, or_by, memory);
}

template <class Visitor>
void Fields(Visitor& visit, report::UnpricedPlace& value) {
  auto& [path, start, what, why] = value;
  visit(path, start, what, why);
}

template <class Visitor>
void Fields(Visitor& visit, report::PredictedRegion& value) {
  auto& [path, function, loop, start, passes, passes_known, number_of_passes, share, told, to_name, asked, strong, weak,
         one, need, fewest, stop, best, formula, break_point, unpriced, assumptions] = value;
  visit(path, function, loop, start, passes, passes_known, number_of_passes, share, told, to_name, asked, strong, weak,
        one, need, fewest, stop, best, formula, break_point, unpriced, assumptions);
}

template <class Visitor>
void Fields(Visitor& visit, report::Prediction& value) {
  auto& [pool, regions, left_out, left_share, assumptions, unmeasured, unpriced, without_effect] = value;
  visit(pool, regions, left_out, left_share, assumptions, unmeasured, unpriced, without_effect);
}

template <class Visitor>
void Fields(Visitor& visit, verdict::Spot& value) {
  auto& [cell, line, column] = value;
  visit(cell, line, column);
}

template <class Visitor>
void Fields(Visitor& visit, verdict::Issue& value) {
  auto& [rule, severity, confidence, message, function, start, region, hot, reachable, structural, substitute, raises,
         cadence, hidden, sites, nesting, saves, seconds, shown] = value;
  VisitRule(visit, rule);
  visit(severity, confidence, message, function, start, region, hot, reachable, structural, substitute, raises, cadence,
        hidden, sites, nesting, saves, seconds, shown);
}

template <class Visitor>
void Fields(Visitor& visit, verdict::SizedWeight& value) {
  auto& [volume, weight, confidence, problems] = value;
  visit(volume, weight, confidence, problems);
}

template <class Visitor>
void Fields(Visitor& visit, verdict::RegionPart& value) {
  auto& [region, hot, is_home, start, function, loop, patterns, plain, device, host, foreign, lost, thin, small,
         sizes] = value;
  visit(region, hot, is_home, start, function, loop, patterns, plain, device, host, foreign, lost, thin, small, sizes);
}

template <class Visitor>
void Fields(Visitor& visit, verdict::RegionTime& value) {
  auto& [region, pass, all, device, host, bound_by, break_point, sizes_known, priced] = value;
  visit(region, pass, all, device, host, bound_by, break_point, sizes_known, priced);
}

template <class Visitor>
void Fields(Visitor& visit, verdict::UsedName& value) {
  auto& [name, spelled, status, note, first, count] = value;
  visit(name, spelled, status, note, first, count);
}

template <class Visitor>
void Fields(Visitor& visit, verdict::Mark& value) {
  auto& [at, what] = value;
  visit(at, what);
}

template <class Visitor>
void Fields(Visitor& visit, verdict::Evidence& value) {
  auto& [issues, previews, regions, cold, times, names, draws, timers, exact, platforms, start, reach, ported,
         has_array_work, open_operations, open_weight, bad_statements, largest_bytes, largest, peaks, fewest, peak] =
      value;
  visit(issues, previews, regions, cold, times, names, draws, timers, exact, platforms, start, reach, ported,
        has_array_work, open_operations, open_weight, bad_statements, largest_bytes, largest, peaks, fewest, peak);
}

// A run with a page has no cache.
template <class Visitor>
void Fields(Visitor& visit, report::File& value) {
  auto& [path, state, lines, findings, good, notes, text, evidence, program, prediction, waits, what_if, page, model] =
      value;
  visit(path, state, lines, findings, good, notes, text, evidence, program, prediction, waits, what_if);
}

template <class Visitor>
void Fields(Visitor& visit, Unmet& value) {
  auto& [kind, text, word, near] = value;
  visit(kind, text, word, near);
}

// Of an outcome with trouble nothing is kept, and the time that it took is not that of another run.
template <class Visitor>
void Fields(Visitor& visit, Outcome& value) {
  auto& [file, assumed, unmet, trouble, timing] = value;
  visit(file, assumed, unmet);
}

template <class Visitor>
void Fields(Visitor& visit, Lookup& value) {
  auto& [importer, spelled, found] = value;
  visit(importer, spelled, found);
}

template <class Visitor>
void Fields(Visitor& visit, ProgramResult& value) {
  auto& [lookups, outcomes] = value;
  visit(lookups, outcomes);
}

// As a ProgramResult is read.
std::string ToBytes(const std::vector<Lookup>& lookups, const std::vector<const Outcome*>& outcomes) {
  ByteWriter writer;
  writer(lookups, outcomes.size());
  for (const Outcome* outcome : outcomes) writer(*outcome);
  return writer.Take();
}

bool FromBytes(std::string_view bytes, ProgramResult& result) {
  ByteReader reader(bytes);
  reader(result);
  return reader.Complete();
}

}  // namespace cpnlint::cli
