// Theme, keys, links; then everything is drawn.

function storedTheme() {
  try {
    return localStorage.getItem("cpnlint-theme");
  } catch {
    return null;  // a page from disk may have no storage
  }
}
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function setTheme(theme, keep) {
  document.documentElement.dataset.theme = theme;
  document.getElementById("theme-button").setAttribute("aria-pressed", String(theme === "dark"));
  if (!keep) return;
  try {
    localStorage.setItem("cpnlint-theme", theme);
  } catch {
    // then it holds for this visit
  }
}
function switchTheme() {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark", true);
}

function switchHelp(wanted) {
  const box = document.getElementById("keys"), button = document.getElementById("help-button");
  box.hidden = wanted === undefined ? !box.hidden : !wanted;
  button.setAttribute("aria-expanded", String(!box.hidden));
}

// From a finding to its source, and back to the finding that was left.
function crossOver() {
  const card = document.querySelector(".finding.current");
  if (!card) return;
  const inSource = /^#s-/.test(location.hash) && !card.contains(document.activeElement);
  const there = card.querySelector(".tosource");
  if (there) location.hash = inSource ? "#" + card.id : there.getAttribute("href");
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = event.target;
  if (event.key === "Escape") {
    switchHelp(false);
    if (target.id === "search") {
      if (target.value) clearFilter();
      else target.blur();
    }
    return;
  }
  if (target.closest("input, select, textarea, [contenteditable]")) return;
  const actions = {
    j: () => goToFinding(1), k: () => goToFinding(-1), o: crossOver, t: switchTheme, "?": () => switchHelp(),
    "/": () => { const search = document.getElementById("search"); if (search) { search.focus(); search.select(); search.scrollIntoView({ block: "center" }); } },
  };
  if (!actions[event.key]) return;
  event.preventDefault();
  actions[event.key]();
}

function follow() {
  const id = decodeURIComponent(location.hash.slice(1));
  for (const other of document.querySelectorAll("tr.target")) other.classList.remove("target");
  if (!id) return;
  const element = reveal(id);
  if (!element) return;
  if (element.tagName === "TR") {
    element.classList.add("target");
    element.scrollIntoView({ block: "center" });
    const box = element.closest(".codebox");
    if (box) box.focus({ preventScroll: true });
  } else if (element.classList.contains("finding")) {
    markCurrent(element);
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "start" });
  } else if (element.id !== "main") {
    element.scrollIntoView({ block: "start" });
  }
}

// Which part is being read.
function watchParts() {
  const links = new Map([...document.querySelectorAll("#nav a")].map((link) => [link.getAttribute("href").slice(1), link]));
  const seen = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) seen[entry.isIntersecting ? "add" : "delete"](entry.target.id);
    let done = false;
    for (const [id, link] of links) {
      if (!done && seen.has(id)) { link.setAttribute("aria-current", "true"); done = true; } else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-15% 0px -60% 0px" });
  for (const id of links.keys()) observer.observe(document.getElementById(id));
}

setTheme(storedTheme() || (prefersDark.matches ? "dark" : "light"), false);
prefersDark.addEventListener("change", () => { if (!storedTheme()) setTheme(prefersDark.matches ? "dark" : "light", false); });
document.getElementById("theme-button").addEventListener("click", switchTheme);
document.getElementById("help-button").addEventListener("click", () => switchHelp());
document.addEventListener("keydown", onKey);
drawVerdict();
drawBudgets();
drawModel();
drawFindings();
drawSources();
drawReport();
drawNotes();
drawFoot();
watchParts();
addEventListener("hashchange", follow);
follow();
