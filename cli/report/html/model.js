// Time and scaling under sliders. Every position was computed by the model of `cpnlint predict` when the page was made:
// the page looks them up, adds regions up, and guesses nothing in between.

const kParts = ["launch", "memory", "compute", "communication", "wait", "host"];
const kLetters = ["L", "M", "A", "C", "W", "H"];
const kPartWords = ["submitting operations", "streaming memory", "arithmetic", "data between processors", "waiting for results", "the host"];
const kAlphabet = Array.from({ length: 92 }, (_, i) => String.fromCharCode(35 + i)).filter((c) => !"&'<>\\".includes(c));
const kPerPoint = 8;  // time, memory, six parts
let model = null;
let numbers = [];
const choice = { series: 0, position: 0, gpus: 0, machine: 0, region: 0, passes: new Map() };

// Three signs per number, `!` for none: four digits and an exponent.
function decode(text) {
  const digit = new Map(kAlphabet.map((c, i) => [c, i]));
  const base = kAlphabet.length;
  const out = [];
  for (let at = 0; at < text.length; ) {
    if (text[at] === "!") {
      out.push(0);
      ++at;
      continue;
    }
    const value = (digit.get(text[at]) * base + digit.get(text[at + 1])) * base + digit.get(text[at + 2]);
    out.push(Number((value % 9000 + 1000) + "e" + (Math.floor(value / 9000) - 30)));
    at += 3;
  }
  return out;
}

function settingOf() {
  return model.series.length ? model.series[choice.series].positions[choice.position].setting : 0;
}

function passesOf(setting, region) {
  return choice.passes.get(region) ?? model.passes[setting][region];
}

function pointOf(setting, machine, region, gpu) {
  const at = (((setting * model.machines.length + machine) * model.regions.length + region) * model.gpus.length + gpu) * kPerPoint;
  return { time: numbers[at], memory: numbers[at + 1], parts: numbers.slice(at + 2, at + kPerPoint) };
}

// Of one region a pass; of the program (region -1) all passes of all regions.
function lookUp(setting, machine, region, gpu) {
  if (region >= 0) return pointOf(setting, machine, region, gpu);
  const sum = { time: 0, memory: 0, parts: new Array(kParts.length).fill(0) };
  for (let i = 0; i < model.regions.length; ++i) {
    const point = pointOf(setting, machine, i, gpu), passes = passesOf(setting, i);
    sum.time += passes * point.time;
    sum.memory = Math.max(sum.memory, point.memory);
    point.parts.forEach((part, k) => { sum.parts[k] += passes * part; });
  }
  return sum;
}

function largest(parts) {
  return parts.indexOf(Math.max(...parts));
}

// The most GPUs that pay (the doubling to them returns 70 % and beats all before), and the fastest, as `predict` counts
// them: from the first that hold the arrays.
function judge(curve, pool) {
  const first = Math.max(0, curve.findIndex((point) => point.memory <= pool));
  let stop = model.gpus[first], best = stop, least = curve[first].time;
  for (let i = first + 1; i < curve.length; ++i) {
    if (curve[i].time >= least) continue;
    least = curve[i].time;
    best = model.gpus[i];
    if (curve[i - 1].time >= 1.41 * curve[i].time) stop = model.gpus[i];
  }
  return { stop, best };
}

function unitOf(number) {
  return model.machines[choice.machine].gpu ? (number === 1 ? "GPU" : "GPUs") : number === 1 ? "core" : "cores";
}
function nodesOf(gpus) {
  return Math.ceil(gpus / model.machines[choice.machine].per_node);
}

// Some setting has it: there may be no others than the regions that are shown one by one.
function isThere(region) {
  return !model.regions[region].rest || model.edits.some((_, setting) => pointOf(setting, model.machine, region, 0).time > 0);
}

function regionName(region) {
  if (region.rest) return "all lighter loops, all passes";
  return (region.loop ? region.loop : "the program as a whole") + "  (" + placeOf(region) + ")";
}

function drawModel() {
  if (!page.models.length) {
    if (doc.verdict) section("time", "Time and scaling", null, h("p", null, "No loop or call that works on arrays was found, so there is nothing to predict."));
    return;
  }
  const made = section("time", "Time and scaling",
    "What the cost model predicts. Move the sliders: each position was computed by the model of cpnlint predict when this page was made, nothing is interpolated. Times are medians; the band says how far off they may be.",
    h("div", { class: "explore" }, h("div", { class: "controls", id: "controls" }), h("div", { id: "picture" })));
  useModel(0);
  new ResizeObserver(() => redraw()).observe(made.querySelector("#picture"));
}

function loadModel(index) {
  model = page.models[index];
  numbers = decode(model.data);
}

function useModel(index) {
  loadModel(index);
  const wanted = model.gpus.indexOf(Math.max(...doc.target.gpus.filter((n) => model.gpus.includes(n)), 1));
  Object.assign(choice, { series: 0, position: model.series.length ? model.series[0].at : 0, gpus: Math.max(0, wanted), machine: model.machine, region: 0, passes: new Map() });
  drawControls(index);
  redraw();
}

function slider(id, title, positions, value, texts, change) {
  const output = h("output", { for: id, id: id + "-value" });
  const input = h("input", { type: "range", id, min: "0", max: String(positions - 1), step: "1", value: String(value) });
  const show = () => {
    const text = texts(Number(input.value));
    output.replaceChildren(...shown(text));
    input.setAttribute("aria-valuetext", plainText(text));
  };
  input.addEventListener("input", () => { change(Number(input.value)); show(); redraw(); });
  show();
  return h("div", { class: "control" }, h("label", { for: id }, title, output), input);
}

function select(id, title, options, value, change) {
  const made = h("select", { id, onchange: () => change(Number(made.value)) }, options.map(([key, text]) => h("option", { value: String(key), selected: key === value }, text)));
  return h("div", { class: "control" }, h("label", { for: id }, title), made);
}

function sizeText(position) {
  return model.series[choice.series].positions[position].values.join(", ");
}

function drawControls(index) {
  const box = document.getElementById("controls");
  const parts = [];
  if (page.models.length > 1) parts.push(select("program", "Program", page.models.map((m, i) => [i, m.program]), index, useModel));
  const regions = model.regions.map((region, i) => [i, regionName(region)]).filter(([i]) => isThere(i));
  if (regions.length > 1) regions.push([-1, "all of it, all passes"]);
  parts.push(select("region", "What", regions, choice.region, (value) => { choice.region = value; drawControls(index); redraw(); }));
  if (model.series.length > 1) {
    parts.push(select("series", "Size to vary", model.series.map((s, i) => [i, s.label]), choice.series, (value) => {
      choice.series = value;
      choice.position = model.series[value].at;
      drawControls(index);
      redraw();
    }));
  }
  if (model.series.length) {
    const series = model.series[choice.series];
    parts.push(slider("size", "Size", series.positions.length, choice.position, sizeText, (value) => { choice.position = value; }));
  } else {
    parts.push(h("p", { class: "small soft" }, "No size of this program can be varied: name one with --assume."));
  }
  parts.push(slider("gpus", model.machines[choice.machine].gpu ? "GPUs" : "Cores", model.gpus.length, choice.gpus, (value) => {
    const gpus = model.gpus[value], nodes = nodesOf(gpus);
    return String(gpus) + (nodes > 1 ? " on " + nodes + " nodes" : "");
  }, (value) => { choice.gpus = value; }));
  parts.push(select("machine", "Machine", model.machines.map((m, i) => [i, m.name + (m.processor ? "  " + m.processor : "")]), choice.machine, (value) => { choice.machine = value; drawControls(index); redraw(); }));
  if (choice.region >= 0 && !model.regions[choice.region].rest && model.regions[choice.region].loop) {
    const region = choice.region;
    const passes = h("input", { type: "number", id: "passes", min: "1", step: "1", inputmode: "numeric", value: String(passesOf(settingOf(), region)), oninput: () => {
      const number = Number(passes.value);
      if (number >= 1) choice.passes.set(region, number);
      else choice.passes.delete(region);
      redraw();
    } });
    const known = model.regions[region].known ? "as the source says" : "assumed";
    parts.push(h("div", { class: "control" }, h("label", { for: "passes" }, "Passes of the loop", h("span", { class: "soft small" }, model.regions[region].passes + ", " + known)), passes));
  }
  parts.push(h("div", null, h("button", { type: "button", id: "reset", onclick: () => useModel(index) }, "As the report was made")));
  const focused = document.activeElement && box.contains(document.activeElement) ? document.activeElement.id : null;
  box.replaceChildren(...parts);
  if (focused && document.getElementById(focused)) document.getElementById(focused).focus();
}

function isBase() {
  return settingOf() === 0 && choice.machine === model.machine && choice.region >= 0 && model.bands[choice.region];
}

// Bands are computed for the program as it is; elsewhere they are about as wide.
function widthText() {
  const band = model.bands[Math.max(0, choice.region)] || model.bands[0];
  if (!band) return null;
  const mid = pointOf(0, model.machine, model.bands.indexOf(band), choice.gpus).time;
  if (!(mid > 0)) return null;
  const factor = (value) => Number(value.toPrecision(2));
  return ["off by about ÷ ", String(factor(mid / band[choice.gpus][0])), " to × ", String(factor(band[choice.gpus][1] / mid))];
}

function redraw() {
  const picture = document.getElementById("picture");
  if (!model || !picture) return;
  const setting = settingOf();
  const curve = model.gpus.map((_, i) => lookUp(setting, choice.machine, choice.region, i));
  const here = curve[choice.gpus];
  const known = here.time > 0;
  const passes = choice.region >= 0 ? passesOf(setting, choice.region) : 1;
  const machine = model.machines[choice.machine];
  const { stop, best } = judge(curve, machine.pool);
  const band = isBase() ? model.bands[choice.region] : null;
  const fits = here.memory <= machine.pool;
  const gpus = model.gpus[choice.gpus];
  const memoryText = [bytes(here.memory), h("small", { class: fits ? null : "bad" }, fits ? "fits: " : "does not fit: ", bytes(machine.pool), " for arrays on one ", unitOf(1))];
  const readout = h("dl", { class: "readout", id: "readout" },
    fact(choice.region >= 0 && model.regions[choice.region].loop ? "A pass" : "In all", known ? seconds(here.time) : "—", band && known ? ["between ", seconds(band[choice.gpus][0]), " and ", seconds(band[choice.gpus][1])] : known ? widthText() : "no such loop at this size"),
    choice.region >= 0 && model.regions[choice.region].loop ? fact("All passes", known ? seconds(passes * here.time) : "—", [count(passes), " passes"]) : null,
    fact("Speed-up", known ? (curve[0].time / here.time).toPrecision(2).replace(/e\+?/, "e") + " ×" : "—", ["against 1 ", unitOf(1), "; pays up to ", String(stop)]),
    h("div", { class: "fact" }, h("dt", null, "Memory of one ", unitOf(1)), h("dd", null, memoryText)),
    fact("Bound by", known ? kParts[largest(here.parts)] : "—", known ? kPartWords[largest(here.parts)] : null));
  const nodes = nodesOf(gpus);
  const where = h("p", { class: "small", id: "setting" }, h("strong", null, choice.region >= 0 ? regionName(model.regions[choice.region]) : "all of it, all passes"), " · ",
    model.series.length ? [sizeText(choice.position), " · "] : "", String(gpus), " ", unitOf(gpus), nodes > 1 ? " on " + nodes + " nodes" : "", " · ", machine.name, page.what_if ? " · as it is, without --what-if" : "");
  picture.replaceChildren(where, readout, known ? chart(curve, band, stop, picture.clientWidth || 640) : h("p", null, "Nothing to draw at this size."),
    known ? legend(band) : "", known ? decomposition(here) : "", commandBox(setting, gpus), table(curve, band, stop, best), formulaBox());
  say(known ? seconds(here.time) + " on " + gpus + " " + unitOf(gpus) + ", bound by " + kParts[largest(here.parts)] : "");
}

function chart(curve, band, stop, width) {
  width = Math.max(280, Math.min(width, 900));
  const height = Math.round(Math.max(220, Math.min(340, width * 0.45))), left = 66, right = 14, top = 20, bottom = 40;
  const lows = curve.map((p, i) => (band ? band[i][0] : p.time)).concat(curve.map((p, i) => curve[0].time / model.gpus[i]).slice(0, 4)).filter((v) => v > 0);
  const highs = curve.map((p, i) => (band ? band[i][1] : p.time));
  const low = Math.floor(Math.log10(Math.min(...lows))), high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...highs))));
  const x = (i) => left + (i / (model.gpus.length - 1)) * (width - left - right);
  const y = (t) => top + ((high - Math.log10(t)) / (high - low)) * (height - top - bottom);
  const clamp = (t) => Math.max(t, 10 ** low);
  const items = [];
  for (let decade = low; decade <= high; ++decade) {
    items.push(h("line", { class: "gridline", x1: left, x2: width - right, y1: y(10 ** decade), y2: y(10 ** decade) }),
      h("text", { x: left - 8, y: y(10 ** decade) + 4, "text-anchor": "end" }, seconds(10 ** decade)));
  }
  const every = width < 480 ? 2 : 1;
  model.gpus.forEach((gpus, i) => { if (i % every === 0) items.push(h("text", { x: x(i), y: height - bottom + 18, "text-anchor": "middle" }, String(gpus))); });
  items.push(h("text", { class: "strong", x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, unitOf(2)));
  if (band) items.push(h("polygon", { class: "band", points: band.map((b, i) => x(i) + "," + y(clamp(b[1]))).concat(band.map((b, i) => x(i) + "," + y(clamp(b[0]))).reverse()).join(" ") }));
  const ideal = model.gpus.map((gpus, i) => [x(i), curve[0].time / gpus]).filter(([, t]) => t >= 10 ** low);
  items.push(h("polyline", { class: "ideal", points: ideal.map(([px, t]) => px + "," + y(t)).join(" ") }));
  const stopAt = x(model.gpus.indexOf(stop));
  items.push(h("line", { class: "stop", x1: stopAt, x2: stopAt, y1: top, y2: height - bottom }),
    h("text", { class: "stoptext", x: stopAt > width - 150 ? stopAt - 6 : stopAt + 6, y: top + 10, "text-anchor": stopAt > width - 150 ? "end" : "start" }, "pays up to " + stop));
  items.push(h("polyline", { class: "line", points: curve.map((p, i) => x(i) + "," + y(p.time)).join(" ") }));
  curve.forEach((p, i) => items.push(h("circle", { class: i === choice.gpus ? "here" : "dot", cx: x(i), cy: y(p.time), r: i === choice.gpus ? 7 : 4 },
    h("title", null, model.gpus[i] + " " + unitOf(model.gpus[i]) + ": " + seconds(p.time) + ", bound by " + kParts[largest(p.parts)]))));
  const label = "Time against number of " + unitOf(2) + ", both on logarithmic axes; the numbers are in the table below";
  return h("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, id: "curve" }, items);
}

function legend(band) {
  return h("ul", { class: "legend" }, h("li", null, "— time"), h("li", null, "·· ideal scaling"), h("li", null, "¦ most that still pay"), band ? h("li", null, "▒ from P10 to P90") : null);
}

function decomposition(here) {
  const sum = here.parts.reduce((a, b) => a + b, 0);
  if (!(sum > 0)) return "";
  const order = here.parts.map((part, i) => [part, i]).filter(([part]) => part > 0);
  const text = order.map(([part, i]) => kParts[i] + " " + percent(part / sum)).join(", ");
  return h("div", { id: "parts" }, h("h3", null, "What the time goes into"),
    h("div", { class: "bar", role: "img", "aria-label": text }, order.map(([part, i]) => {
      const piece = h("span", { class: "part-" + i, title: kParts[i] + " " + seconds(part) }, part / sum > 0.05 ? kLetters[i] : "");
      piece.style.flex = String(part / sum) + " 0 0";
      return piece;
    })),
    h("div", { class: "scroll" }, h("table", null, h("caption", null, "Each part is busy for so long; parts overlap, so they need not add up to the time."),
      h("tbody", null, order.map(([part, i]) => h("tr", null, h("td", null, h("span", { class: "swatch part-" + i, "aria-hidden": "true" }, kLetters[i])), h("th", { scope: "row" }, kParts[i]),
        h("td", { class: "soft describes" }, kPartWords[i]), h("td", { class: "num" }, seconds(part)), h("td", { class: "num" }, percent(part / sum))))))));
}

function nameOf(assumption) {
  return assumption.split("=")[0].trim();
}

function commandBox(setting, gpus) {
  const machine = model.machines[choice.machine];
  const nodes = nodesOf(gpus);
  const edit = model.edits[setting];
  const quoted = (text) => (/^[\w./:=,@+-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'");
  const command = ["cpnlint", "predict", "--gpus", String(gpus / nodes), ...(nodes > 1 ? ["--nodes", String(nodes)] : []), "--profile", quoted(machine.profile), ...[...edit.assume, ...doc.target.assumptions.filter((a) => !edit.assume.some((e) => nameOf(e) === nameOf(a)))].flatMap((a) => ["--assume", quoted(a)]), ...model.arguments.map(quoted)].join(" ");
  const code = h("code", { id: "command" }, command);
  const button = h("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(command);
      say("copied");
    } catch {
      getSelection().selectAllChildren(code);
    }
  } }, "Copy");
  return h("div", null, h("p", { class: "small soft" }, "The same in a terminal", edit.source.length ? [", with ", edit.source.map((e, i) => [i ? ", " : "", h("code", null, e.text), " in ", placeLink(e)])] : "", ":"), h("div", { class: "command" }, code, button));
}

function table(curve, band, stop, best) {
  return h("details", { id: "numbers" }, h("summary", null, "The numbers"), h("div", { class: "scroll" }, h("table", null,
    h("caption", null, "Pays up to ", String(stop), ", fastest with ", String(best), "."),
    h("thead", null, h("tr", null, [unitOf(2), "nodes", "time", ...(band ? ["low", "high"] : []), "speed-up", "memory of one", "bound by"].map((t, i) => h("th", { scope: "col", class: i < 2 || t !== "bound by" ? "num" : null }, t)))),
    h("tbody", null, curve.map((p, i) => h("tr", { class: i === choice.gpus ? "target" : null }, h("th", { scope: "row", class: "num" }, String(model.gpus[i])), h("td", { class: "num" }, String(nodesOf(model.gpus[i]))), h("td", { class: "num" }, seconds(p.time)),
      band ? [h("td", { class: "num" }, seconds(band[i][0])), h("td", { class: "num" }, seconds(band[i][1]))] : null,
      h("td", { class: "num" }, (curve[0].time / p.time).toPrecision(2)), h("td", { class: "num" }, bytes(p.memory)), h("td", null, kParts[largest(p.parts)])))))));
}

function formulaBox() {
  const region = choice.region >= 0 ? model.regions[choice.region] : null;
  const lists = [["Taken for granted", model.assumptions], ["Not measured on this machine", model.unmeasured], ["Without a price", model.unpriced]].filter(([, list]) => list.length);
  return h("div", { class: "small" }, region && region.formula ? h("p", null, "In one line: ", h("code", null, region.formula), region.break_point ? "; " + region.break_point : "", h("span", { class: "soft" }, " (", model.machines[model.machine].name, ", one ", model.machines[model.machine].gpu ? "GPU" : "core", ", as the report was made)")) : null,
    lists.map(([title, list]) => h("details", null, h("summary", null, title + ": " + list.length), h("ul", { class: "plainlist" }, list.map((text) => h("li", null, text))))));
}
