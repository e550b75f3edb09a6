"use strict";

/** What a control plane went through: a chart for each group of its curves, beside the subject's. */
const Plane = (() => {
  const MOST_LINES = 6;
  const SOURCES = { api_server: "API server", subject: "subject", load: "load", watch: "watch" };

  const recorded = subjects => subjects.filter(subject => subject.run.control_plane);
  const named = (subjects, subject, label) => subjects.length > 1 ? `${subject.name}, ${label}` : label;

  /** Of one subject the lines differ in colour, of several in dashes. */
  function dataset(subjects, subject, label, index, points) {
    const single = subjects.length === 1;
    const color = single ? Draw.color(index) : subject.color;
    return {
      label: named(subjects, subject, label), data: Draw.thinned(points), borderColor: color, backgroundColor: color,
      pointStyle: single ? Draw.shape(index) : subject.shape, borderDash: single || index === 0 ? undefined : [6 - index, 2 + index],
      borderWidth: 2, pointRadius: points.length <= 25 ? 2.5 : 0, pointHoverRadius: 5, tension: 0.2, cubicInterpolationMode: "monotone",
    };
  }

  function points(samples, key) {
    return samples.filter(sample => Number.isFinite(sample[key])).map(sample => ({ x: sample.at_s, y: sample[key] }));
  }

  function curves(subjects, chart, over) {
    const lines = recorded(subjects).flatMap(subject => chart.keys
      .map(([key, label]) => [label, points(subject.run.control_plane.samples, key)])
      .filter(([, line]) => line.length && (!chart.quiet || line.some(point => point.y > 0)))
      .map(([label, line], index) => dataset(recorded(subjects), subject, label, index, line)));
    return {
      id: chart.id, title: chart.title, note: chart.note, empty: lines.length === 0,
      config: () => over(chart.unit, lines),
    };
  }

  function usage(subjects, id, title, note, key, unit, over) {
    const lines = recorded(subjects).flatMap(subject => subject.run.control_plane.components
      .map(component => [component.name, points(component.samples, key)])
      .filter(([, line]) => line.length)
      .slice(0, MOST_LINES)
      .map(([label, line], index) => dataset(recorded(subjects), subject, label, index, line)));
    return { id, title, note, empty: lines.length === 0, config: () => over(unit, lines) };
  }

  const CHARTS = [
    {
      id: "plane-latency", title: "API server, latency", unit: "ms", note: "99th percentile of all kinds of requests together, without network and queues",
      keys: [["mutating_p99_ms", "writes"], ["single_reads_p99_ms", "reads of one object"], ["lists_p99_ms", "lists"]],
    },
    {
      id: "plane-requests", title: "API server, requests", unit: "per s", note: "Requests answered and events sent to watches",
      keys: [["requests_per_s", "requests"], ["watch_events_per_s", "watch events"]],
    },
    {
      id: "plane-pressure", title: "API server, pressure", unit: "requests", note: "Requests in flight; per second rejected with 429 or ended in self-defence", quiet: true,
      keys: [["in_flight_mutating", "writes in flight"], ["in_flight_reads", "reads in flight"], ["rejected_per_s", "rejected"], ["terminated_per_s", "ended"]],
    },
    {
      id: "plane-etcd", title: "etcd, latency", unit: "ms", note: "99th percentile of the API server's requests to etcd", keys: [["etcd_p99_ms", "etcd"]],
    },
    { id: "plane-objects", title: "Stored objects", unit: "objects", note: "Of all resources", keys: [["objects", "objects"]] },
    {
      id: "plane-scheduling", title: "Scheduler", unit: "per s", note: "Attempts to place a pod", quiet: true, keys: [["scheduling_attempts_per_s", "attempts"]],
    },
    {
      id: "plane-scheduling-time", title: "Scheduler, latency", unit: "ms", note: "99th percentile of an attempt", keys: [["scheduling_p99_ms", "attempt"]],
    },
  ];

  /**
   * @param over draws lines of a unit over the time of all runs
   */
  function charts(subjects, over) {
    return [
      ...CHARTS.map(chart => curves(subjects, chart, over)),
      usage(subjects, "plane-cpu", "Control plane, CPU", "In percent of one core", "cpu_percent", "%", over),
      usage(subjects, "plane-memory", "Control plane, memory", "Resident", "resident_mib", "MiB", over),
    ];
  }

  return { charts, SOURCES };
})();
