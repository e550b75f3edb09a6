"use strict";

/** From results to what each chart draws: title, note, datasets and options. */
const Charts = (() => {
  const SLOPE_SECONDS = 300;
  const MOST_STRIPS = 4;
  const MOST_KINDS = 8;

  const { line, curves, bars } = Plots;

  const phasesOf = run => Object.entries(run.phases).map(([name, phase]) => ({ name, ...phase }));
  const endOf = run => Math.max(1, ...phasesOf(run).map(phase => phase.began_s + phase.seconds));

  function overTime(subjects, faults, unit, datasets, more = {}) {
    const end = Math.max(...subjects.map(subject => endOf(subject.run)));
    const strips = subjects.slice(0, MOST_STRIPS).map(subject => ({
      color: subject.color,
      phases: phasesOf(subject.run).map(phase => ({
        name: phase.name, warmUp: phase.warm_up, from: phase.began_s, to: phase.began_s + phase.seconds,
      })),
    }));
    return {
      type: "line",
      data: { datasets },
      options: Draw.options({
        parsing: false,
        legend: datasets.length > 1,
        room: datasets.length > 1 ? 0 : strips.length,
        scales: { x: Draw.timeAxis(end), y: Draw.axis(unit, { beginAtZero: true, ...more.y }) },
        plugins: {
          marks: { strips, faults },
          tooltip: {
            callbacks: {
              title: items => Draw.time(items[0].parsed.x),
              label: item => ` ${item.dataset.label}: ${Draw.number(item.parsed.y)} ${unit}`,
            },
          },
        },
      }),
    };
  }

  function arrivals(run, key) {
    const points = [];
    phasesOf(run).forEach(phase => {
      const seconds = phase.timeline[key];
      if (!seconds.some(count => count > 0)) return;
      if (points.length) points.push({ x: phase.began_s - 0.01, y: NaN });
      points.push(...Draw.thinned(seconds.map((count, second) => ({ x: phase.began_s + second + 0.5, y: count }))));
    });
    return points;
  }

  function throughput(subjects, faults) {
    const datasets = subjects.flatMap(subject => [
      ["ready", "Ready", {}],
      ["gone", "gone", { borderDash: [6, 4] }],
    ].map(([key, label, more]) => line(subject, arrivals(subject.run, key), {
      label: subjects.length > 1 ? `${subject.name}, ${label}` : `pods ${label}`, ...more,
    })).filter(dataset => dataset.data.length > 0));
    return {
      id: "throughput", title: "Throughput over time", wide: true, empty: datasets.length === 0,
      note: "Pods that became Ready or went, per second",
      config: () => overTime(subjects, faults, "pods/s", datasets),
    };
  }

  function latency(subjects, id, key, title, note) {
    const names = [...new Set(subjects.flatMap(subject => phasesOf(subject.run)
      .filter(phase => phase[key].count > 0 && phase[key].curve.length > 1).map(phase => phase.name)))];
    const count = name => Math.max(...subjects.map(subject => (subject.run.phases[name] || { warm_up: true })[key]?.count || 0));
    const counted = names.filter(name => !subjects.every(subject => (subject.run.phases[name] || { warm_up: true }).warm_up));
    const choices = (counted.length ? counted : names).sort((one, other) => count(other) - count(one));
    return {
      id, title, note, choices, empty: choices.length === 0,
      config: name => curves(subjects, subject => (subject.run.phases[name] || {})[key], "ms", 1, Draw.logAxis("ms")),
    };
  }

  function cpu(subjects, faults) {
    const datasets = subjects.map(subject => {
      const samples = subject.run.resources.samples;
      const points = samples.slice(1).map((sample, index) => ({
        x: (sample.at_s + samples[index].at_s) / 2,
        y: (sample.cpu_ms - samples[index].cpu_ms) / (sample.at_s - samples[index].at_s) / 10,
      })).filter(point => Number.isFinite(point.y) && point.y >= 0);
      return line(subject, Draw.thinned(points));
    }).filter(dataset => dataset.data.length > 0);
    return {
      id: "cpu", title: "CPU", note: "In percent of one core", empty: datasets.length === 0,
      config: () => overTime(subjects, faults, "%", datasets),
    };
  }

  /** The slope through the middle of what it was measured on; of a short run it says nothing. */
  function trend(subject, samples) {
    const counted = phasesOf(subject.run).filter(phase => !phase.warm_up);
    const slope = subject.run.resources.slope_mib_per_hour;
    if (slope === null || counted.reduce((sum, phase) => sum + phase.seconds, 0) < SLOPE_SECONDS) return [];
    const inside = samples.filter(point => counted.some(phase => point.x >= phase.began_s && point.x <= phase.began_s + phase.seconds));
    if (inside.length < 2) return [];
    const mean = key => inside.reduce((sum, point) => sum + point[key], 0) / inside.length;
    const at = x => ({ x, y: mean("y") + slope / 3600 * (x - mean("x")) });
    return [line(subject, [at(inside[0].x), at(inside[inside.length - 1].x)], {
      label: `${subject.name}, ${slope >= 0 ? "+" : "−"}${Draw.number(Math.abs(slope))} MiB/h`, borderDash: [2, 4], pointRadius: 0,
    })];
  }

  function memory(subjects, faults) {
    const datasets = subjects.flatMap(subject => {
      const points = subject.run.resources.samples.map(sample => ({ x: sample.at_s, y: sample.resident_mib }));
      return points.length === 0 ? [] : [line(subject, Draw.thinned(points)), ...trend(subject, points)];
    });
    const dotted = datasets.some(dataset => dataset.borderDash);
    return {
      id: "memory", title: "Memory", note: dotted ? "Resident; dotted: its slope over the measured phases" : "Resident", empty: datasets.length === 0,
      config: () => overTime(subjects, faults, "MiB", datasets),
    };
  }

  function leases(subjects) {
    const keys = { p50: "p50_ms", p90: "p90_ms", p99: "p99_ms", longest: "max_ms" };
    const seconds = millis => millis === null ? null : millis / 1000;
    return {
      id: "leases", title: "Lease gaps", note: "Between two renewals of a node's lease",
      empty: subjects.every(subject => subject.run.lease_gaps.count === 0),
      config: () => bars(subjects, Object.keys(keys), (subject, label) => seconds(subject.run.lease_gaps[keys[label]]), "s", {
        scales: {
          x: Draw.categoryAxis(),
          y: Draw.axis("s", { beginAtZero: true }),
        },
      }),
    };
  }

  function traffic(subjects) {
    const counted = subjects.filter(subject => subject.run.traffic);
    const kind = requests => `${requests.verb} ${requests.resource}`;
    // of the same phases as the requests; where none becomes Ready in them, those that go
    const measured = (subject, key) => phasesOf(subject.run).filter(phase => !phase.warm_up).reduce((sum, phase) => sum + phase[key], 0);
    const pods = subject => Math.max(1, measured(subject, "ready"), measured(subject, "gone"));
    const count = (subject, wanted) => subject.run.traffic.requests
      .filter(requests => kind(requests) === wanted).reduce((sum, requests) => sum + requests.count, 0);
    const most = wanted => Math.max(...counted.map(subject => count(subject, wanted)));
    const kinds = [...new Set(counted.flatMap(subject => subject.run.traffic.requests.map(kind)))]
      .sort((one, other) => most(other) - most(one)).slice(0, MOST_KINDS);
    return {
      id: "traffic", title: "API requests per pod", wide: true, note: "Counted before the API server, by verb and resource", empty: kinds.length === 0,
      config: () => bars(counted, kinds, (subject, label) => count(subject, label) / pods(subject), "per pod", {
        indexAxis: "y",
        scales: {
          x: Draw.axis("requests per pod", { beginAtZero: true }),
          y: Draw.categoryAxis(),
        },
      }),
    };
  }

  /** The same fault of several runs is one mark. */
  function faults(subjects) {
    const all = subjects.flatMap(subject => subject.run.faults).sort((one, other) => one.at_s - other.at_s);
    return all.filter((fault, index) => !all.slice(0, index).some(before => before.what === fault.what && fault.at_s - before.at_s < 1));
  }

  function all(subjects) {
    const marks = faults(subjects);
    return [
      throughput(subjects, marks),
      latency(subjects, "create", "create", "Create to Ready", "Share of pods that took no longer, in ms"),
      latency(subjects, "delete", "delete", "Delete to gone", "Share of pods that took no longer, in ms"),
      cpu(subjects, marks),
      memory(subjects, marks),
      leases(subjects),
      traffic(subjects),
      ...Plane.charts(subjects, (unit, datasets) => overTime(subjects, marks, unit, datasets)),
    ].filter(chart => !chart.empty);
  }

  return { all, faults };
})();
