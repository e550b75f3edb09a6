package dev.vertlet.harness.fault;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what passes the proxy. The proxy's event loop writes, test threads read, so every method
 * takes the monitor; the byte counters are atomic because they change with every buffer.
 */
public final class TrafficLog {
  /**
   * Of the single requests of each key only the last ones are kept: 20,000 × 100 bytes = 2 MB. By
   * key, so that a flood of pods' requests does not wash the few of leases away.
   */
  private static final int KEPT_REQUESTS = 20_000;

  private final Map<Key, Counters> counters = new HashMap<>();
  private final Map<Key, ArrayDeque<Entry>> entries = new HashMap<>();
  private final AtomicLong toServer = new AtomicLong();
  private final AtomicLong toClient = new AtomicLong();

  TrafficLog() {}

  /**
   * What was counted for one verb and resource.
   *
   * @param requests that arrived, answered or not
   * @param failures answers of 400 and above, injected ones included
   * @param requestBytes of bodies, of answered requests
   * @param responseBytes of bodies; a watch counts when it ends
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
   * @param nanoTime when it arrived, of {@link System#nanoTime}
   */
  public record Entry(long nanoTime, ApiRequest request) {}

  /** What counters are kept by. */
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

  private void add(ApiRequest request, Counters more) {
    counters.merge(Key.of(request), more, Counters::plus);
  }

  void sentToServer(int bytes) {
    toServer.addAndGet(bytes);
  }

  void sentToClient(int bytes) {
    toClient.addAndGet(bytes);
  }

  /** How many such requests have arrived; arguments as of {@link RequestMatcher}. */
  public long count(String verb, String resource) {
    return total(verb, resource).requests();
  }

  /** The sum over all such requests; arguments as of {@link RequestMatcher}. */
  public synchronized Counters total(String verb, String resource) {
    RequestMatcher wanted = new RequestMatcher(verb, resource);
    return counters.entrySet().stream()
        .filter(entry -> wanted.matches(entry.getKey().asRequest()))
        .map(Map.Entry::getValue)
        .reduce(Counters.NONE, Counters::plus);
  }

  /** All counters. */
  public synchronized Map<Key, Counters> counters() {
    return Map.copyOf(counters);
  }

  /** The last requests of each kind, oldest first. */
  public List<Entry> requests() {
    return requests("*", "*");
  }

  /** The last of such requests, oldest first; arguments as of {@link RequestMatcher}. */
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

  /** Starts all counts at zero. */
  public synchronized void reset() {
    counters.clear();
    entries.clear();
    toServer.set(0);
    toClient.set(0);
  }
}
