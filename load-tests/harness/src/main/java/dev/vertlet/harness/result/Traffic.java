package dev.vertlet.harness.result;

import java.util.List;

/**
 * What the subject exchanged with the API server, counted by a proxy between the two.
 *
 * @param bytesSent by the subject, with encryption and framing
 * @param bytesReceived the same
 */
public record Traffic(List<Requests> requests, long bytesSent, long bytesReceived) {
  public Traffic {
    requests = List.copyOf(requests);
  }

  /**
   * All requests of one kind.
   *
   * @param verb as RBAC names it
   * @param resource with its subresource, for example {@code pods/status}
   * @param sentBytes of bodies
   * @param receivedBytes of bodies
   */
  public record Requests(
      String verb,
      String resource,
      long count,
      long failures,
      long sentBytes,
      long receivedBytes) {}
}
