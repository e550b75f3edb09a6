package dev.vertlet.page;

import dev.vertlet.bus.NodeConfigStatusChanged;
import dev.vertlet.bus.NodePodCounts;
import dev.vertlet.bus.PodTimeline;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Writes the page's data in sections that can be sent separately. Untrusted values such as names
 * and messages are JSON strings, which the page's script shows as text only.
 */
final class PageDocument {
  /** Most characters of a message from other components. */
  private static final int LONGEST = 500;

  /** Seconds that the charts show. */
  private static final int SECONDS = 60;

  /** Most names in a list beside its count. */
  private static final int NAMED = 10;

  private final PageModel model;
  private final Figures figures;
  private final JsonObject agent;

  /**
   * @param agent data that never changes
   */
  PageDocument(PageModel model, Figures figures, JsonObject agent) {
    this.model = model;
    this.figures = figures;
    this.agent = agent;
  }

  /**
   * Returns the sections that are the same for all viewers.
   *
   * @param now milliseconds since 1970
   */
  Map<String, String> shared(long now) {
    Map<String, String> sections = new LinkedHashMap<>();
    sections.put("agent", agent.encode());
    sections.put("nodes", nodes().encode());
    sections.put("pods", pods(model.pods()).put("starting", model.starting()).encode());
    sections.put("rates", rates(now).encode());
    sections.put("latency", latencies(now).encode());
    sections.put("leases", leases(now).encode());
    sections.put("queues", figures.queues(model.writes()).encode());
    JsonObject backend = figures.backend();
    if (backend != null) {
      sections.put("backend", backend.encode());
    }
    sections.put("process", figures.process().encode());
    sections.put(
        "slow",
        new JsonObject().put("starts", slow(false, now)).put("ends", slow(true, now)).encode());
    return sections;
  }

  private JsonObject nodes() {
    JsonObject json = new JsonObject().put("total", model.size());
    model.states().forEach((state, count) -> json.put(word(state), count));
    return json.put("configured", model.configured()).put("configErrors", model.configErrors());
  }

  private static JsonObject pods(NodePodCounts pods) {
    return new JsonObject()
        .put("total", pods.total())
        .put("pending", pods.pending())
        .put("running", pods.running())
        .put("succeeded", pods.succeeded())
        .put("failed", pods.failed())
        .put("unknown", pods.unknown())
        .put("ready", pods.ready())
        .put("ending", pods.ending());
  }

  private JsonObject rates(long now) {
    long second = now / 1_000;
    return new JsonObject()
        .put("started", new JsonArray(model.started().last(second, SECONDS)))
        .put("gone", new JsonArray(model.gone().last(second, SECONDS)));
  }

  private JsonObject latencies(long now) {
    long second = now / 1_000;
    return new JsonObject()
        .put("startMinute", latency(model.starts().minute(second)))
        .put("startEver", latency(model.starts().ever()))
        .put("endMinute", latency(model.ends().minute(second)))
        .put("endEver", latency(model.ends().ever()));
  }

  private static JsonObject latency(LatencyHistogram of) {
    return new JsonObject()
        .put("count", of.count())
        .put("p50", millis(of.percentile(50)))
        .put("p90", millis(of.percentile(90)))
        .put("p99", millis(of.percentile(99)))
        .put("max", millis(of.max()));
  }

  private static double millis(long micros) {
    return Math.round(micros / 10.0) / 100.0;
  }

  private JsonObject leases(long now) {
    JsonArray lost = new JsonArray();
    for (NodeLine node : model.lost(NAMED)) {
      lost.add(
          new JsonObject()
              .put("node", node.name())
              .put("reason", shortened(node.reason()))
              .put("since", node.leaseSince()));
    }
    return figures.renewals(now).put("held", model.leased()).put("lost", lost);
  }

  private JsonArray slow(boolean ending, long now) {
    return array(model.slow(ending, now), PageDocument::slow);
  }

  private static JsonObject slow(SlowPod pod) {
    PodTimeline way = pod.way();
    JsonArray marks = new JsonArray();
    for (PodTimeline.Mark mark : way.marks()) {
      marks.add(
          new JsonObject()
              .put("step", word(mark.step()))
              .put("after", millis(mark.after() / 1_000)));
    }
    boolean over =
        way.marks().stream()
            .anyMatch(
                mark ->
                    mark.step() == PodTimeline.Step.WRITTEN
                        || mark.step() == PodTimeline.Step.GONE);
    return new JsonObject()
        .put("pod", way.pod().display())
        .put("uid", way.pod().uid())
        .put("node", way.node())
        .put("seen", pod.seen())
        .put("over", over)
        .put("marks", marks);
  }

  /** Returns the table of one viewer's query. */
  String table(NodeQuery query) {
    PageModel.Rows rows = model.rows(query);
    return new JsonObject()
        .put("matches", rows.matches())
        .put("page", rows.page())
        .put("size", NodeQuery.ROWS)
        .put("rows", array(rows.nodes(), PageDocument::row))
        .encode();
  }

  private static JsonObject row(NodeLine node) {
    JsonObject row =
        new JsonObject()
            .put("name", node.name())
            .put("state", word(node.state()))
            .put("reason", shortened(node.reason()))
            .put("leased", node.leased())
            .put("leaseSince", node.leaseSince())
            .put("pods", pods(node.pods()));
    NodeConfigStatusChanged config = node.config();
    return config == null ? row : row.put("config", config(config));
  }

  private static JsonObject config(NodeConfigStatusChanged config) {
    return new JsonObject()
        .put("assigned", config.assigned())
        .put("active", config.active())
        .put("lastKnownGood", config.lastKnownGood())
        .put("error", shortened(config.error()));
  }

  static JsonObject node(NodeLine node) {
    return row(node)
        .put("history", array(node.configs(), at -> config(at.config()).put("since", at.since())));
  }

  private static <T> JsonArray array(List<T> of, Function<T, JsonObject> made) {
    JsonArray array = new JsonArray();
    of.forEach(each -> array.add(made.apply(each)));
    return array;
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
