"use strict";

/** From recorded and replayed runs to what each chart draws. */
const Charts = (() => {
  const { line, curves, bars } = Plots;

  /** The recording is drawn above the replays, which are the wider the further below: equal curves are all seen. */
  const WIDER = 3;
  const LINE = 2;

  /** A curve of equally distant points. */
  function series(subject, name, more = {}) {
    const { step_s: step, [name]: values } = subject.run.over_time;
    return line(subject, values.map((value, at) => ({ x: at * step, y: value })), { cubicInterpolationMode: "default", tension: 0, stepped: "before", pointRadius: 0, ...more });
  }

  function overTime(subjects, id, title, note, unit, curvesOf, more = {}) {
    const end = Math.max(1, ...subjects.map(subject => subject.run.seconds));
    const datasets = subjects.flatMap((subject, position) =>
      curvesOf(subject).map(dataset => ({ ...dataset, borderWidth: LINE + WIDER * position })));
    return {
      id, title, note, ...more, empty: datasets.every(dataset => dataset.data.every(point => point.y === 0)),
      config: () => ({
        type: "line",
        data: { datasets },
        options: Draw.options({
          parsing: false,
          legend: datasets.length > 1,
          scales: { x: Draw.timeAxis(end), y: Draw.axis(unit, { beginAtZero: true }) },
          plugins: {
            tooltip: {
              callbacks: {
                title: items => Draw.time(items[0].parsed.x),
                label: item => ` ${item.dataset.label}: ${Draw.number(item.parsed.y)} ${unit}`,
              },
            },
          },
        }),
      }),
    };
  }

  function distribution(subjects, name, title, note, unit, scale) {
    const measured = subjects.filter(subject => subject.run[name]?.count > 0);
    return {
      id: name, title, note, empty: measured.length === 0,
      config: () => curves(measured, subject => subject.run[name], unit, scale, Draw.axis(unit, { beginAtZero: true })),
    };
  }

  function placement(subjects) {
    const groups = [...new Set(subjects.flatMap(subject => Object.keys(subject.run.groups)))];
    return {
      id: "placement", title: "Placement", note: "Pods by group of their node", wide: true, empty: groups.length === 0,
      config: () => bars(subjects, groups, (subject, group) => subject.run.groups[group] ?? 0, "pods", {
        indexAxis: "y",
        scales: { x: Draw.axis("pods", { beginAtZero: true }), y: Draw.categoryAxis() },
      }),
    };
  }

  function all(subjects) {
    return [
      overTime(subjects, "pods", "Pods over time", "Running; dashed: created and not yet running", "pods", subject => [
        series(subject, "running", { label: `${subject.name}, running` }),
        series(subject, "pending", { label: `${subject.name}, pending`, borderDash: [6, 4] }),
      ], { wide: true }),
      overTime(subjects, "nodes", "Nodes over time", "That pods could be bound to", "nodes", subject => [series(subject, "nodes")]),
      overTime(subjects, "cpu", "Requested CPU", "By bound pods, in percent of what the nodes offer", "%", subject => [series(subject, "cpu_percent")]),
      overTime(subjects, "memory", "Requested memory", "By bound pods, in percent of what the nodes offer", "%", subject => [series(subject, "memory_percent")]),
      distribution(subjects, "pending", "Pending", "Created to running; share of pods that took no longer", "s", 0.001),
      distribution(subjects, "scheduling", "Scheduling", "Created to bound; share of pods that took no longer", "s", 0.001),
      distribution(subjects, "start", "Start", "Bound to running; share of pods that took no longer", "s", 0.001),
      distribution(subjects, "run", "Run time", "Of pods that ended; share of pods that took no longer", "s", 0.001),
      placement(subjects),
      distribution(subjects, "lateness", "The driver's lateness", "Real time between when a step was due and when its request left", "ms", 1),
    ].filter(chart => !chart.empty);
  }

  return { all, faults: () => [] };
})();
