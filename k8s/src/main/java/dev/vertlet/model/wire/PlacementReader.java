package dev.vertlet.model.wire;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PlacementView.HostPort;
import dev.vertlet.model.pod.PlacementView.Requirement;
import dev.vertlet.model.pod.PlacementView.Term;
import dev.vertlet.model.pod.PlacementView.Toleration;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.QosClass;
import dev.vertlet.model.pod.SecurityView;
import dev.vertlet.model.pod.VolumeView;
import dev.vertlet.model.resource.QosTally;
import dev.vertlet.model.resource.RequestTally;
import dev.vertlet.model.wire.PodReader.ContainerRole;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one pod's requirements on its node. Most pods have few, so objects are created only when
 * needed.
 */
final class PlacementReader {
  private static final Fields PORT =
      Fields.of("1 name", "2 hostPort", "3 containerPort", "4 protocol", "5 hostIP");
  private static final Fields TOLERATION = Fields.of("1 key", "2 operator", "3 value", "4 effect");
  private static final Fields AFFINITY = Fields.of("1 nodeAffinity");
  private static final Fields NODE_AFFINITY =
      Fields.of("1 requiredDuringSchedulingIgnoredDuringExecution");
  private static final Fields NODE_SELECTOR = Fields.of("1 nodeSelectorTerms");
  private static final Fields TERM = Fields.of("1 matchExpressions", "2 matchFields");
  private static final Fields REQUIREMENT = Fields.of("1 key", "2 operator", "3 values");
  private static final Fields OS = Fields.of("1 name");

  private final List<Port> hostPorts = new ArrayList<>(0);
  private final List<Term> affinity = new ArrayList<>(0);
  private final List<Toleration> tolerations = new ArrayList<>(2);
  private Map<String, String> nodeSelector = Map.of();
  private Map<String, String> overhead = Map.of();
  private Map<String, String> emptyDirLimits = Map.of();
  private List<VolumeView> volumes = List.of();
  private String os = "";
  private @Nullable RequestTally tally;
  private final QosTally qos = new QosTally();
  private final SecurityReader security = new SecurityReader();

  /** Ports of the current container. */
  private List<Port> ports = List.of();

  /**
   * A port of a container.
   *
   * @param hostPort 0 for none
   */
  private record Port(String name, int hostPort, int containerPort, String protocol, String ip) {}

  /** Reads the current field of the pod's spec. */
  void read(ObjectReader in) {
    switch (in.field()) {
      case "nodeSelector" -> in.entries(nodeSelector = filled(nodeSelector));
      case "affinity" -> affinity(in);
      case "tolerations" -> tolerations.add(toleration(in));
      case "overhead" -> in.quantities(overhead = filled(overhead));
      case "os" -> os = name(in);
      case "volumes" -> volume(in);
      case "securityContext" -> security.pod(in);
      case "hostIPC" -> security.hostIpc(in);
      default -> in.skip();
    }
  }

  /** Reads the security context of a container. */
  void security(ObjectReader in) {
    security.container(in);
  }

  /** Sets the users of the containers, once the whole pod has been read. */
  void addUsers(List<ContainerView> containers) {
    security.addUsers(containers);
  }

  /** Reads one port of the current container. */
  void port(ObjectReader in) {
    String name = "";
    int hostPort = 0;
    int containerPort = 0;
    String protocol = "";
    String ip = "";
    in.enter();
    while (in.next(PORT)) {
      switch (in.field()) {
        case "name" -> name = in.shared();
        case "hostPort" -> hostPort = (int) in.integer();
        case "containerPort" -> containerPort = (int) in.integer();
        case "protocol" -> protocol = in.shared();
        default -> ip = in.shared();
      }
    }
    ports = ports.isEmpty() ? new ArrayList<>(2) : ports;
    ports.add(new Port(name, hostPort, containerPort, protocol, ip));
  }

  /** Returns the numbers of the named ports of the current container. */
  Map<String, String> ports() {
    if (ports.isEmpty()) {
      return Map.of();
    }
    Map<String, String> numbers = new HashMap<>();
    ports.forEach(port -> numbers.put(port.name(), Integer.toString(port.containerPort())));
    numbers.remove("");
    return numbers;
  }

  /**
   * Ends the current container.
   *
   * @param resources its requests and limits
   */
  void container(String name, ContainerRole role, boolean sidecar, ResourcesView resources) {
    security.containerEnds(name);
    Map<String, String> requests = resources.requests();
    if (role != ContainerRole.EPHEMERAL) {
      qos.add(resources);
    }
    if (!requests.isEmpty() && role != ContainerRole.EPHEMERAL) {
      tally = tally == null ? new RequestTally() : tally;
      if (role == ContainerRole.REGULAR) {
        tally.regular(requests);
      } else {
        tally.init(requests, sidecar);
      }
    }
    if (role == ContainerRole.REGULAR || sidecar) {
      hostPorts.addAll(ports);
    }
    ports = List.of();
  }

  /**
   * Builds the view.
   *
   * @param hostNetwork whether the API server gave every port of a container a host port
   * @param whole pod-level resources, which take precedence over those of containers
   */
  PlacementView view(boolean hostNetwork, ResourcesView whole) {
    List<HostPort> taken = new ArrayList<>(0);
    for (Port port : hostPorts) {
      int number = port.hostPort() == 0 && hostNetwork ? port.containerPort() : port.hostPort();
      if (number > 0) {
        taken.add(new HostPort(port.ip(), port.protocol(), number));
      }
    }
    PodRequests sum = sum(whole.requests());
    QosClass held = qos.of(whole);
    boolean nothing = sum.isEmpty() && taken.isEmpty() && nodeSelector.isEmpty() && os.isEmpty();
    nothing &= affinity.isEmpty() && tolerations.isEmpty() && held == QosClass.BEST_EFFORT;
    SecurityView asked = security.view();
    nothing &= emptyDirLimits.isEmpty() && volumes.isEmpty() && asked == SecurityView.NONE;
    return nothing && whole == ResourcesView.NONE
        ? PlacementView.NONE
        : new PlacementView(
            sum,
            taken,
            nodeSelector,
            affinity,
            tolerations,
            os,
            held,
            emptyDirLimits,
            volumes,
            asked,
            whole,
            overhead);
  }

  private PodRequests sum(Map<String, String> whole) {
    if (tally == null && whole.isEmpty() && overhead.isEmpty()) {
      return PodRequests.NONE;
    }
    return (tally == null ? new RequestTally() : tally).requests(whole, overhead);
  }

  private static Map<String, String> filled(Map<String, String> map) {
    return map.isEmpty() ? new HashMap<>() : map;
  }

  private static String name(ObjectReader in) {
    String name = "";
    in.enter();
    while (in.next(OS)) {
      name = in.shared();
    }
    return name;
  }

  private void volume(ObjectReader in) {
    VolumeReader volume = VolumeReader.read(in);
    if (!volume.sizeLimit().isEmpty()) {
      emptyDirLimits = filled(emptyDirLimits);
      emptyDirLimits.put(volume.name(), volume.sizeLimit());
    }
    VolumeView view = volume.view();
    if (view != null) {
      volumes = volumes.isEmpty() ? new ArrayList<>(2) : volumes;
      volumes.add(view);
    }
  }

  private static Toleration toleration(ObjectReader in) {
    String key = "";
    String operator = "";
    String value = "";
    String effect = "";
    in.enter();
    while (in.next(TOLERATION)) {
      switch (in.field()) {
        case "key" -> key = in.shared();
        case "operator" -> operator = in.shared();
        case "value" -> value = in.shared();
        default -> effect = in.shared();
      }
    }
    return new Toleration(key, operator, value, effect);
  }

  private void affinity(ObjectReader in) {
    in.enter();
    while (in.next(AFFINITY)) {
      in.enter();
      while (in.next(NODE_AFFINITY)) {
        in.enter();
        while (in.next(NODE_SELECTOR)) {
          affinity.add(term(in));
        }
      }
    }
  }

  private static Term term(ObjectReader in) {
    List<Requirement> labels = new ArrayList<>(1);
    List<Requirement> fields = new ArrayList<>(0);
    in.enter();
    while (in.next(TERM)) {
      if (in.field().equals("matchExpressions")) {
        labels.add(requirement(in));
      } else {
        fields.add(requirement(in));
      }
    }
    return new Term(labels, fields);
  }

  private static Requirement requirement(ObjectReader in) {
    String key = "";
    String operator = "";
    List<String> values = new ArrayList<>(1);
    in.enter();
    while (in.next(REQUIREMENT)) {
      switch (in.field()) {
        case "key" -> key = in.shared();
        case "operator" -> operator = in.shared();
        default -> values.add(in.shared());
      }
    }
    return new Requirement(key, operator, values);
  }
}
