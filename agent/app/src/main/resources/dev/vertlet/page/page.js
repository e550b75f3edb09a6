"use strict";

/** Fills the page from one stream of events. Whatever it is told is shown as text, never as markup. */
(() => {
  const place = id => document.getElementById(id);
  const LATER_MS = [500, 1000, 2000, 5000];
  const QUIET_MS = 20000;
  const TYPING_MS = 250;
  const PHASES = ["pending", "running", "succeeded", "failed", "unknown"];
  const STATES = { ready: "Ready", waiting: "waiting", unwell: "not well", lost: "lease lost", elsewhere: "elsewhere" };
  const STEPS = { taken_up: "taken up", running: "runs", ready: "Ready", written: "Ready written", stopped: "stopped", gone: "gone" };

  const query = { q: "", which: "all", sort: "name", order: "asc", page: 0 };
  let known = {};
  let clock = { now: Date.now(), at: performance.now() };
  let token = "";
  let stream = null;
  let tries = 0;
  let opened = "";
  let typing = 0;

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    Object.entries(attributes || {}).forEach(([name, value]) => made.setAttribute(name, value));
    made.append(...children);
    return made;
  }

  /** Written only where it differs: who reads a line aloud is not interrupted for nothing. */
  function text(where, value) {
    const target = typeof where === "string" ? place(where) : where;
    const now = String(value);
    if (target.textContent !== now) target.textContent = now;
  }

  function number(value) {
    const size = Math.abs(value);
    const digits = Number.isInteger(value) || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }

  const now = () => clock.now + performance.now() - clock.at;
  const time = millis => new Date(millis).toLocaleTimeString("en", { hour12: false });

  function span(millis) {
    const seconds = Math.max(0, Math.floor(millis / 1000));
    if (seconds < 120) return seconds + " s";
    const minutes = Math.floor(seconds / 60);
    if (minutes < 120) return minutes + " min";
    const hours = Math.floor(minutes / 60);
    return hours < 48 ? hours + " h" : Math.floor(hours / 24) + " days";
  }

  // ---- sections

  const shows = {
    agent(agent) {
      text("agent", agent.identity);
      document.title = agent.identity + " · vertlet";
      text("about", "vertlet " + agent.version + " · Kubernetes " + agent.kubernetes + " · started " + new Date(agent.started).toLocaleString("en", { hour12: false }));
    },

    nodes(nodes) {
      text("nodes-ready", number(nodes.ready));
      text("nodes-total", "of " + number(nodes.total));
      const troubles = ["lost", "unwell", "waiting", "elsewhere"].filter(state => nodes[state] > 0).map(state => number(nodes[state]) + " " + STATES[state]);
      if (nodes.configErrors > 0) troubles.push(number(nodes.configErrors) + " with a config error");
      note("nodes-note", troubles.join(", ") || "all well", nodes.lost + nodes.unwell + nodes.configErrors > 0);
      text("leases-total", "of " + number(nodes.total));
    },

    pods(pods) {
      text("pods-total", number(pods.total));
      text("pods-ready", number(pods.ready) + " Ready");
      text("pods-note", [pods.starting && number(pods.starting) + " on their way to Ready", pods.ending && number(pods.ending) + " being deleted"].filter(Boolean).join(", ") || "none under way");
      const bars = place("phases");
      if (!bars.firstChild) {
        PHASES.forEach(phase => bars.append(
          element("dt", {}, phase[0].toUpperCase() + phase.slice(1)),
          element("dd", { class: "track", "aria-hidden": "true" }, element("span", { class: "bar " + phase })),
          element("dd", { class: "count", id: "phase-" + phase })));
      }
      PHASES.forEach(phase => {
        text("phase-" + phase, number(pods[phase]));
        bars.querySelector(".bar." + phase).style.width = (pods.total ? 100 * pods[phase] / pods.total : 0) + "%";
      });
    },

    rates(rates) {
      const most = Math.max(4, ...rates.started, ...rates.gone);
      const points = counts => counts.map((count, second) => (600 * second / (counts.length - 1)).toFixed(1) + "," + (145 - 140 * count / most).toFixed(1)).join(" ");
      const lines = [["s0", rates.started], ["s1", rates.gone]];
      const chart = place("rates");
      lines.forEach(([name, counts]) => {
        let line = chart.querySelector("." + name);
        if (!line) {
          line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
          line.setAttribute("class", name);
          chart.append(line);
        }
        line.setAttribute("points", points(counts));
      });
      const lately = counts => counts.slice(-10).reduce((sum, count) => sum + count, 0) / 10;
      text("rate-started", number(Math.round(lately(rates.started) * 10) / 10) + " /s");
      text("rate-gone", number(Math.round(lately(rates.gone) * 10) / 10) + " /s");
      chart.setAttribute("aria-label", "Pods per second over the last minute: at most " + number(Math.max(...rates.started)) + " became Ready and " + number(Math.max(...rates.gone)) + " went in a second");
      text("rates-note", "Pods per second over the last minute; the top is " + number(most));
    },

    latency(latency) {
      Object.entries(latency).forEach(([name, of]) => {
        const cells = place("l-" + name).querySelectorAll("td");
        [of.count, of.p50, of.p90, of.p99, of.max].forEach((value, index) => text(cells[index], of.count ? number(value) : index ? "–" : "0"));
      });
      const minute = latency.startMinute;
      text("start-p99", minute.count ? number(minute.p99) : "–");
      text("start-note", minute.count ? "median " + number(minute.p50) + " ms, " + number(minute.count) + " pods" : "no pod started in the last minute");
    },

    leases(leases) {
      text("leases-held", number(leases.held));
      const lost = leases.lost.map(one => one.node + ": " + one.reason);
      note("leases-note", lost.length ? "lost: " + lost.slice(0, 3).join("; ") + (lost.length > 3 ? " …" : "")
        : number(leases.perSecond) + " renewals/s, the slowest took " + number(leases.slowestMs) + " ms" + (leases.failed ? ", " + number(leases.failed) + " failed" : ""), lost.length > 0);
    },

    queues(queues) {
      pairs("queues", [
        ["statuses to be written", number(queues.writes)],
        ...queues.lanes.map(lane => ["requests in lane " + lane.name.replaceAll("_", " "), number(lane.value)]),
        ...queues.inFlight.map(one => ["in flight, " + one.name, number(one.value)]),
        ...queues.loops.map(loop => ["loop " + loop.name + ", latest by", number(loop.latestMs) + " ms"]),
      ]);
    },

    backend(backend) {
      place("backend-card").hidden = false;
      pairs("backend", [
        ["calls", number(backend.calls)],
        ["failed", number(backend.failed)],
        ["took on average", number(backend.meanMs) + " ms"],
        ["took at most, lately", number(backend.slowestMs) + " ms"],
        ["in flight", number(backend.inFlight)],
        ["last heard from", number(backend.silentSeconds) + " s ago"],
      ]);
    },

    process(process) {
      text("cpu", number(process.cpuPercent));
      text("process-note", number(process.heapMib) + " MiB of heap");
    },

    slow(slow) {
      rows(place("starts"), slow.starts, slowRow);
      rows(place("ends"), slow.ends, slowRow);
      const none = slow.starts.length + slow.ends.length === 0;
      place("slow-none").hidden = !none;
      place("slow").hidden = none;
    },

    table(table) {
      rows(document.querySelector("#nodes tbody"), table.rows, nodeRow);
      const pages = Math.max(1, Math.ceil(table.matches / table.size));
      query.page = table.page;
      text("matches", number(table.matches) + (table.matches === 1 ? " node" : " nodes"));
      text("where", "page " + number(table.page + 1) + " of " + number(pages));
      place("back").disabled = table.page === 0;
      place("on").disabled = table.page + 1 >= pages;
      const own = table.rows.find(row => row.name === opened);
      if (own) facts(own);
    },
  };

  function note(id, value, bad) {
    text(id, value);
    place(id).classList.toggle("bad", bad);
  }

  function pairs(id, all) {
    const list = place(id);
    while (list.children.length > 2 * all.length) list.lastChild.remove();
    while (list.children.length < 2 * all.length) list.append(element("dt"), element("dd"));
    all.forEach(([name, value], index) => {
      text(list.children[2 * index], name);
      text(list.children[2 * index + 1], value);
    });
  }

  /** Rows are kept and their cells changed, so that whoever stands on one stays there. */
  function rows(body, all, fill) {
    while (body.children.length > all.length) body.lastChild.remove();
    all.forEach((one, index) => {
      const row = body.children[index] || body.appendChild(element("tr"));
      fill(row, one);
    });
  }

  function nodeRow(row, node) {
    if (!row.firstChild) {
      row.append(element("th", { scope: "row" }, element("button", { type: "button" })), element("td", { class: "left" }, element("span"), element("small")),
        ...[1, 2, 3, 4, 5].map(() => element("td")), element("td", { class: "left" }, element("span"), element("small")));
      row.querySelector("button").addEventListener("click", event => open(event.target.textContent));
    }
    text(row.querySelector("button"), node.name);
    const [state, reason] = row.children[1].children;
    text(state, STATES[node.state]);
    state.className = node.state === "ready" ? "good" : node.state === "lost" || node.state === "unwell" ? "bad" : "soft";
    text(reason, node.reason);
    [node.pods.total, node.pods.pending, node.pods.running, node.pods.succeeded, node.pods.failed].forEach((value, index) => text(row.children[2 + index], number(value)));
    const [config, error] = row.children[7].children;
    text(config, node.config ? node.config.active || "local" : "–");
    config.className = node.config && node.config.error ? "bad" : "";
    text(error, node.config ? node.config.error : "");
  }

  function slowRow(row, pod) {
    if (!row.firstChild) {
      row.append(element("th", { scope: "row" }), element("td", { class: "left" }), element("td", { class: "left" }),
        element("td", { class: "left" }, element("ol", { class: "steps" })), element("td"));
    }
    const last = pod.marks[pod.marks.length - 1];
    row.className = pod.over ? "" : "open";
    text(row.children[0], pod.pod);
    text(row.children[1], pod.node);
    text(row.children[2], time(pod.seen));
    const steps = row.querySelector("ol");
    const wanted = pod.marks.length ? pod.marks.map(mark => [STEPS[mark.step], number(mark.after)]) : [["nothing yet", ""]];
    while (steps.children.length > wanted.length) steps.lastChild.remove();
    wanted.forEach(([name, after], index) => {
      const step = steps.children[index] || steps.appendChild(element("li", {}, element("b"), element("span")));
      text(step.children[0], name + " ");
      text(step.children[1], after);
    });
    text(row.children[4], pod.over ? number(last.after) : "on its way for " + span(now() - pod.seen));
  }

  // ---- one node

  function facts(node) {
    pairs("node-facts", [
      ["state", STATES[node.state] + (node.reason ? ": " + node.reason : "")],
      ["lease", (node.leased ? "held" : "not held") + (node.leaseSince ? " since " + time(node.leaseSince) : "")],
      ["pods", PHASES.filter(phase => node.pods[phase]).map(phase => number(node.pods[phase]) + " " + phase).join(", ") || "none"],
    ]);
  }

  async function open(name) {
    const answer = await ask("/page/node?name=" + encodeURIComponent(name)).catch(() => null);
    if (!answer || !answer.ok) return;
    const node = await answer.json();
    const again = opened === name;
    opened = name;
    text("node-title", "Node " + name);
    facts(node);
    rows(document.querySelector("#history tbody"), node.history, (row, at) => {
      if (!row.firstChild) row.append(element("td"), ...[1, 2, 3, 4].map(() => element("td", { class: "left" })));
      text(row.children[0], time(at.since));
      [at.assigned || "local", at.active || "local", at.lastKnownGood || "local", at.error || "none"].forEach((value, index) => text(row.children[1 + index], value));
      row.children[4].className = at.error ? "left bad" : "left";
    });
    const none = node.history.length === 0;
    place("history").hidden = none;
    place("history-none").hidden = !none;
    place("node").hidden = false;
    if (!again) place("node-title").focus();
  }

  // ---- the stream

  function ask(path, signal) {
    return fetch(path, { headers: token ? { Authorization: "Bearer " + token } : {}, cache: "no-store", credentials: "omit", signal });
  }

  function tell(message) {
    clock = { now: message.now, at: performance.now() };
    Object.entries(message).forEach(([name, value]) => {
      if (!shows[name]) return;
      const before = known[name];
      known[name] = value;
      shows[name](value);
      // the history of the node that is open has grown
      if (name === "table" && opened && before && JSON.stringify(config(before)) !== JSON.stringify(config(value))) open(opened);
    });
    place("shown").hidden = false;
    place("login").hidden = true;
  }

  const config = table => (table.rows.find(row => row.name === opened) || {}).config || null;

  function link(value, kind) {
    text("link", value);
    place("link").className = kind;
  }

  /** Reads events until the stream ends, then begins anew; asked for anew whenever the query changes. */
  async function follow() {
    if (stream) stream.abort();
    const own = new AbortController();
    stream = own;
    let quiet = 0;
    const alive = () => {
      clearTimeout(quiet);
      quiet = setTimeout(() => own.abort(), QUIET_MS);
    };
    try {
      alive();
      const answer = await ask("/page/events?" + new URLSearchParams(query), own.signal);
      if (answer.status === 401 || answer.status === 403) {
        clearTimeout(quiet);
        login(answer.status, (await answer.text()).trim());
        return;
      }
      if (!answer.ok) throw new Error((await answer.text()).trim());
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        alive();
        rest += value;
        const events = rest.split("\n\n");
        rest = events.pop();
        events.filter(event => event.startsWith("data: ")).forEach(event => tell(JSON.parse(event.slice(6))));
        link("Live", "good");
        tries = 0;
      }
    } catch (error) {
      if (stream === own && !own.signal.aborted) tellWhy(error);
    } finally {
      clearTimeout(quiet);
    }
    if (stream === own) {
      link("No connection, trying again", "bad");
      setTimeout(() => { if (stream === own) follow(); }, LATER_MS[Math.min(tries++, LATER_MS.length - 1)]);
    }
  }

  function tellWhy(error) {
    if (error.message && !(error instanceof TypeError)) text("about", error.message);
  }

  function login(status, why) {
    place("shown").hidden = true;
    place("login").hidden = false;
    text("login-error", status === 403 ? why : token ? "The API server does not know this token." : "");
    link("A token is needed", "");
    place("token").focus();
  }

  place("login").addEventListener("submit", event => {
    event.preventDefault();
    token = place("token").value.trim();
    place("token").value = "";
    follow();
  });

  // ---- what people want to see

  function sorted() {
    document.querySelectorAll("[data-sort]").forEach(button => {
      const own = button.dataset.sort === query.sort;
      if (own) button.closest("th").setAttribute("aria-sort", query.order === "asc" ? "ascending" : "descending");
      else button.closest("th").removeAttribute("aria-sort");
    });
  }

  function change(more) {
    Object.assign(query, { page: 0 }, more);
    sorted();
    follow();
  }

  document.querySelectorAll("[data-sort]").forEach(button => button.addEventListener("click", () => {
    const sort = button.dataset.sort;
    // of numbers the largest is looked for, of states the worst, which is the first
    const first = ["pods", "pending", "failed", "config"].includes(sort) ? "desc" : "asc";
    change({ sort, order: query.sort === sort ? (query.order === "asc" ? "desc" : "asc") : first });
  }));
  place("q").addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => change({ q: place("q").value }), TYPING_MS);
  });
  place("which").addEventListener("change", () => change({ which: place("which").value }));
  place("back").addEventListener("click", () => change({ page: Math.max(0, query.page - 1) }));
  place("on").addEventListener("click", () => change({ page: query.page + 1 }));
  place("close").addEventListener("click", () => {
    const name = opened;
    opened = "";
    place("node").hidden = true;
    const from = [...document.querySelectorAll("#nodes tbody button")].find(button => button.textContent === name);
    (from || place("nodes-title")).focus();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      if (stream) stream.abort();
      stream = null;
    } else if (!stream) {
      follow();
    }
  });

  // ---- light and dark

  const system = matchMedia("(prefers-color-scheme: dark)");
  let wanted = null;
  const dark = () => wanted ?? system.matches;
  function theme() {
    document.documentElement.dataset.theme = dark() ? "dark" : "light";
    place("theme").setAttribute("aria-pressed", String(dark()));
  }
  system.addEventListener("change", theme);
  place("theme").addEventListener("click", () => { wanted = !dark(); theme(); });

  theme();
  sorted();
  follow();
})();
