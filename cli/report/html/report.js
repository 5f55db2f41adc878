// What else a report has: its sections, what was not analysed, where all of it comes from.

function entryItem(entry) {
  return h("li", null, entry.path ? [placeLink(entry), "  "] : "", entry.rule ? [h("span", { class: "badge" }, entry.rule), " "] : "", words(entry.text),
    entry.details.length ? h("ul", null, entry.details.map((d) => h("li", null, words(d)))) : null);
}

function drawReport() {
  if (!page.report) return;
  // The verdict and the gates stand above already.
  const rest = page.report.sections.filter((s) => s.title !== "Verdict" && s.title !== "Gates");
  section("report", "The whole report", "Everything the readiness report says, section by section.",
    h("div", { class: "sections" }, rest.map((s) => h("details", null, h("summary", null, s.title, h("span", { class: "soft" }, s.entries.length ? "  " + s.entries.length : "  none")),
      s.entries.length ? h("ul", { class: "plainlist" }, s.entries.map(entryItem)) : h("p", null, words(s.empty || "None for this code."))))),
    h("details", { class: "sections" }, h("summary", null, "What was taken for granted"),
      h("div", { class: "scroll" }, h("table", null, h("tbody", null, Object.entries(page.report.header).map(([name, value]) => h("tr", null, h("th", { scope: "row" }, name), h("td", null, words(value)))))))));
}

function drawNotes() {
  const notes = doc.notes;
  if (!notes.length) return;
  section("notes", "Not analysed, and other notes", null,
    h("ul", { class: "plainlist" }, notes.map((note) => h("li", null, placeLink(note), " ", h("span", { class: "badge" }, note.kind), " ", words(note.message)))));
}

function download() {
  const blob = new Blob([JSON.stringify(doc) + "\n"], { type: "application/json" });
  const link = h("a", { href: "", download: "cpnlint.json" });
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function drawFoot() {
  document.getElementById("foot").append(h("p", null, "cpnlint ", doc.tool.version, ", rules ", doc.tool.rules_version, ", for cuPyNumeric ", doc.target.version, ", machine profile ", doc.target.profile || "none", page.profile_note ? " (" + page.profile_note + ")" : "",
    ". Made from the source alone; nothing was run. ", h("button", { type: "button", class: "link", onclick: download }, "The same as JSON")));
}
