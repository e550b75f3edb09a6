package dev.vertlet.harness.result;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Traffic between the subject and the API server, counted by a proxy.
 *
 * @param bytesSent bytes sent by the subject, with encryption and framing
 * @param bytesReceived bytes received by the subject, with encryption and framing
 */
public record Traffic(List<Requests> requests, long bytesSent, long bytesReceived) {
  public static final Traffic NONE = new Traffic(List.of(), 0, 0);

  private static final Comparator<Requests> MOST_FREQUENT_FIRST =
      Comparator.comparingLong(Requests::count)
          .reversed()
          .thenComparing(Requests::resource)
          .thenComparing(Requests::verb);

  public Traffic {
    requests = List.copyOf(requests);
  }

  /**
   * Requests of one kind.
   *
   * @param verb verb in RBAC's terms
   * @param resource resource with subresource, for example {@code pods/status}
   * @param sentBytes bytes of request bodies
   * @param receivedBytes bytes of response bodies
   */
  public record Requests(
      String verb, String resource, long count, long failures, long sentBytes, long receivedBytes) {
    private Requests plus(Requests other, int times) {
      return new Requests(
          verb,
          resource,
          count + times * other.count,
          failures + times * other.failures,
          sentBytes + times * other.sentBytes,
          receivedBytes + times * other.receivedBytes);
    }
  }

  private record Kind(String verb, String resource) {}

  /** Adds both, the most frequent requests first. */
  public Traffic plus(Traffic other) {
    return plus(other, 1);
  }

  /**
   * Subtracts an earlier count, the most frequent requests first; leaves out kinds without
   * requests.
   */
  public Traffic since(Traffic earlier) {
    return plus(earlier, -1);
  }

  private Traffic plus(Traffic other, int times) {
    Map<Kind, Requests> byKind = new LinkedHashMap<>();
    Stream.concat(requests.stream(), other.requests.stream())
        .map(kind -> new Kind(kind.verb(), kind.resource()))
        .forEach(kind -> byKind.put(kind, new Requests(kind.verb(), kind.resource(), 0, 0, 0, 0)));
    requests.forEach(mine -> byKind.merge(kind(mine), mine, (sum, more) -> sum.plus(more, 1)));
    other.requests.forEach(
        theirs -> byKind.merge(kind(theirs), theirs, (sum, more) -> sum.plus(more, times)));
    return new Traffic(
        byKind.values().stream()
            .filter(sum -> sum.count() + sum.sentBytes() + sum.receivedBytes() > 0)
            .sorted(MOST_FREQUENT_FIRST)
            .toList(),
        bytesSent + times * other.bytesSent,
        bytesReceived + times * other.bytesReceived);
  }

  private static Kind kind(Requests requests) {
    return new Kind(requests.verb(), requests.resource());
  }
}
