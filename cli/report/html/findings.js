// The findings: chips, search, order, j and k, links to each.

const filter = { severity: new Set(), family: new Set(), confidence: new Set(), text: "", order: "place" };
const kAtOnce = 300;  // cards that stand in the page before somebody asks for more
const cards = [];
let most = kAtOnce;

function costText(finding) {
  const cost = finding.cost;
  if (!cost) return null;
  if (cost.unpriced) return ["no price: " + cost.unpriced];
  const parts = [seconds(cost.per_pass.mid) + " a " + cost.per + " (" + seconds(cost.per_pass.low) + " to " + seconds(cost.per_pass.high) + ")"];
  if (cost.gain_if_fixed && cost.passes !== "1") parts.push(seconds(cost.gain_if_fixed.mid) + " over " + cost.passes + " passes");
  if (cost.share > 0) parts.push(percent(cost.share) + " of the time");
  const terms = cost.terms.slice(0, 2).map((term) => term.formula).join(", ");
  const assumed = cost.assumptions.slice(0, 3).join(", ");
  return [words(parts.join(", ")), terms ? ": " + terms : "", h("span", { class: "soft" }, " (" + cost.profile + (assumed ? ", " + assumed : "") + ")")];
}

function row(title, ...value) {
  return h("div", null, h("dt", null, title), h("dd", null, value));
}

function ruleBox(finding) {
  const rule = page.rules[finding.rule];
  if (!rule) return null;
  return h("details", null, h("summary", { class: "small" }, "About " + finding.rule + " " + finding.slug),
    h("p", null, words(rule.summary)),
    rule.bad ? [h("p", { class: "small soft" }, "Example"), h("pre", { class: "plain" }, rule.bad.trim())] : null,
    rule.good ? [h("p", { class: "small soft" }, "Instead"), h("pre", { class: "plain" }, rule.good.trim())] : null,
    rule.recipe ? [h("p", { class: "small soft" }, "Recipe " + finding.recipe), h("p", { class: "plain small" }, words(rule.recipe.trim()))] : null);
}

function findingCard(finding, index) {
  const more = page.texts[index];
  const lines = [];
  if (more.label) lines.push(row("there", words(more.label)));
  if (more.why) lines.push(row("why", words(more.why)));
  const cost = costText(finding);
  if (cost) lines.push(row("cost", cost));
  if (more.help) lines.push(row("help", finding.recipe && !more.help.startsWith("RR-") ? h("strong", null, finding.recipe + "  ") : "", words(more.help)));
  if (finding.related.length) {
    lines.push(row("story", h("ul", { class: "plainlist" }, finding.related.map((r) => h("li", null, placeLink(r), " ", r.rule ? r.rule + " " : "", words(r.message))))));
  }
  if (finding.also.length) lines.push(row("also at", finding.also.map((a, i) => [i ? ", " : "", placeLink({ ...a, path: finding.path }, true)])));
  if (finding.doctor) lines.push(row("Doctor", "“" + finding.doctor + "”"));
  return h("li", { class: "finding " + finding.severity, id: "f-" + finding.fingerprint, tabindex: "-1" },
    h("header", null, severityBadge(finding), h("h3", null, words(finding.message)),
      finding.confidence === "certain" ? null : h("span", { class: "badge" }, finding.confidence)),
    h("div", { class: "small soft" }, placeLink(finding), finding.function ? [" in ", h("code", null, finding.function)] : "", " · ", finding.slug, " · ", finding.family),
    h("dl", null, lines),
    h("div", { class: "actions" },
      more.source === null ? null : h("a", { href: "#s-" + more.source + "-" + more.line, class: "tosource" }, "In its source"),
      h("a", { href: "#f-" + finding.fingerprint }, "Link to this"), ruleBox(finding)));
}

function chip(group, value, number) {
  const button = h("button", { type: "button", "aria-pressed": "false", onclick: () => {
    const set = filter[group];
    if (!set.delete(value)) set.add(value);
    button.setAttribute("aria-pressed", String(set.has(value)));
    applyFilter();
  } }, kSigns[value] ? h("span", { "aria-hidden": "true" }, kSigns[value] + " ") : "", value, " ", h("span", { class: "num" }, String(number)));
  return button;
}

function chips(group, title) {
  const numbers = new Map();
  for (const finding of doc.findings) numbers.set(finding[group], (numbers.get(finding[group]) || 0) + 1);
  if (numbers.size < 2) return null;
  const order = ["error", "warning", "info", "blocks", "refactor", "memory", "certain", "likely", "possible"];
  const values = [...numbers.keys()].sort((a, b) => (order.indexOf(a) + 99) % 99 - (order.indexOf(b) + 99) % 99 || (a < b ? -1 : 1));
  return h("fieldset", { class: "chips" }, h("legend", null, title), values.map((value) => chip(group, value, numbers.get(value))));
}

function haystack(finding, index) {
  const more = page.texts[index];
  return [finding.rule, finding.slug, finding.message, finding.path, finding.function || "", more.why, more.help, finding.recipe || ""].join("\n").toLowerCase();
}

function matches(entry) {
  const finding = entry.finding;
  for (const group of ["severity", "family", "confidence"]) {
    if (filter[group].size && !filter[group].has(finding[group])) return false;
  }
  if (!filter.text) return true;
  entry.words ??= haystack(finding, entry.index);
  return filter.text.split(/\s+/).every((word) => entry.words.includes(word));
}

function elementOf(entry) {
  return (entry.element ??= findingCard(entry.finding, entry.index));
}

function weightOf(finding) {
  return finding.cost && finding.cost.share ? finding.cost.share : 0;
}
const kRank = { error: 0, warning: 1, info: 2 };
const kOrders = {
  place: (a, b) => a.index - b.index,
  cost: (a, b) => weightOf(b.finding) - weightOf(a.finding) || a.index - b.index,
  severity: (a, b) => kRank[a.finding.severity] - kRank[b.finding.severity] || a.index - b.index,
};

function applyFilter() {
  const there = cards.filter(matches).sort(kOrders[filter.order]);
  document.getElementById("finding-list").replaceChildren(...there.slice(0, most).map(elementOf));
  const text = there.length === cards.length ? plural(there.length, "finding") : there.length + " of " + plural(cards.length, "finding");
  document.getElementById("finding-count").textContent = text;
  document.getElementById("finding-none").hidden = there.length > 0;
  const more = document.getElementById("finding-more");
  more.hidden = there.length <= most;
  more.textContent = "Show more, " + (there.length - most) + " are left";
  say(text);
}

// Brings a finding into the list that is filtered away or beyond its end.
function bringIn(fingerprint) {
  const entry = cards.find((one) => one.finding.fingerprint === fingerprint);
  if (!entry || (entry.element && entry.element.isConnected)) return;
  most = Math.max(most, [...cards].sort(kOrders[filter.order]).indexOf(entry) + 1);
  clearFilter();
}

// What a baseline or a comparison with a commit keeps from the list, in a few words.
function hiddenText() {
  const { baseline, diff_base: since } = doc.hidden || {};
  const parts = [];
  if (baseline) parts.push(plural(baseline.findings, "finding") + " of the baseline " + baseline.path);
  if (since) parts.push(plural(since.findings, "finding") + " in what is unchanged since " + since.commit);
  return parts.length ? "Not shown: " + parts.join(" and ") + "." : "";
}

function drawFindings() {
  const hidden = hiddenText();
  if (!doc.findings.length) {
    section("findings", "Findings", hidden, h("p", null, hidden ? "No other." : "None for this code."));
    return;
  }
  doc.findings.forEach((finding, index) => cards.push({ finding, index, element: null, words: null }));
  const search = h("input", { type: "search", class: "field", id: "search", autocomplete: "off", spellcheck: "false", oninput: () => { filter.text = search.value.trim().toLowerCase(); applyFilter(); } });
  const order = h("select", { id: "order", onchange: () => { filter.order = order.value; applyFilter(); } },
    h("option", { value: "place" }, "by place"), h("option", { value: "cost" }, "by cost"), h("option", { value: "severity" }, "by severity"));
  section("findings", "Findings", hidden,
    h("div", { class: "filters", role: "search" },
      h("div", { class: "row" }, h("div", { class: "search" }, h("label", { for: "search" }, "Search"), search), h("label", { for: "order" }, "Order"), order),
      h("div", { class: "row" }, chips("severity", "Severity"), chips("family", "Family"), chips("confidence", "Confidence")),
      h("div", { class: "small soft", id: "finding-count" })),
    h("ol", { class: "list", id: "finding-list" }),
    h("p", null, h("button", { type: "button", id: "finding-more", hidden: true, onclick: () => { most += kAtOnce; applyFilter(); } })),
    h("p", { id: "finding-none", hidden: true }, "No finding is like that. ", h("button", { type: "button", onclick: clearFilter }, "Show all")));
  applyFilter();
  say("");
}

function clearFilter() {
  for (const group of ["severity", "family", "confidence"]) filter[group].clear();
  for (const button of document.querySelectorAll(".chips button")) button.setAttribute("aria-pressed", "false");
  document.getElementById("search").value = filter.text = "";
  applyFilter();
}

function shownCards() {
  const list = document.getElementById("finding-list");
  return list ? [...list.children] : [];
}

function goToFinding(step) {
  const list = shownCards();
  if (!list.length) return;
  const at = list.findIndex((element) => element.classList.contains("current"));
  const next = at < 0 ? (step > 0 ? 0 : list.length - 1) : Math.min(list.length - 1, Math.max(0, at + step));
  markCurrent(list[next]);
  list[next].focus({ preventScroll: true });
  list[next].scrollIntoView({ block: "nearest" });
}

function markCurrent(element) {
  for (const other of document.querySelectorAll(".finding.current")) other.classList.remove("current");
  if (element) element.classList.add("current");
}
