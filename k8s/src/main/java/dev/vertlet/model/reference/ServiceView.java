package dev.vertlet.model.reference;

import java.util.List;

/**
 * Fields of a Service that service variables need.
 *
 * @param clusterIP empty or {@code None} for a service without an address
 */
public record ServiceView(
    String namespace,
    String name,
    String uid,
    long resourceVersion,
    String clusterIP,
    List<Port> ports)
    implements ReferredView {
  public ServiceView {
    ports = List.copyOf(ports);
  }

  /**
   * One port.
   *
   * @param name empty if the only port has none
   * @param protocol TCP, UDP or SCTP
   */
  public record Port(String name, int port, String protocol) {}
}
