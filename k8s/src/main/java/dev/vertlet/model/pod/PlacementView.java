package dev.vertlet.model.pod;

import dev.vertlet.model.container.ResourcesView;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pod's requirements on its node. Equal for all pods of one template, and shared among them.
 *
 * @param requests total requests of the pod
 * @param hostPorts host ports of its containers
 * @param nodeSelector labels that the node must have
 * @param affinity terms of the required node affinity, one of which must match; empty for none
 * @param tolerations of the pod
 * @param os name of the pod's operating system, empty for any
 * @param qos its QoS class
 * @param emptyDirLimits size limit of emptyDirs, a quantity, by the volume's name; volumes without
 *     a limit are missing
 * @param volumes that may be impossible to mount
 * @param security requirements of its security contexts
 * @param whole pod-level resources, which take precedence over those of containers
 * @param overhead pod overhead: resource name to quantity
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
  /** No requirements. */
  public static final PlacementView NONE =
      new PlacementView(PodRequests.NONE, List.of(), Map.of(), List.of(), List.of(), "");

  /** Creates a placement that is Burstable with a request for CPU or memory, else BestEffort. */
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

  /** Creates a placement without size limits of volumes. */
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

  /** Creates a placement without volumes that may be impossible to mount. */
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

  /** Creates a placement without security requirements and pod-level resources. */
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

  /** Returns the same placement with other requests. */
  public PlacementView withRequests(PodRequests others) {
    return with(others, volumes, security, whole);
  }

  /** Returns the same placement with other security requirements. */
  public PlacementView withSecurity(SecurityView other) {
    return with(requests, volumes, other, whole);
  }

  /** Returns the same placement with other pod-level resources. */
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

  /** Returns the same placement with other volumes. */
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
   * A host port.
   *
   * @param ip host address; {@code 0.0.0.0} for all
   * @param protocol TCP, UDP or SCTP
   */
  public record HostPort(String ip, String protocol, int port) {
    private static final String ANY = "0.0.0.0";

    public HostPort {
      ip = ip.isEmpty() ? ANY : ip;
      protocol = protocol.isEmpty() ? "TCP" : protocol;
    }

    /** Whether two pods cannot use both ports on one node. */
    public boolean conflicts(HostPort other) {
      return port == other.port
          && protocol.equals(other.protocol)
          && (ip.equals(other.ip) || ip.equals(ANY) || other.ip.equals(ANY));
    }
  }

  /** A term of node affinity, all of whose requirements must match. */
  public record Term(List<Requirement> labels, List<Requirement> fields) {
    public Term {
      labels = List.copyOf(labels);
      fields = List.copyOf(fields);
    }
  }

  /**
   * A requirement of node affinity.
   *
   * @param operator In, NotIn, Exists, DoesNotExist, Gt or Lt
   */
  public record Requirement(String key, String operator, List<String> values) {
    public Requirement {
      values = List.copyOf(values);
    }
  }

  /**
   * A toleration.
   *
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
