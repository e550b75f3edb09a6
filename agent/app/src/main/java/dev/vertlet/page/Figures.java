package dev.vertlet.page;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Metrics on the page, read while somebody views it. Confined to one context. */
final class Figures {
  private static final double MIB = 1024 * 1024;

  private final MeterRegistry registry;
  private double renewals = -1;
  private long at;
  private double rate;

  Figures(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Returns waiting and in-flight requests and the event loop lag. */
  JsonObject queues(int writes) {
    return new JsonObject()
        .put("lanes", gauges("rest_client_queue_depth", "lane"))
        .put("inFlight", gauges("rest_client_in_flight_requests", "connection"))
        .put("writes", writes)
        .put(
            "loops",
            array(
                registry.find("vertlet_event_loop_lag_seconds").timers().stream()
                    .sorted(Comparator.comparing(timer -> tag(timer.getId().getTag("loop"))))
                    .toList(),
                timer ->
                    new JsonObject()
                        .put("name", tag(timer.getId().getTag("loop")))
                        .put("latestMs", round(timer.max(TimeUnit.MILLISECONDS)))));
  }

  /**
   * Returns the rate and failures of Lease renewals.
   *
   * @param millis time of the clock, for rates
   */
  JsonObject renewals(long millis) {
    double count = 0;
    double slowest = 0;
    for (Timer timer :
        registry.find("rest_client_request_duration_seconds").tag("resource", "leases").timers()) {
      if (!"get".equals(timer.getId().getTag("verb"))) {
        count += timer.count();
        slowest = Math.max(slowest, timer.max(TimeUnit.MILLISECONDS));
      }
    }
    if (renewals >= 0 && millis - at >= 5_000) {
      rate = (count - renewals) * 1_000 / (millis - at);
    }
    if (renewals < 0 || millis - at >= 5_000) {
      renewals = count;
      at = millis;
    }
    double failed =
        registry.find("rest_client_requests_total").tag("resource", "leases").counters().stream()
            .filter(counter -> isFailure(tag(counter.getId().getTag("code"))))
            .mapToDouble(Counter::count)
            .sum();
    return new JsonObject()
        .put("perSecond", round(rate))
        .put("slowestMs", round(slowest))
        .put("failed", (long) failed);
  }

  /**
   * Returns whether the code is a failure; a missing Lease and a conflict with another agent's
   * write are not.
   */
  private static boolean isFailure(String code) {
    return !code.startsWith("2") && !code.equals("404") && !code.equals("409");
  }

  /** Returns the calls of provider {@code remote} to its back end; null without such nodes. */
  @Nullable JsonObject backend() {
    Gauge inFlight = registry.find("vertlet_remote_calls_in_flight").gauge();
    Gauge silence = registry.find("vertlet_remote_stream_age_seconds").gauge();
    if (inFlight == null || silence == null) {
      return null;
    }
    long calls = 0;
    long failed = 0;
    double millis = 0;
    double slowest = 0;
    for (Timer timer : registry.find("vertlet_remote_call_duration_seconds").timers()) {
      calls += timer.count();
      failed += failsCall(tag(timer.getId().getTag("code"))) ? timer.count() : 0;
      millis += timer.totalTime(TimeUnit.MILLISECONDS);
      slowest = Math.max(slowest, timer.max(TimeUnit.MILLISECONDS));
    }
    return new JsonObject()
        .put("calls", calls)
        .put("failed", failed)
        .put("meanMs", calls == 0 ? 0 : round(millis / calls))
        .put("slowestMs", round(slowest))
        .put("inFlight", (long) inFlight.value())
        .put("silentSeconds", round(silence.value()));
  }

  /**
   * Returns whether a back end has failed to serve a call: 404, 409, 410 and the like are answers,
   * and 501 is that of one that does not offer something.
   */
  private static boolean failsCall(String code) {
    return switch (code) {
      case "none", "401", "403", "429" -> true;
      case "501" -> false;
      default -> code.startsWith("5");
    };
  }

  /** Returns the process's resource usage. */
  JsonObject process() {
    double heap =
        registry.find("jvm.memory.used").tag("area", "heap").gauges().stream()
            .mapToDouble(Gauge::value)
            .sum();
    Gauge cpu = registry.find("process.cpu.usage").gauge();
    // read only once: the value covers the time since the last read
    double share = cpu == null ? 0 : cpu.value();
    return new JsonObject()
        .put(
            "cpuPercent",
            Math.max(0, Math.round(share * 100 * Runtime.getRuntime().availableProcessors())))
        .put("heapMib", Math.round(heap / MIB));
  }

  private JsonArray gauges(String name, String label) {
    return array(
        registry.find(name).gauges().stream()
            .sorted(Comparator.comparing(gauge -> tag(gauge.getId().getTag(label))))
            .toList(),
        gauge ->
            new JsonObject()
                .put("name", tag(gauge.getId().getTag(label)))
                .put("value", (long) gauge.value()));
  }

  private static <T> JsonArray array(Iterable<T> of, Function<T, JsonObject> made) {
    JsonArray array = new JsonArray();
    of.forEach(each -> array.add(made.apply(each)));
    return array;
  }

  private static String tag(@Nullable String value) {
    return value == null ? "" : value;
  }

  private static double round(double value) {
    return Math.round(value * 10) / 10.0;
  }
}
