// Source with findings in the margin and the lives of arrays beside it. A file is drawn when it is opened first.

const kKeywords = new Set(("False None True and as assert async await break case class continue def del elif else except finally for from global if import in is " +
  "lambda match nonlocal not or pass raise return try while with yield").split(" "));
const kToken = /#.*|[rRbBuUfFtT]{0,2}("""|''')|[rRbBuUfFtT]{0,2}(?:"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|\b\d[\w.]*|[^\W\d]\w*/gu;
const kLongest = 1500;
const kLanes = 10;
const kFoldFrom = 80, kFoldAround = 8, kFoldLeast = 12;  // lines
const sourceOf = new Map(page.sources.map((source, index) => [source.path, { source, index }]));
const lineIds = new Map();

function anchorOf(path, line) {
  const found = sourceOf.get(path);
  return found ? "s-" + found.index + "-" + line : "source";
}

// Line of the analysed text for a place of the JSON, which counts within the cell of a notebook.
function lineOf(source, place) {
  const start = place.start || place;
  if (!place.cell) return start.line;
  for (const chunk of source.chunks) {
    const at = (chunk.cells || []).findIndex(([cell, line]) => cell === place.cell && line === start.line);
    if (at >= 0) return chunk.first + at;
  }
  return start.line;
}

function placeLink(item, short) {
  const found = sourceOf.get(item.path);
  const start = item.start || item;
  const label = short ? (item.cell ? "cell " + item.cell + ":" : "") + start.line : placeOf(item);
  if (!found || !start.line) return h("span", { class: "where" }, label);
  return h("a", { class: "where", href: "#" + anchorOf(item.path, lineOf(found.source, item)) }, label);
}

// One class per character: what Python makes of the line. `open` is the quote of a text that goes on from before.
function paint(line, open) {
  const classes = new Array(line.length).fill("");
  const put = (from, to, name) => classes.fill(name, from, to);
  let at = 0;
  if (open) {
    const end = line.indexOf(open);
    if (end < 0) return [classes.fill("t-s"), open];
    put(0, (at = end + 3), "t-s");
  }
  let defines = false;
  kToken.lastIndex = at;
  for (let token; (token = kToken.exec(line)); ) {
    const from = token.index, to = from + token[0].length, first = token[0][0];
    if (token[1]) {
      const end = line.indexOf(token[1], to);
      if (end < 0) return [(put(from, line.length, "t-s"), classes), token[1]];
      put(from, end + 3, "t-s");
      kToken.lastIndex = end + 3;
    } else if (first === "#") put(from, to, "t-c");
    else if (/["']/.test(token[0])) put(from, to, "t-s");
    else if (/\d/.test(first)) put(from, to, "t-n");
    else if (kKeywords.has(token[0])) put(from, to, "t-k");
    else if (defines) put(from, to, "t-d");
    defines = token[0] === "def" || token[0] === "class";
  }
  return [classes, null];
}

function codeCell(text, state, marks) {
  const cut = text.length > kLongest;
  const characters = Array.from(cut ? text.slice(0, kLongest) : text);
  const flat = characters.map((c) => (c.length > 1 ? "\u25a1" : c)).join("");
  const [classes, open] = paint(flat, state.open);
  state.open = open;
  const marked = new Array(characters.length).fill("");
  for (const [, from, to, kind] of marks) {
    const end = to ? to - 1 : characters.length;
    for (let i = from - 1; i < Math.min(end, characters.length); ++i) {
      if (!marked[i] || kind !== "story") marked[i] = kind;
    }
  }
  const cell = h("td", { class: "src" });
  for (let i = 0; i < characters.length; ) {
    let end = i + 1;
    while (end < characters.length && classes[end] === classes[i] && marked[end] === marked[i]) ++end;
    const run = characters.slice(i, end).join("");
    const inner = classes[i] ? h("span", { class: classes[i] }, run) : shown(run);
    fill(cell, [marked[i] ? h("u", { class: "m " + marked[i] }, inner) : inner]);
    i = end;
  }
  if (cut) fill(cell, ["…"]);
  return cell;
}

function marksOf(index) {
  const marks = new Map(), findings = new Map();
  doc.findings.forEach((finding, i) => {
    const more = page.texts[i];
    if (more.source !== index) return;
    for (const mark of more.marks) {
      const kind = mark[3] === "primary" ? finding.severity : "story";
      push(marks, mark[0], [mark[0], mark[1], mark[2], kind, mark[4], finding]);
    }
    push(findings, more.line, finding);
  });
  return { marks, findings };
}

function push(map, key, value) {
  if (map.has(key)) map.get(key).push(value);
  else map.set(key, [value]);
}

// Arrays side by side: each has a lane from where it is made to where it is used last.
function lanesOf(source) {
  const ends = [], lanes = [];
  const sorted = source.arrays.map((array) => ({ array, from: Math.min(array.line, ...array.events.map((e) => e[0])), to: Math.max(array.line, ...array.events.map((e) => e[0])) }));
  sorted.sort((a, b) => a.from - b.from || a.to - b.to);
  for (const one of sorted) {
    let lane = ends.findIndex((end) => end < one.from);
    if (lane < 0) lane = ends.length;
    if (lane >= kLanes) continue;
    ends[lane] = one.to;
    // The stroke begins where the array is made; what functions above do with it stands by itself.
    lanes.push({ array: one.array, from: one.array.line, to: one.to, lane });
  }
  return { lanes, width: ends.length };
}

const kGlyphs = { born: ["●", "born", "made here"], r: ["○", "read", "read"], w: ["■", "write", "written"], h: ["◆", "host", "moved to the host"] };

function laneCell(view, line, quiet) {
  const cell = h("td", { class: "lane", "aria-hidden": "true" });
  if (!view.width) return cell;
  cell.style.minWidth = cell.style.width = view.width * 14 + 8 + "px";
  cell.style.position = "relative";
  const strokes = [];
  for (const { array, from, to, lane } of view.lanes) {
    const x = lane * 14 + 10;
    const events = quiet ? [] : array.events.filter((e) => e[0] === line).map((e) => e[1]);
    if (!quiet && array.line === line) events.push("born");
    if (line >= from && line <= to && from !== to && !(line === to && quiet)) {
      const top = line === from && !quiet ? "0.75em" : "0";
      const size = line === from && !quiet ? "calc(100% - 0.75em)" : line === to ? "0.75em" : "100%";
      strokes.push(`linear-gradient(var(--soft),var(--soft)) ${x - 1}px ${top}/2px ${size} no-repeat`);
    }
    const what = ["h", "born", "w", "r"].find((kind) => events.includes(kind));
    if (!what) continue;
    const glyph = h("span", { class: "glyph " + kGlyphs[what][1], title: "`" + array.name + "` " + events.map((kind) => kGlyphs[kind][2]).join(", ") }, kGlyphs[what][0]);
    glyph.style.left = x - 6 + "px";
    cell.append(glyph);
  }
  cell.style.background = strokes.join(",");
  return cell;
}

function margin(finding, view, line) {
  const cost = gainOf(finding);
  return h("tr", { class: "note " + finding.severity }, h("th", null), laneCell(view, line, true),
    h("td", null, h("div", { class: "margin" }, severityBadge(finding), " ", h("a", { href: "#f-" + finding.fingerprint }, words(finding.message)),
      cost && cost.share > 0 ? h("span", { class: "soft" }, " · " + percent(cost.share) + " of the time") : "")));
}

function remarks(marks, good, born) {
  const out = [];
  const seen = new Set();
  for (const [, , , kind, text, finding] of marks) {
    if (kind !== "story" || !text || seen.has(text)) continue;
    seen.add(text);
    out.push(h("a", { class: "remark", href: "#f-" + finding.fingerprint }, "← ", words(text)));
  }
  for (const array of born) out.push(h("span", { class: "remark" }, h("span", { "aria-hidden": "true" }, "● "), h("code", null, array.name), array.bytes > 0 ? " " + bytes(array.bytes) : ""));
  for (const one of good) out.push(h("span", { class: "remark fine" }, "✔ scales: " + one.rule));
  return out;
}

function drawCode(index, box) {
  const source = page.sources[index], path = source.path;
  const { marks, findings } = marksOf(index);
  const view = lanesOf(source);
  const good = new Map();
  for (const one of doc.good.filter((g) => g.path === path)) {
    one.lines.forEach((line, i) => push(good, lineOf(source, { cell: one.cells ? one.cells[i] : null, line }), one));
  }
  const body = h("tbody", null);
  let next = 1, cell = 0;
  for (const chunk of source.chunks) {
    if (chunk.first > next) body.append(gap(next, chunk.first - 1));
    const state = { open: null };
    chunk.text.forEach((text, i) => {
      const line = chunk.first + i;
      const at = chunk.cells ? chunk.cells[i] : null;
      if (at && at[0] !== cell) {
        cell = at[0];
        body.append(h("tr", { class: "cell" }, h("td", { colspan: "3" }, "cell " + cell)));
        state.open = null;
      }
      const here = findings.get(line) || [];
      const worst = [...here].sort((a, b) => kRank[a.severity] - kRank[b.severity])[0];
      const number = at ? at[1] : line;
      const src = codeCell(text, state, marks.get(line) || []);
      fill(src, [remarks(marks.get(line) || [], good.get(line) || [], source.arrays.filter((array) => array.line === line))]);
      body.append(h("tr", { id: "s-" + index + "-" + line, class: worst ? "hit " + worst.severity : null },
        h("th", { scope: "row" }, worst ? h("span", { "aria-hidden": "true" }, kSigns[worst.severity] + " ") : "", String(number)), laneCell(view, line, false), src));
      for (const finding of here) body.append(margin(finding, view, line));
    });
    next = chunk.first + chunk.text.length;
  }
  if (next <= source.lines) body.append(gap(next, source.lines));
  fold(body, source);
  box.append(h("table", { class: "code" }, h("caption", { class: "sr" }, "Source of " + path), body));
}

// In long files, lines far from any finding wait behind a button.
function fold(body, source) {
  if (source.lines <= kFoldFrom) return;
  const rows = [...body.rows];
  const near = new Array(rows.length).fill(false);
  rows.forEach((row, i) => {
    if (!row.querySelector("u.m") && !row.classList.contains("note") && !row.classList.contains("gap")) return;
    for (let k = Math.max(0, i - kFoldAround); k <= Math.min(rows.length - 1, i + kFoldAround); ++k) near[k] = true;
  });
  for (let i = 0; i < rows.length; ) {
    let end = i;
    while (end < rows.length && !near[end]) ++end;
    if (end - i >= kFoldLeast) foldRows(rows.slice(i, end));
    i = Math.max(end, i + 1);
  }
}

function foldRows(rows) {
  const button = h("button", { type: "button", class: "link unfold" }, "show " + plural(rows.length, "line"));
  const head = h("tr", { class: "gap fold" }, h("td", { colspan: "3" }, button));
  button.addEventListener("click", () => {
    head.remove();
    for (const row of rows) row.hidden = false;
  });
  rows[0].before(head);
  for (const row of rows) row.hidden = true;
}

// Shows a line that is folded away.
function unfold(row) {
  if (!row.hidden) return;
  let head = row;
  while (head && !head.classList.contains("fold")) head = head.previousElementSibling;
  if (head) head.querySelector("button").click();
}

function gap(from, to) {
  return h("tr", { class: "gap" }, h("td", { colspan: "3" }, from === to ? "line " + from + " is not in this page" : "lines " + from + " to " + to + " are not in this page"));
}

function linesText(path, lines) {
  return [...new Set(lines)].sort((a, b) => a - b).map((line, i) => [i ? ", " : "", h("a", { href: "#" + anchorOf(path, line) }, String(line))]);
}

function arrayTable(source) {
  if (!source.arrays.length) return null;
  const rows = source.arrays.map((array) => {
    const of = (kind) => linesText(source.path, array.events.filter((e) => e[1] === kind).map((e) => e[0]));
    return h("tr", null, h("th", { scope: "row" }, h("code", null, array.name), array.function ? h("span", { class: "soft small" }, " in " + array.function) : ""),
      h("td", null, linesText(source.path, [array.line])), h("td", null, of("w")), h("td", null, of("r")), h("td", null, of("h")),
      h("td", { class: "num" }, array.bytes > 0 ? bytes(array.bytes) + (array.known ? "" : " assumed") : "not known"));
  });
  return h("details", { class: "arrays" }, h("summary", null, "The lives of " + plural(source.arrays.length, "array"), h("span", { class: "soft" }, "  ● made  ■ written  ○ read  ◆ moved to the host")),
    h("div", { class: "scroll" }, h("table", null, h("caption", null, "By line; size on one GPU."),
      h("thead", null, h("tr", null, ["array", "made", "written", "read", "moved to the host", "size"].map((t) => h("th", { scope: "col" }, t)))), h("tbody", null, rows))));
}

function drawSources() {
  if (!page.sources.length) return;
  const made = section("source", "Source", "Findings in the margin, arrays as lines beside the code from where they are made to where they are used last: ● made, ■ written, ○ read, ◆ moved to the host.");
  const mineOf = page.sources.map(() => []);
  doc.findings.forEach((finding, i) => { if (page.texts[i].source !== null) mineOf[page.texts[i].source].push(finding); });
  // What costs most stands first, and open.
  const order = page.sources.map((source, index) => ({
    source, index, weight: mineOf[index].reduce((sum, finding) => sum + weightOf(finding), 0), errors: mineOf[index].filter((finding) => finding.severity === "error").length }));
  order.sort((a, b) => b.weight - a.weight || b.errors - a.errors || a.index - b.index);
  order.forEach(({ source, index }) => {
    const mine = mineOf[index];
    const box = h("div", { class: "codebox", tabindex: "0", role: "region", "aria-label": "Source of " + source.path });
    const details = h("details", { class: "file", id: "file-" + index, ontoggle: () => openFile(details, index, box) },
      h("summary", null, h("span", { class: "name" }, source.path), h("span", { class: "soft small" }, plural(source.lines, "line")),
        ["error", "warning", "info"].map((severity) => {
          const number = mine.filter((f) => f.severity === severity).length;
          return number ? h("span", { class: "badge " + severity }, h("span", { "aria-hidden": "true" }, kSigns[severity] + " "), plural(number, severity === "info" ? "remark" : severity)) : null;
        })),
      box, arrayTable(source));
    made.append(details);
  });
  const first = made.querySelector("details.file");
  if (first) first.open = true;
}

function openFile(details, index, box) {
  if (details.open && !box.firstChild) drawCode(index, box);
}

// Opens what a link points into; gives the element.
function reveal(id) {
  const line = /^s-(\d+)-(\d+)$/.exec(id);
  if (line) {
    const details = document.getElementById("file-" + line[1]);
    if (!details) return null;
    details.open = true;
    openFile(details, Number(line[1]), details.querySelector(".codebox"));
  }
  if (id.startsWith("f-")) bringIn(id.slice(2));
  const element = document.getElementById(id);
  if (element && element.tagName === "TR") unfold(element);
  for (let up = element && element.parentElement; up; up = up.parentElement) {
    if (up.tagName === "DETAILS") up.open = true;
  }
  return element;
}
