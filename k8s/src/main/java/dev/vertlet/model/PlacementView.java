package dev.vertlet.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a pod asks of the node it is bound to. The same for all pods of one template, and shared
 * among them.
 *
 * @param requests what the pod takes of the node
 * @param hostPorts ports of the node that its containers take
 * @param nodeSelector labels the node must have
 * @param affinity terms of the required node affinity: one must fit; empty when there is none
 * @param tolerations taints it bears
 * @param os name of the operating system it is for, empty for any
 * @param qos how firmly it holds what it takes
 * @param emptyDirLimits quantity of bytes that an emptyDir may hold, by the volume's name; those
 *     without a limit are left out
 * @param volumes those that may be impossible to mount
 * @param security what its security contexts ask for
 * @param whole resources of the pod as a whole, which count instead of its containers'
 * @param overhead what it takes beside its containers: resource name to quantity
 */
public record PlacementView(
    PodRequests requests,
    List<HostPort> hostPorts,
    Map<String, String> nodeSelector,
    List<Term> affinity,
    List<Toleration> tolerations,
    String os,
    QosClass qos,
    Map<String, String> emptyDirLimits,
    List<VolumeView> volumes,
    SecurityView security,
    ResourcesView whole,
    Map<String, String> overhead) {
  /** Asks for nothing. */
  public static final PlacementView NONE =
      new PlacementView(PodRequests.NONE, List.of(), Map.of(), List.of(), List.of(), "");

  /** Burstable when it asks for CPU or memory, else best effort. */
  public PlacementView(
      PodRequests requests,
      List<HostPort> hostPorts,
      Map<String, String> nodeSelector,
      List<Term> affinity,
      List<Toleration> tolerations,
      String os) {
    this(
        requests,
        hostPorts,
        nodeSelector,
        affinity,
        tolerations,
        os,
        requests.milliCpu() == 0 && requests.memory() == 0
            ? QosClass.BEST_EFFORT
            : QosClass.BURSTABLE);
  }

  /** Without limits on its volumes. */
  public PlacementView(
      PodRequests requests,
      List<HostPort> hostPorts,
      Map<String, String> nodeSelector,
      List<Term> affinity,
      List<Toleration> tolerations,
      String os,
      QosClass qos) {
    this(requests, hostPorts, nodeSelector, affinity, tolerations, os, qos, Map.of());
  }

  /** Without volumes that may be impossible to mount. */
  public PlacementView(
      PodRequests requests,
      List<HostPort> hostPorts,
      Map<String, String> nodeSelector,
      List<Term> affinity,
      List<Toleration> tolerations,
      String os,
      QosClass qos,
      Map<String, String> emptyDirLimits) {
    this(
        requests,
        hostPorts,
        nodeSelector,
        affinity,
        tolerations,
        os,
        qos,
        emptyDirLimits,
        List.of());
  }

  /** Without security contexts and resources of its own. */
  public PlacementView(
      PodRequests requests,
      List<HostPort> hostPorts,
      Map<String, String> nodeSelector,
      List<Term> affinity,
      List<Toleration> tolerations,
      String os,
      QosClass qos,
      Map<String, String> emptyDirLimits,
      List<VolumeView> volumes) {
    this(
        requests,
        hostPorts,
        nodeSelector,
        affinity,
        tolerations,
        os,
        qos,
        emptyDirLimits,
        volumes,
        SecurityView.NONE,
        ResourcesView.NONE,
        Map.of());
  }

  /** The same, taking something else of the node. */
  public PlacementView withRequests(PodRequests others) {
    return with(others, volumes, security, whole);
  }

  /** The same with these security contexts. */
  public PlacementView withSecurity(SecurityView other) {
    return with(requests, volumes, other, whole);
  }

  /** The same with these resources of the pod as a whole. */
  public PlacementView withWhole(ResourcesView other) {
    return with(requests, volumes, security, other);
  }

  private PlacementView with(
      PodRequests otherRequests,
      List<VolumeView> otherVolumes,
      SecurityView otherSecurity,
      ResourcesView otherWhole) {
    return new PlacementView(
        otherRequests,
        hostPorts,
        nodeSelector,
        affinity,
        tolerations,
        os,
        qos,
        emptyDirLimits,
        otherVolumes,
        otherSecurity,
        otherWhole,
        overhead);
  }

  /** The same with these volumes. */
  public PlacementView withVolumes(List<VolumeView> others) {
    return with(requests, others, security, whole);
  }

  public PlacementView {
    hostPorts = List.copyOf(hostPorts);
    nodeSelector = Map.copyOf(nodeSelector);
    affinity = List.copyOf(affinity);
    tolerations = List.copyOf(tolerations);
    emptyDirLimits = Map.copyOf(emptyDirLimits);
    volumes = List.copyOf(volumes);
    overhead = Map.copyOf(overhead);
  }

  /**
   * A port of the node.
   *
   * @param ip the address it is bound to; {@code 0.0.0.0} for all
   * @param protocol TCP, UDP or SCTP
   */
  public record HostPort(String ip, String protocol, int port) {
    private static final String ANY = "0.0.0.0";

    public HostPort {
      ip = ip.isEmpty() ? ANY : ip;
      protocol = protocol.isEmpty() ? "TCP" : protocol;
    }

    /** Whether the two cannot be taken at once. */
    public boolean conflicts(HostPort other) {
      return port == other.port
          && protocol.equals(other.protocol)
          && (ip.equals(other.ip) || ip.equals(ANY) || other.ip.equals(ANY));
    }
  }

  /** All requirements of a term must fit. */
  public record Term(List<Requirement> labels, List<Requirement> fields) {
    public Term {
      labels = List.copyOf(labels);
      fields = List.copyOf(fields);
    }
  }

  /**
   * @param operator In, NotIn, Exists, DoesNotExist, Gt or Lt
   */
  public record Requirement(String key, String operator, List<String> values) {
    public Requirement {
      values = List.copyOf(values);
    }
  }

  /**
   * @param key empty, with Exists: every taint
   * @param operator Exists, Equal, Gt or Lt; empty is Equal
   * @param effect empty: every effect
   */
  public record Toleration(String key, String operator, String value, String effect) {
    @Override
    public boolean equals(@Nullable Object other) {
      return this == other
          || other instanceof Toleration that
              && key.equals(that.key)
              && operator.equals(that.operator)
              && value.equals(that.value)
              && effect.equals(that.effect);
    }

    @Override
    public int hashCode() {
      int hash = key.hashCode();
      hash = 31 * hash + operator.hashCode();
      hash = 31 * hash + value.hashCode();
      return 31 * hash + effect.hashCode();
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof PlacementView that
            && requests.equals(that.requests)
            && hostPorts.equals(that.hostPorts)
            && nodeSelector.equals(that.nodeSelector)
            && affinity.equals(that.affinity)
            && tolerations.equals(that.tolerations)
            && os.equals(that.os)
            && qos == that.qos
            && emptyDirLimits.equals(that.emptyDirLimits)
            && volumes.equals(that.volumes)
            && security.equals(that.security)
            && whole.equals(that.whole)
            && overhead.equals(that.overhead);
  }

  @Override
  public int hashCode() {
    int hash = requests.hashCode();
    hash = 31 * hash + hostPorts.hashCode();
    hash = 31 * hash + nodeSelector.hashCode();
    hash = 31 * hash + affinity.hashCode();
    hash = 31 * hash + tolerations.hashCode();
    hash = 31 * hash + os.hashCode();
    hash = 31 * hash + qos.hashCode();
    hash = 31 * hash + emptyDirLimits.hashCode();
    hash = 31 * hash + volumes.hashCode();
    hash = 31 * hash + security.hashCode();
    hash = 31 * hash + whole.hashCode();
    return 31 * hash + overhead.hashCode();
  }
}
