package dev.vertlet.harness.fault;

import dev.vertlet.harness.measure.LatencyHistogram;
import dev.vertlet.harness.result.servicelevel.RequestKind;
import dev.vertlet.harness.result.servicelevel.RequestLatency;
import dev.vertlet.harness.result.servicelevel.Source;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the proxy's traffic. The proxy's event loop writes and test threads read, so every method
 * takes the monitor; the byte counters are atomic because they change with every buffer.
 */
public final class TrafficLog {
  /**
   * Number of recent requests kept per key: 20,000 × 100 bytes = 2 MB. Per key, so that many
   * requests for pods do not displace the few for leases.
   */
  private static final int KEPT_REQUESTS = 20_000;

  private final Map<Key, Counters> counters = new HashMap<>();
  private final Map<Key, ArrayDeque<Entry>> entries = new HashMap<>();
  private final Map<RequestKind, LatencyHistogram> latencies = new HashMap<>();
  private final AtomicLong toServer = new AtomicLong();
  private final AtomicLong toClient = new AtomicLong();

  TrafficLog() {}

  /**
   * Counters of one verb and resource.
   *
   * @param requests received requests, answered or not
   * @param failures answers of 400 and above, injected ones included
   * @param requestBytes body bytes of answered requests
   * @param responseBytes body bytes of answers; a watch counts when it ends
   */
  public record Counters(long requests, long failures, long requestBytes, long responseBytes) {
    private static final Counters NONE = new Counters(0, 0, 0, 0);

    private Counters plus(Counters other) {
      return new Counters(
          requests + other.requests,
          failures + other.failures,
          requestBytes + other.requestBytes,
          responseBytes + other.responseBytes);
    }
  }

  /**
   * One request.
   *
   * @param nanoTime time of arrival, from {@link System#nanoTime}
   */
  public record Entry(long nanoTime, ApiRequest request) {}

  /** Key of the counters. */
  public record Key(String verb, String resource, String subresource) {
    private static Key of(ApiRequest request) {
      return new Key(request.verb(), request.resource(), request.subresource());
    }

    private ApiRequest asRequest() {
      return new ApiRequest(verb, resource, subresource, "", "");
    }
  }

  synchronized void arrived(ApiRequest request) {
    ArrayDeque<Entry> kept = entries.computeIfAbsent(Key.of(request), key -> new ArrayDeque<>());
    if (kept.size() == KEPT_REQUESTS) {
      kept.removeFirst();
    }
    kept.addLast(new Entry(System.nanoTime(), request));
    add(request, new Counters(1, 0, 0, 0));
  }

  synchronized void answered(ApiRequest request, int code, long requestBytes, long responseBytes) {
    add(request, new Counters(0, code >= 400 ? 1 : 0, requestBytes, responseBytes));
  }

  /**
   * Records the time from a request's head to the last byte of its answer, with every injected
   * delay.
   */
  synchronized void took(ApiRequest request, long nanos) {
    if (!request.resource().isEmpty() && !request.isWatch()) {
      latencies
          .computeIfAbsent(
              RequestKind.ofClient(
                  request.verb(),
                  request.qualifiedResource(),
                  !request.name().isEmpty(),
                  request.namespace()),
              kind -> new LatencyHistogram())
          .record(nanos);
    }
  }

  /** Latencies of all kinds of requests for objects that were answered, but watches. */
  public synchronized List<RequestLatency> latencies() {
    return latencies.entrySet().stream()
        .map(entry -> entry.getValue().of(entry.getKey(), Source.SUBJECT))
        .toList();
  }

  /** Forgets all latencies so far. */
  public synchronized void resetLatencies() {
    latencies.clear();
  }

  private void add(ApiRequest request, Counters more) {
    counters.merge(Key.of(request), more, Counters::plus);
  }

  void sentToServer(int bytes) {
    toServer.addAndGet(bytes);
  }

  void sentToClient(int bytes) {
    toClient.addAndGet(bytes);
  }

  /** Number of matching requests received; for the arguments see {@link RequestMatcher}. */
  public long count(String verb, String resource) {
    return total(verb, resource).requests();
  }

  /** Sum of the counters of matching requests; for the arguments see {@link RequestMatcher}. */
  public synchronized Counters total(String verb, String resource) {
    RequestMatcher wanted = new RequestMatcher(verb, resource);
    return counters.entrySet().stream()
        .filter(entry -> wanted.matches(entry.getKey().asRequest()))
        .map(Map.Entry::getValue)
        .reduce(Counters.NONE, Counters::plus);
  }

  public synchronized Map<Key, Counters> counters() {
    return Map.copyOf(counters);
  }

  /** The most recent requests of each key, oldest first. */
  public List<Entry> requests() {
    return requests("*", "*");
  }

  /** The most recent matching requests, oldest first; arguments as in {@link RequestMatcher}. */
  public synchronized List<Entry> requests(String verb, String resource) {
    RequestMatcher wanted = new RequestMatcher(verb, resource);
    return entries.entrySet().stream()
        .filter(kept -> wanted.matches(kept.getKey().asRequest()))
        .flatMap(kept -> kept.getValue().stream())
        .sorted((a, b) -> Long.signum(a.nanoTime() - b.nanoTime())) // nanoTime may wrap around
        .toList();
  }

  /** Bytes on the wire from clients to the API server, encryption and framing included. */
  public long bytesToServer() {
    return toServer.get();
  }

  /** Bytes on the wire from the API server to clients, encryption and framing included. */
  public long bytesToClient() {
    return toClient.get();
  }

  /** Resets all counters to zero. */
  public synchronized void reset() {
    counters.clear();
    entries.clear();
    latencies.clear();
    toServer.set(0);
    toClient.set(0);
  }
}
