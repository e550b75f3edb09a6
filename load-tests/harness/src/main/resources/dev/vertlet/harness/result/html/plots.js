"use strict";

/** Kinds of charts that several pages draw: lines, distributions, bars. */
const Plots = (() => {
  function line(subject, points, more = {}) {
    return {
      label: subject.name,
      data: points,
      borderColor: subject.color,
      backgroundColor: subject.color,
      pointStyle: subject.shape,
      borderWidth: 2,
      pointRadius: points.length <= 25 ? 2.5 : 0,
      pointHoverRadius: 5,
      tension: 0.2,
      cubicInterpolationMode: "monotone",
      ...more,
    };
  }

  /** With those that have a mark; the slowest of all stands at the right edge. */
  function points({ curve, p50_ms, p90_ms, p99_ms, max_ms }, top) {
    const marked = [[50, p50_ms], [90, p90_ms], [99, p99_ms]];
    return [...curve.filter(([percentile]) => percentile < 100 && !marked.some(([mark]) => mark === percentile)), ...marked]
      .map(([percentile, millis]) => [Draw.nines(percentile), millis]).filter(([x]) => x < top)
      .concat([[top, max_ms]]).sort(([one], [other]) => one - other);
  }

  function curves(subjects, latencies, unit, scale, y) {
    const shown = subjects.filter(subject => latencies(subject) && latencies(subject).curve.length > 1);
    const most = Math.max(...shown.map(subject => latencies(subject).count), 1);
    const top = Math.min(4, Math.max(2, Math.log10(most)));
    const datasets = shown.map(subject => line(subject, points(latencies(subject), top)
      .map(([x, millis]) => ({ x, y: millis * scale })).filter(point => point.y > 0), {
        cubicInterpolationMode: "default", tension: 0, pointRadius: point => Draw.isLabelled(point.raw?.x) ? 4 : 0,
      }));
    return {
      type: "line",
      data: { datasets },
      options: Draw.options({
        parsing: false,
        legend: subjects.length > 1,
        scales: { x: Draw.percentileAxis(top), y },
        plugins: {
          tooltip: {
            callbacks: {
              title: items => "p" + Math.round((100 - 100 / 10 ** items[0].parsed.x) * 1000) / 1000,
              label: item => ` ${item.dataset.label}: ${Draw.number(item.parsed.y)} ${unit}`,
            },
          },
        },
      }),
    };
  }

  function bars(subjects, labels, value, unit, more) {
    return {
      type: "bar",
      data: {
        labels,
        datasets: subjects.map(subject => ({
          label: subject.name,
          data: labels.map(label => value(subject, label)),
          backgroundColor: subject.color,
          borderRadius: 4,
          maxBarThickness: 34,
          categoryPercentage: 0.7,
          barPercentage: 0.9,
        })),
      },
      options: Draw.options({
        ...more,
        interaction: { mode: "index", axis: more.indexAxis || "x", intersect: false },
        legend: subjects.length > 1,
        labels: { pointStyle: "rectRounded", pointStyleWidth: 14, boxHeight: 8 },
        plugins: {
          tooltip: { callbacks: { label: item => ` ${item.dataset.label}: ${Draw.number(item.raw)} ${unit}` } },
        },
      }),
    };
  }

  return { line, curves, bars };
})();
