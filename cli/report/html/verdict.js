// The verdict with its gates, and what to fix first.

const kTiers = ["READY", "LIGHT REFACTOR", "SIGNIFICANT REFACTOR", "NOT RECOMMENDED"];
const kTierWords = ["swap the import and benchmark", "apply the recipes, check again", "weeks of work per module", "another tool, or another form"];
const kSigns = { error: "✖", warning: "▲", info: "●", pass: "✔", fail: "✖", uncertain: "?" };

function fact(title, value, more) {
  return h("div", { class: "fact" }, h("dt", null, title), h("dd", null, value, more ? h("small", null, more) : null));
}

// Working time, with what a reader can plan with.
function hours(value) {
  if (value < 1) return Math.round(value * 60) + " min";
  return value < 16 ? Math.round(value) + " h" : Math.round(value / 8) + " d";
}
function hoursRange(range) {
  return hours(range.low) + " to " + hours(range.high);
}

function countOf(severity) {
  return doc.findings.filter((finding) => finding.severity === severity).length;
}

function drawVerdict() {
  const verdict = doc.verdict;
  const tier = verdict ? kTiers.indexOf(verdict.name) : -1;
  const facts = [
    fact("Findings", String(doc.findings.length), [plural(countOf("error"), "error"), ", ", plural(countOf("warning"), "warning"), ", ", plural(countOf("info"), "remark")]),
    fact("Code", plural(doc.files.analysed, "file"), [count(doc.files.lines), " lines analysed", doc.files.failed ? ", " + doc.files.failed + " could not be" : "", doc.files.skipped ? ", " + doc.files.skipped + " without arrays" : ""]),
  ];
  const report = page.report;
  if (report && verdict.name !== "NOT RECOMMENDED") {
    const { findings, fixed } = report.effort_hours;
    facts.push(fact("Effort", findings.high > 0 ? hoursRange(findings) : "none", [findings.high > 0 ? "for the findings; " : "for findings; ", hoursRange(fixed), " for plan, tests and checks on GPUs"]));
  }
  if (page.models.length) {
    loadModel(0);
    const curve = model.gpus.map((_, i) => lookUp(0, model.machine, 0, i));
    const { stop, best } = judge(curve, model.machines[model.machine].pool);
    const first = model.asked[0] || { gpus: 1, mid: curve[0].time }, unit = model.machines[model.machine].gpu ? "GPU" : "core";
    facts.push(fact(model.regions[0].loop ? "A pass of the hottest loop" : "The program", seconds(first.mid),
      [first.low ? ["between ", seconds(first.low), " and ", seconds(first.high), " "] : "", "on ", plural(first.gpus, unit), ", ", doc.target.profile]));
    facts.push(fact("Pays up to", plural(stop, unit), ["a further doubling returns less than 70 %; fastest with ", String(best)]));
  }
  if (report && report.patterns.length) {
    facts.push(fact("Kind of work", report.patterns[0].name, report.patterns.slice(0, 3).map((p, i) => (i ? ", " : "") + p.name + " " + percent(p.share))));
  }
  const range = verdict && verdict.range.length > 1 ? verdict.range[1] : null;
  const ladder = kTiers.map((name, i) => h("li", { "aria-current": i === tier ? "true" : null, class: name === range ? "also" : null },
    i === tier ? "➤ " : "", name, h("br"), h("span", { class: "soft" }, kTierWords[i])));
  const hero = h("section", { class: "card hero " + (tier < 0 ? "tier-none" : "tier-" + tier), id: "verdict", "aria-labelledby": "verdict-title" },
    h("p", { class: "of" }, "Is it ready for cuPyNumeric ", doc.target.version, "? ", h("span", { class: "where" }, page.program || "")),
    h("h1", { id: "verdict-title" }, verdict ? verdict.name : "NOTHING TO PORT"),
    h("p", { class: "sentence" }, verdict ? words(verdict.sentence) : "No code here works on arrays, so there is no verdict."),
    page.action ? h("p", null, h("strong", null, "What to do: "), page.action) : null,
    page.wider ? h("p", { class: "warn" }, page.wider, ".") : null,
    verdict && verdict.provisional ? h("p", { class: "warn" }, "Provisional: much of the hot code could not be analysed.") : null,
    verdict ? h("ol", { class: "ladder", "aria-label": "The four verdicts" }, ladder) : null,
    h("dl", { class: "facts" }, facts));
  document.getElementById("main").append(hero);
  document.getElementById("nav").append(h("li", null, h("a", { href: "#verdict" }, "Verdict")));
  if (!verdict) return;
  if (verdict.programs.length > 1) {
    hero.append(h("details", null, h("summary", null, "The worst of " + verdict.programs.length + " programs speaks for the run"),
      h("ul", { class: "plainlist" }, verdict.programs.map((p) => h("li", null, h("strong", null, p.name), " ", h("span", { class: "where" }, p.root))))));
  }
  drawFixFirst(verdict);
  drawGates(verdict);
}

function drawBudgets() {
  if (!doc.budgets) return;
  section("budgets", "Budgets", "Limits of the project, and what this run found.", h("ol", { class: "gates" }, doc.budgets.map((budget) => {
    const status = budget.exceeded ? "fail" : "pass";
    return h("li", { class: "gate " + status },
      h("header", null, h("h3", null, budget.name), h("span", { class: "status" }, h("span", { "aria-hidden": "true" }, kSigns[status] + " "), budget.exceeded ? "exceeded" : "kept")),
      h("p", null, words(budget.message)));
  })));
}

function drawGates(verdict) {
  const cards = verdict.gates.map((gate) => h("li", { class: "gate " + gate.status },
    h("header", null, h("h3", null, gate.gate + ". " + gate.name), h("span", { class: "status" }, h("span", { "aria-hidden": "true" }, kSigns[gate.status] + " "), gate.status)),
    h("p", null, words(gate.reason)),
    gate.evidence.length ? h("details", null, h("summary", { class: "small" }, plural(gate.evidence.length, "place")),
      h("ul", null, gate.evidence.map((e) => h("li", null, placeLink(e), " ", words(e.message || ""))))) : null));
  section("gates", "Gates", "Six questions that decide whether a port pays, beside the findings.",
    h("ol", { class: "gates" }, cards),
    h("p", null, h("strong", null, "All in all: "), verdict.composite || "no line while the sizes are not known"));
}

function gainOf(finding) {
  const cost = finding.cost;
  if (!cost || cost.unpriced || !(cost.per_pass.mid > 0)) return null;
  return cost;
}

function drawFixFirst(verdict) {
  if (!verdict.fixes.length) return;
  const linkTo = (index) => h("a", { href: "#f-" + doc.findings[index].fingerprint }, doc.findings[index].rule);
  const rows = verdict.fixes.map((fix) => {
    const finding = doc.findings[fix.finding], cost = gainOf(finding);
    return h("li", null,
      h("div", null, severityBadge(finding), " ", h("a", { href: "#f-" + finding.fingerprint }, words(finding.message))),
      h("div", { class: "gain" }, fix.share > 0 ? [percent(fix.share), h("small", null, "of the time")] : h("small", null, "no price")),
      h("div", { class: "meta small" }, placeLink(finding), " · ", hoursRange(fix.hours), finding.recipe ? [" · recipe ", h("code", null, finding.recipe)] : "",
        cost ? [" · saves about ", seconds(cost.per_pass.mid), " a ", words(cost.per)] : "", fix.seconds > 0 ? [", ", seconds(fix.seconds), " in all"] : "",
        fix.unlocks.length ? [" · before ", fix.unlocks.map((index, i) => [i ? ", " : "", linkTo(index)])] : ""));
  });
  section("fix", "Fix first", "In this order: what gains most for the least work, and no fix has to be made twice.", h("ol", { class: "fix" }, rows));
}

function severityBadge(finding) {
  return h("span", { class: "badge " + finding.severity }, h("span", { "aria-hidden": "true" }, kSigns[finding.severity] + " "), finding.rule, h("span", { class: "sr" }, " " + finding.severity));
}
