// Data, words and elements. Text of the analysed program only ever becomes text nodes, never markup.

// Texts that stand there several times are in a table, objects are lists behind the number of their keys
// (html_pack.cpp).
function island(id) {
  const { strings, shapes, data } = JSON.parse(document.getElementById(id).textContent);
  const open = (value) => {
    if (typeof value === "string") return value[0] !== "~" ? value : value[1] === "~" ? value.slice(1) : strings[value.slice(1)];
    if (!Array.isArray(value)) return value;
    const items = value.slice(1).map(open);
    return value[0] < 0 ? items : Object.fromEntries(shapes[value[0]].map((key, i) => [key, items[i]]));
  };
  return open(data);
}

const doc = island("cpnlint-json");
const page = island("cpnlint-page");

// Characters that show nothing, or turn the order of what follows: shown by their code instead.
const kHidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/;

function codeOf(character) {
  return "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
}

// The text as nodes, with hidden characters made visible.
function shown(text) {
  text = String(text);
  if (!kHidden.test(text)) return [document.createTextNode(text)];
  const nodes = [];
  let plain = "";
  for (const character of text) {
    if (!kHidden.test(character)) {
      plain += character;
      continue;
    }
    if (plain) nodes.push(document.createTextNode(plain));
    plain = "";
    nodes.push(h("span", { class: "ctl", title: "a character that cannot be seen" }, codeOf(character)));
  }
  if (plain) nodes.push(document.createTextNode(plain));
  return nodes;
}

// The same for attributes, which hold no elements.
function plainText(text) {
  return Array.from(String(text), (c) => (kHidden.test(c) ? codeOf(c) : c)).join("");
}

const kSvg = "http://www.w3.org/2000/svg";
const kSvgNames = new Set(["svg", "g", "path", "line", "circle", "rect", "text", "title", "polygon", "polyline"]);

// h("p", {class: "soft"}, "words", node, [more nodes], null)
function h(name, attributes, ...children) {
  const svg = kSvgNames.has(name);
  const element = svg ? document.createElementNS(kSvg, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : plainText(value));
  }
  fill(element, children);
  return element;
}

function fill(element, children) {
  for (const child of children.flat(4)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    if (child instanceof Node) element.append(child);
    else element.append(...shown(child));
  }
}

// Words with `code` in back-ticks.
function words(text) {
  return String(text).split("`").map((part, i) => (i % 2 ? h("code", null, part) : part));
}

function plural(count, noun) {
  return count + " " + noun + (count === 1 ? "" : "s");
}

// As the command line prints them: two significant digits, three from 100 on.
function significant(value) {
  return value >= 99.5 ? value.toFixed(0) : Number(value.toPrecision(2)).toString();
}
function seconds(value) {
  if (!(value > 0)) return "0 s";
  if (value >= 2 * 365.25 * 86400) return significant(value / (365.25 * 86400)) + " years";
  if (value >= 3 * 86400) return significant(value / 86400) + " days";
  if (value >= 2 * 3600) return significant(value / 3600) + " h";
  if (value >= 600) return significant(value / 60) + " min";
  if (value >= 1) return significant(value) + " s";
  if (value >= 0.995e-3) return significant(value * 1e3) + " ms";
  return significant(value * 1e6) + " µs";
}
function bytes(value) {
  const units = ["B", "KB", "MB", "GB", "TB", "PB", "EB"];
  let unit = 0;
  for (; value >= 999.5 && unit + 1 < units.length; ++unit) value /= 1000;
  return (unit === 0 ? value.toFixed(0) : significant(value)) + " " + units[unit];
}
function percent(share) {
  if (!(share > 0)) return "0 %";
  if (share >= 0.95) return Math.round(share * 100) + " %";
  return Number((share * 100).toPrecision(1)) + " %";
}
function count(value) {
  return value >= 1e15 ? value.toPrecision(3) : Math.round(value).toLocaleString("en-US").replace(/,/g, "\u00a0");
}

function placeOf(item) {
  const start = item.start || item;
  let text = item.path || "";
  if (item.cell) text += ":cell " + item.cell;
  if (start.line) text += ":" + start.line;
  return text;
}

function say(text) {
  document.getElementById("status").textContent = plainText(text);
}

// One of the page's parts, with its entry in the navigation.
function section(id, title, lead, ...children) {
  const heading = h("h2", { id: id + "-title" }, title);
  const made = h("section", { class: "card", id, "aria-labelledby": id + "-title" }, heading, lead ? h("p", { class: "lead" }, lead) : null, children);
  document.getElementById("main").append(made);
  document.getElementById("nav").append(h("li", null, h("a", { href: "#" + id }, title)));
  return made;
}
