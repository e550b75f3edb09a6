"use strict";

/** What all charts share: colours of the theme, marks on axes of time, axes of percentiles. */
const Draw = (() => {
  const FAULT_LABELS = 12;
  const STRIP = 15;
  const SHAPES = ["circle", "rectRot", "triangle", "rect", "star", "crossRot"];
  const PERCENTILES = [50, 90, 99, 99.9, 99.99];

  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const color = index => css("--s" + index % 6);
  const shape = index => SHAPES[index % SHAPES.length];
  const font = () => getComputedStyle(document.body).fontFamily;

  function number(value) {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    const size = Math.abs(value);
    const digits = Number.isInteger(value) || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }

  /** With as many digits as tell neighbouring ticks apart. */
  function tick(value, index, ticks) {
    const step = ticks.length > 1 ? Math.abs(ticks[1].value - ticks[0].value) : 1;
    const digits = Math.ceil(-Math.log10(step) - 1e-9);
    return digits <= 2 || value === 0
      ? number(value) : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }

  /** Means of neighbours, so that an hour's seconds fit into a chart. */
  function thinned(points, most = 240) {
    const size = Math.ceil(points.length / most);
    if (size <= 1) return points;
    const thin = [];
    for (let at = 0; at < points.length; at += size) {
      const part = points.slice(at, at + size);
      const mean = key => part.reduce((sum, point) => sum + point[key], 0) / part.length;
      thin.push({ x: mean("x"), y: mean("y") });
    }
    return thin;
  }

  /** Where the tail of a distribution has room: as far from 90 % to 99 % as from 99 % to 99.9 %. */
  const nines = percentile => -Math.log10(1 - Math.min(percentile, 99.999) / 100);

  const isLabelled = x => PERCENTILES.some(percentile => Math.abs(nines(percentile) - x) < 0.02);

  function time(seconds) {
    const whole = Math.round(seconds);
    return whole < 180 ? number(Math.round(seconds * 10) / 10) + " s" : Math.floor(whole / 60) + ":" + String(whole % 60).padStart(2, "0") + " min";
  }

  /** Phases as a strip for each subject above the plot, faults as numbered lines through it. */
  const marks = {
    id: "marks",
    /** Strips stand between legend and plot, where the legend makes room for them. */
    beforeInit(chart, args, options) {
      const room = STRIP * (options.strips || []).length;
      const fit = chart.legend.fit;
      chart.legend.fit = function () {
        fit.call(this);
        this.height += room;
      };
    },
    beforeDraw(chart, args, options) {
      const { ctx, chartArea: area, scales } = chart;
      ctx.save();
      ctx.font = "500 11px " + font();
      ctx.textBaseline = "middle";
      (options.strips || []).forEach((strip, row) => {
        const top = area.top - STRIP * (options.strips.length - row) - 3;
        strip.phases.forEach(phase => {
          const left = Math.max(area.left, scales.x.getPixelForValue(phase.from));
          const width = Math.min(area.right, scales.x.getPixelForValue(phase.to)) - left - 2;
          if (width <= 0) return;
          ctx.globalAlpha = phase.warmUp ? 0.1 : 0.2;
          ctx.fillStyle = strip.color;
          ctx.beginPath();
          ctx.roundRect(left, top, width, STRIP - 3, 3);
          ctx.fill();
          ctx.globalAlpha = 1;
          ctx.fillStyle = css("--text");
          const label = phase.name + (phase.warmUp && !/warm/i.test(phase.name) ? " (warm-up)" : "");
          if (ctx.measureText(label).width < width - 8) ctx.fillText(label, left + 5, top + (STRIP - 3) / 2 + 0.5);
        });
      });
      ctx.restore();
    },
    afterDatasetsDraw(chart, args, options) {
      const { ctx, chartArea: area, scales } = chart;
      const faults = options.faults || [];
      ctx.save();
      ctx.font = "600 10px " + font();
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      faults.forEach((fault, index) => {
        const x = scales.x.getPixelForValue(fault.at_s);
        if (x < area.left || x > area.right) return;
        ctx.strokeStyle = css("--bad");
        ctx.setLineDash([3, 3]);
        ctx.beginPath();
        ctx.moveTo(x, area.top);
        ctx.lineTo(x, area.bottom);
        ctx.stroke();
        if (faults.length > FAULT_LABELS) return;
        ctx.fillStyle = css("--bad");
        ctx.beginPath();
        ctx.arc(x, area.top + 8, 7.5, 0, 2 * Math.PI);
        ctx.fill();
        ctx.fillStyle = css("--card");
        ctx.fillText(index + 1, x, area.top + 8.5);
      });
      ctx.restore();
    },
  };

  function axis(title, more = {}) {
    return {
      title: { display: true, text: title, color: css("--soft"), font: { size: 12 } },
      grid: { color: css("--line"), tickColor: "transparent" },
      border: { display: false },
      ticks: { color: css("--soft"), maxRotation: 0, autoSkipPadding: 16, font: { size: 12 }, callback: tick, ...more.ticks },
      ...Object.fromEntries(Object.entries(more).filter(([key]) => key !== "ticks")),
    };
  }

  // in seconds, at most ten of them after the first: the library's own steps end between two minutes
  function wholeMinutes(end) {
    const step = [60, 300, 600, 1800, 3600].find(seconds => end / seconds <= 10) ?? Math.ceil(end / 36000) * 3600;
    return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
  }

  function timeAxis(end) {
    const minutes = end >= 600;
    return axis(minutes ? "minutes" : "seconds", {
      type: "linear",
      min: 0,
      max: end,
      ticks: { callback: value => number(minutes ? value / 60 : value) },
      afterBuildTicks: scale => {
        scale.ticks = minutes
          ? wholeMinutes(end).map(value => ({ value }))
          : scale.ticks.filter(tick => tick.value <= end && (Number.isInteger(tick.value) || end < 5));
      },
    });
  }

  function percentileAxis(top) {
    return axis("percentile", {
      type: "linear",
      min: 0,
      max: top,
      ticks: { autoSkip: false, callback: value => String(Math.round((100 - 100 / 10 ** value) * 1000) / 1000) },
      afterBuildTicks: scale => {
        scale.ticks = [0, ...PERCENTILES.map(nines)].filter(value => value <= top + 0.001).map(value => ({ value }));
      },
    });
  }

  function logAxis(title) {
    return axis(title, {
      type: "logarithmic",
      ticks: { autoSkip: true, callback: number },
      afterBuildTicks: scale => {
        const leading = value => Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
        const decades = Math.log10(scale.max / scale.min);
        const wanted = decades > 2.5 ? [1] : decades > 1.2 ? [1, 3] : [1, 2, 3, 5, 7];
        scale.ticks = scale.ticks.filter(tick => wanted.includes(leading(tick.value)));
      },
    });
  }

  /** With dashes, which the library leaves away where it draws points. */
  const generateLabels = chart => Chart.defaults.plugins.legend.labels.generateLabels(chart)
    .map(item => ({ ...item, lineDash: chart.data.datasets[item.datasetIndex].borderDash || [] }));

  const categoryAxis = () => axis("", {
    title: { display: false },
    grid: { display: false },
    ticks: { autoSkip: false, callback(value) { return this.getLabelForValue(value); } },
  });

  /** Of all charts; with a legend where a colour could mean one of several things. */
  function options(more) {
    const { legend, room, labels, ...rest } = more;
    return {
      animation: false,
      responsive: true,
      maintainAspectRatio: false,
      devicePixelRatio: Math.max(2, window.devicePixelRatio),
      interaction: { mode: "nearest", axis: "x", intersect: false },
      font: { family: font() },
      ...rest,
      plugins: {
        tooltip: {
          backgroundColor: css("--text"), titleColor: css("--card"), bodyColor: css("--card"),
          cornerRadius: 8, padding: 10, boxPadding: 4, usePointStyle: true, ...(rest.plugins || {}).tooltip,
        },
        legend: {
          align: "start",
          display: Boolean(legend),
          labels: { color: css("--text"), usePointStyle: true, pointStyle: "line", pointStyleWidth: 28, boxHeight: 7, padding: 12, font: { size: 12 }, generateLabels, ...labels },
        },
        marks: (rest.plugins || {}).marks || {},
      },
      layout: { padding: { top: room ? STRIP * room + 6 : 4 } },
    };
  }

  /** What goes into a slide: title, background and all. */
  function png(chart, title) {
    const source = chart.canvas;
    const scale = chart.currentDevicePixelRatio;
    const pad = 18 * scale;
    const head = 30 * scale;
    const canvas = document.createElement("canvas");
    canvas.width = source.width + 2 * pad;
    canvas.height = source.height + 2 * pad + head;
    const ctx = canvas.getContext("2d");
    ctx.fillStyle = css("--card");
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.fillStyle = css("--text");
    ctx.font = `600 ${17 * scale}px ${font()}`;
    ctx.textBaseline = "middle";
    ctx.fillText(title, pad, pad + head / 3);
    ctx.drawImage(source, pad, pad + head);
    return canvas.toDataURL("image/png");
  }

  return { css, color, shape, font, number, thinned, nines, isLabelled, time, marks, axis, categoryAxis, timeAxis, percentileAxis, logAxis, options, png };
})();
