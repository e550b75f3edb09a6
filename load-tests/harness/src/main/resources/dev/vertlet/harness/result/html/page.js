"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const place = id => document.getElementById(id);
  const drawn = new Map();

  /** Text is text: names cannot become markup. */
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => {
      if (name === "color") made.style.setProperty("--color", value);
      else if (value !== null && value !== undefined) made.setAttribute(name, value);
    });
    made.append(...children.filter(child => child !== null && child !== undefined));
    return made;
  }

  const subjects = data.subjects.map((subject, index) => ({ ...subject, index, shape: Draw.shape(index) }));
  const several = subjects.length > 1;
  const colored = () => subjects.map(subject => ({ ...subject, color: Draw.color(subject.index) }));
  const swatch = subject => element("span", { class: "swatch", color: `var(--s${subject.index % 6})`, "aria-hidden": "true" });

  function header() {
    const place_ = data.environments[0];
    place("scenario").textContent = data.title;
    place("where").textContent = data.where ?? [
      `${place_.nodes.toLocaleString("en")} nodes`, `${place_.target}, Kubernetes ${place_.kubernetes}`,
      `${place_.cores} cores`, `Java ${place_.java}`, place_.system, place_.started.slice(0, 10),
    ].join(" · ");
    const verdict = place("verdict");
    verdict.className = data.passed ? "met" : "unmet";
    const unmet = data.thresholds.filter(threshold => !threshold.met).length;
    verdict.textContent = data.verdict ? (data.passed ? "✓ " : "✗ ") + data.verdict
      : data.passed ? "✓ Passed, no pod lost"
      : "✗ Failed: " + [data.lost ? `${Draw.number(data.lost)} pods lost` : null, unmet ? `${unmet} of ${data.thresholds.length} thresholds not met` : null].filter(Boolean).join(", ");
    const same = subjects.every(subject => subject.runs === subjects[0].runs);
    subjects.forEach(subject => place("subjects").append(element("li", {}, swatch(subject), element("span", {}, subject.name),
      subject.version ? element("small", {}, subject.version) : null,
      same ? null : element("small", {}, `${subject.runs} runs`))));
    if (subjects.some(subject => subject.runs > 1)) {
      place("subjects").append(element("li", {}, element("small", {},
        `Medians ${same ? `of ${subjects[0].runs} runs` : "of all runs"}${several ? " each" : ""}; charts show the run in the middle`)));
    }
    place("subjects").hidden = !several && subjects[0].runs === 1;
  }

  const levelNames = { mutating: "Writes of single objects", single_reads: "Reads of single objects", lists: "Lists", pod_startup: "Pod start-up" };

  /** What a control plane promises, before all other figures. */
  function levels() {
    const judged = subjects.filter(subject => subject.run.service_levels);
    if (!judged.length) return;
    place("levels").hidden = false;
    const demanded = data.thresholds.some(threshold => threshold.figure.startsWith("service_levels."));
    const rows = judged.flatMap(subject => Object.entries(subject.run.service_levels).map(([key, level]) => element("tr", {},
      element("th", { scope: "row" }, several ? `${levelNames[key]} · ${subject.name}` : levelNames[key]),
      element("td", {}, level.p99_ms === null ? "–" : `${Draw.number(level.p99_ms)} ms`),
      element("td", {}, `${Draw.number(level.limit_ms)} ms`),
      element("td", {}, level.worst || "–", level.worst ? element("small", {}, `measured by the ${Plane.SOURCES[level.measured_by]}`) : null),
      element("td", {}, Draw.number(level.count)),
      element("td", { class: level.p99_ms === null ? "" : level.met ? "met" : "unmet" }, level.p99_ms === null ? "none measured" : level.met ? "✓ met" : "✗ missed"))));
    place("levels").append(element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Service levels" },
      table(["", "p99", "at most", "slowest kind", "requests or pods", ""], rows)));
    place("levels").append(element("p", { class: "note times" }, demanded ? "They decide whether the run passes." : "For information: the scenario's thresholds do not judge them."));
    [...new Set(judged.flatMap(subject => subject.run.control_plane.notes))].forEach(note => place("levels").append(element("p", { class: "note" }, note)));
  }

  /** The slowest kinds of requests, wherever they were measured. */
  function requests() {
    const MOST = 40;
    const rows = subjects.filter(subject => subject.run.control_plane).flatMap(subject => subject.run.control_plane.requests
      .filter(request => request.level).sort((one, other) => (other.p99_ms ?? 0) - (one.p99_ms ?? 0)).slice(0, MOST).map(request => element("tr", {},
        element("th", { scope: "row" }, `${request.verb} ${request.resource}${request.group ? ` (${request.group})` : ""}${request.scope === "resource" ? "" : `, ${request.scope}`}`),
        several ? element("td", {}, subject.name) : null,
        element("td", {}, Plane.SOURCES[request.measured_by]),
        ...[request.count, request.p50_ms, request.p90_ms, request.p99_ms].map(value => element("td", {}, Draw.number(value))))));
    if (!rows.length) return;
    place("requests").hidden = false;
    const heads = ["", several ? "subject" : null, "measured by", "requests", "p50 ms", "p90 ms", "p99 ms"].filter(head => head !== null);
    place("requests").append(element("details", {}, element("summary", {}, "The slowest kinds"),
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Requests to the API server" }, table(heads, rows))));
  }

  function tiles() {
    data.tiles.forEach(index => {
      const figure = data.figures[index];
      const values = subjects.map(subject => subject.values[index]);
      const most = Math.max(...values.map(value => value.value || 0));
      const tile = element("article", { class: "card tile" },
        element("h2", {}, `${figure.label} · ${figure.group}`.replace(/^(.*) · memory$/, "Memory $1").replace(/^(.*) · lease gap$/, "Lease gap, $1").replace(/^./, first => first.toUpperCase())),
        element("div", { class: "big" }, values[0].text, element("small", {}, figure.unit)));
      if (several) {
        tile.append(element("ul", { class: "others" }, ...subjects.map((subject, at) => element("li", {},
          element("span", { class: "who", title: subject.name }, subject.name),
          element("span", {}, at ? values[at].text : "", values[at].factor ? element("span", { class: "times" }, ` · ${values[at].factor}`) : null),
          element("span", { class: "track", "aria-hidden": "true" }, bar(subject, values[at].value, most))))));
      }
      place("tiles").append(tile);
    });
  }

  function bar(subject, value, most) {
    const made = element("span", { class: "bar", color: `var(--s${subject.index % 6})` });
    made.style.width = most > 0 ? `${100 * (value || 0) / most}%` : "0";
    return made;
  }

  function charts() {
    Charts.all(colored()).forEach(chart => {
      const canvas = element("canvas", { role: "img", id: `chart-${chart.id}` });
      const choice = (chart.choices || []).length > 1
        ? element("select", { "aria-label": `Phase of ${chart.title}` }, ...chart.choices.map(name => element("option", { value: name }, name))) : null;
      const save = element("button", { type: "button", "aria-label": `Save ${chart.title} as PNG`, title: "Save as PNG" }, "PNG");
      const phase = (chart.choices || []).length === 1 ? ` Phase: ${chart.choices[0]}.` : "";
      const table = element("details", {}, element("summary", {}, "As a table"));
      place("charts").append(element("article", { class: `card chart${chart.wide ? " wide" : ""}` },
        element("div", { class: "top" }, element("h2", {}, chart.title), choice, save),
        element("p", { class: "note" }, chart.note + "." + phase), element("div", { class: "plot" }, canvas), table));
      save.addEventListener("click", () => element("a", { download: `${chart.id}.png`, href: Draw.png(drawn.get(chart.id), chart.title) }).click());
      if (choice) choice.addEventListener("change", () => draw(chart.id));
      table.addEventListener("toggle", () => fill(table, chart.id));
    });
    fillLastRow();
    drawAll();
  }

  /** No hole at the end of the last row, which is six columns wide. */
  function fillLastRow() {
    const cards = [...document.querySelectorAll(".chart")];
    const free = -cards.reduce((sum, card) => sum + (card.classList.contains("wide") ? 4 : 2), 0) % 6 + 6;
    if (cards.length && free < 6) cards[cards.length - 1].classList.add(free === 2 ? "wide" : "full");
  }

  const chosen = canvas => canvas.closest(".chart").querySelector("select");

  function draw(id) {
    const chart = Charts.all(colored()).find(candidate => candidate.id === id);
    const canvas = place(`chart-${id}`);
    if (drawn.has(id)) drawn.get(id).destroy();
    const made = new Chart(canvas, { ...chart.config(chosen(canvas)?.value || (chart.choices || [])[0]), plugins: [Draw.marks] });
    drawn.set(id, made);
    canvas.setAttribute("aria-label", `${chart.title}. ${made.data.datasets.map(summary).join("; ")}.`);
    const table = canvas.closest(".chart").querySelector("details");
    if (table.open) fill(table, id);
  }

  function drawAll() {
    Charts.all(colored()).forEach(chart => draw(chart.id));
  }

  function summary(dataset) {
    const values = dataset.data.map(point => typeof point === "object" && point ? point.y : point).filter(Number.isFinite);
    return values.length ? `${dataset.label}: ${Draw.number(Math.min(...values))} to ${Draw.number(Math.max(...values))}` : `${dataset.label}: nothing`;
  }

  /** What a chart shows, for those who cannot see it or want the numbers. */
  function fill(details, id) {
    details.querySelector(".scroll")?.remove();
    if (!details.open) return;
    const chart = drawn.get(id);
    const labels = chart.data.labels || [];
    const rows = chart.data.datasets.flatMap(dataset => dataset.data.filter(point => point === null || Number.isFinite(point.y ?? point)).map((point, at) => [
      dataset.label, labels.length ? labels[at] : chart.options.scales.x.title.text === "percentile" ? "p" + Math.round((100 - 100 / 10 ** point.x) * 1000) / 1000 : Draw.time(point.x),
      Draw.number(point?.y ?? point)]));
    details.append(element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Values of the chart ${id}` },
      table(["series", "at", "value"], rows.map(row => element("tr", {}, ...row.map(cell => element("td", {}, cell)))))));
  }

  function table(heads, rows) {
    return element("table", {}, element("thead", {}, element("tr", {}, ...heads.map(head => element("th", { scope: "col" }, head)))), element("tbody", {}, ...rows));
  }

  function figures() {
    const rows = [];
    data.figures.forEach((figure, index) => {
      if (index === 0 || figure.group !== data.figures[index - 1].group) {
        rows.push(element("tr", {}, element("th", { scope: "rowgroup", colspan: 1 + subjects.length }, figure.group)));
      }
      rows.push(element("tr", {}, element("th", { scope: "row" }, figure.label + (figure.unit ? `, ${figure.unit}` : "")),
        ...subjects.map(subject => {
          const value = subject.values[index];
          return element("td", {}, value.text, value.factor ? element("span", { class: "times" }, ` · ${value.factor}`) : null,
            value.range ? element("small", {}, value.range) : null);
        })));
    });
    const heads = ["", ...subjects.map(subject => subject.name + (subject.runs > 1 ? ` (median of ${subject.runs} runs)` : ""))];
    place("figures").append(element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "All figures" }, table(heads, rows)));
    if (several) place("figures").append(element("p", { class: "note times" }, `Factors are those to ${subjects[0].name}.`));
  }

  function checks() {
    if (data.thresholds.length) {
      const rows = data.thresholds.map(threshold => element("tr", {}, element("td", {}, threshold.figure), element("td", {}, threshold.subject),
        element("td", {}, threshold.wanted), element("td", {}, threshold.found), element("td", { class: threshold.met ? "met" : "unmet" }, threshold.met ? "✓ met" : "✗ not met")));
      place("checks").append(element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Thresholds" }, table(["figure", "subject", "wanted", "found", ""], rows)));
    }
    const faults = Charts.faults(subjects);
    place("checks").append(element("ol", { class: "faults" }, ...faults.map((fault, at) => element("li", {}, `${at + 1} · ${Draw.time(fault.at_s)}: ${fault.what}`))));
    place("checks").hidden = data.thresholds.length === 0 && faults.length === 0;
  }

  function repeat() {
    const quoted = words => words.map(word => /^[\w@%+=:,./…-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    const list = element("dl");
    const row = (name, ...value) => list.append(element("dt", {}, name), element("dd", {}, ...value));
    data.environments.forEach(environment => {
      row("command", element("code", {}, quoted(["./vertlet", ...environment.arguments])));
      row("measured", environment.started + (environment.scenario ? `, scenario ${environment.scenario}, ${environment.nodes} nodes` : ""));
      row("on", `${environment.target}, Kubernetes ${environment.kubernetes}; ${environment.cores} cores, ${environment.system}, Java ${environment.java}`);
    });
    subjects.filter(subject => subject.version).forEach(subject => row(`${subject.name} is`, subject.version));
    subjects.filter(subject => subject.command.length)
      .forEach(subject => row(subject.name, element("code", {}, quoted(subject.command))));
    (data.notes || []).forEach(note => row(note.subject, note.text));
    place("repeat").append(list);
  }

  /** The system's theme, until somebody wants another. */
  const system = matchMedia("(prefers-color-scheme: dark)");
  let wanted = null;
  function theme(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    place("theme").setAttribute("aria-pressed", String(dark));
    if (drawn.size) drawAll();
  }
  const dark = () => wanted ?? system.matches;
  system.addEventListener("change", () => theme(dark()));
  place("theme").addEventListener("click", () => { wanted = !dark(); theme(wanted); });
  addEventListener("beforeprint", () => theme(false));
  addEventListener("afterprint", () => theme(dark()));

  Chart.defaults.font.family = Draw.font();
  theme(dark());
  header();
  levels();
  tiles();
  charts();
  requests();
  figures();
  checks();
  repeat();
})();
