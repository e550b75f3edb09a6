package dev.vertlet.lifecycle;

import dev.vertlet.model.ConditionView;
import dev.vertlet.model.ContainerCare;
import dev.vertlet.model.ContainerView;
import dev.vertlet.model.NetworkView;
import dev.vertlet.model.PlacementView;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodRequests;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.Quantities;
import dev.vertlet.model.ResizePolicyView;
import dev.vertlet.model.ResourcesView;
import dev.vertlet.model.RestartPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Builds pods for tests. */
final class Pods {
  private String name = "p";
  private RestartPolicy policy = RestartPolicy.ALWAYS;
  private final List<ContainerView> init = new ArrayList<>();
  private final List<ContainerView> regular = new ArrayList<>();
  private final List<ContainerView> ephemeral = new ArrayList<>();
  private final List<String> gates = new ArrayList<>();
  private long grace = 30;
  private long generation = 1;
  private boolean hostNetwork;
  private @Nullable Long deadline;
  private @Nullable Instant deleted;
  private PodStatusView status = PodStatusView.EMPTY;
  private String node = "n";
  private PlacementView placement = PlacementView.NONE;
  private Map<String, String> annotations = Map.of();
  private int priority;
  private NetworkView network = NetworkView.DEFAULT;

  static Pods pod() {
    return new Pods();
  }

  static Pods pod(String name) {
    Pods pods = new Pods();
    pods.name = name;
    return pods;
  }

  /** A builder that starts from this pod. */
  static Pods of(PodView view) {
    Pods pods = pod(view.name());
    pods.policy = view.spec().restartPolicy();
    pods.init.addAll(view.spec().initContainers());
    pods.regular.addAll(view.spec().containers());
    pods.ephemeral.addAll(view.spec().ephemeralContainers());
    pods.gates.addAll(view.spec().readinessGates());
    pods.grace = view.spec().terminationGracePeriodSeconds();
    pods.generation = view.generation();
    pods.hostNetwork = view.spec().hostNetwork();
    pods.deadline = view.spec().activeDeadlineSeconds();
    pods.deleted = view.deletionTimestamp();
    pods.status = view.status();
    pods.node = view.nodeName();
    pods.placement = view.spec().placement();
    pods.annotations = view.annotations();
    pods.priority = view.spec().priority();
    pods.network = view.spec().network();
    return pods;
  }

  Pods policy(RestartPolicy value) {
    policy = value;
    return this;
  }

  Pods never() {
    return policy(RestartPolicy.NEVER);
  }

  Pods onFailure() {
    return policy(RestartPolicy.ON_FAILURE);
  }

  Pods container(String container) {
    return container(container, "img", "IfNotPresent", null);
  }

  Pods container(String container, String image) {
    return container(container, image, "IfNotPresent", null);
  }

  /** A container with probes or hooks. */
  Pods container(String container, ContainerCare care) {
    regular.add(cared(container, null, care));
    return this;
  }

  Pods container(String container, Care care) {
    return container(container, care.build());
  }

  Pods sidecar(String container, Care care) {
    return sidecar(container, care.build());
  }

  Pods sidecar(String container, ContainerCare care) {
    init.add(cared(container, RestartPolicy.ALWAYS, care));
    return this;
  }

  Pods network(NetworkView value) {
    network = value;
    return this;
  }

  Pods placement(PlacementView value) {
    placement = value;
    return this;
  }

  Pods priority(int value) {
    priority = value;
    return this;
  }

  /** Asks for this much memory, in bytes. */
  Pods memory(long bytes) {
    return placement(
        new PlacementView(
            new PodRequests(0, bytes, 0, Map.of()), List.of(), Map.of(), List.of(), List.of(), ""));
  }

  /** Asks for this much CPU, in thousandths. */
  Pods cpu(long milli) {
    return placement(
        new PlacementView(
            new PodRequests(milli, 0, 0, Map.of()), List.of(), Map.of(), List.of(), List.of(), ""));
  }

  Pods container(String container, String image, String pullPolicy, @Nullable RestartPolicy own) {
    regular.add(new ContainerView(container, image, pullPolicy, own));
    return this;
  }

  Pods container(ContainerView container) {
    regular.add(container);
    return this;
  }

  Pods init(ContainerView container) {
    init.add(container);
    return this;
  }

  Pods ephemeral(ContainerView container) {
    ephemeral.add(container);
    return this;
  }

  /** Gives a container another image. */
  Pods image(String container, String image) {
    regular.replaceAll(
        c ->
            c.name().equals(container)
                ? new ContainerView(
                    c.name(),
                    image,
                    c.imagePullPolicy(),
                    c.restartPolicy(),
                    c.environment(),
                    c.resources(),
                    c.care(),
                    c.command(),
                    c.tty(),
                    c.resizePolicy())
                : c);
    return this;
  }

  /**
   * Gives a container other requests, and the pod what all of them request.
   *
   * @param cpu request and limit
   * @param memory request and limit
   */
  Pods resources(String container, String cpu, String memory) {
    Map<String, String> amounts = Map.of("cpu", cpu, "memory", memory);
    return resources(container, new ResourcesView(amounts, amounts));
  }

  Pods resources(String container, ResourcesView amounts) {
    return containers(container, c -> c.withResources(amounts));
  }

  /** What a container needs a restart for. */
  Pods resizePolicy(String container, ResizePolicyView policy) {
    return containers(
        container,
        c ->
            new ContainerView(
                c.name(),
                c.image(),
                c.imagePullPolicy(),
                c.restartPolicy(),
                c.environment(),
                c.resources(),
                c.care(),
                c.command(),
                c.tty(),
                policy));
  }

  private Pods containers(String container, UnaryOperator<ContainerView> change) {
    regular.replaceAll(c -> c.name().equals(container) ? change.apply(c) : c);
    init.replaceAll(c -> c.name().equals(container) ? change.apply(c) : c);
    long cpu = 0;
    long memory = 0;
    for (ContainerView c : regular) {
      cpu += Quantities.milli(c.resources().requests().getOrDefault("cpu", "0"));
      memory += Quantities.units(c.resources().requests().getOrDefault("memory", "0"));
    }
    for (ContainerView c : init) {
      cpu += Quantities.milli(c.resources().requests().getOrDefault("cpu", "0"));
      memory += Quantities.units(c.resources().requests().getOrDefault("memory", "0"));
    }
    return placement(placement.withRequests(new PodRequests(cpu, memory, 0, Map.of())));
  }

  Pods init(String container) {
    init.add(new ContainerView(container, "img", "IfNotPresent", null));
    return this;
  }

  Pods sidecar(String container) {
    init.add(new ContainerView(container, "img", "IfNotPresent", RestartPolicy.ALWAYS));
    return this;
  }

  Pods ephemeral(String container) {
    ephemeral.add(new ContainerView(container, "img", "IfNotPresent", null));
    return this;
  }

  Pods gate(String type) {
    gates.add(type);
    return this;
  }

  Pods grace(long seconds) {
    grace = seconds;
    return this;
  }

  Pods generation(long value) {
    generation = value;
    return this;
  }

  Pods hostNetwork() {
    hostNetwork = true;
    return this;
  }

  Pods deadline(long seconds) {
    deadline = seconds;
    return this;
  }

  Pods deleted(Instant at) {
    deleted = at;
    return this;
  }

  Pods node(String value) {
    node = value;
    return this;
  }

  Pods status(PodStatusView value) {
    status = value;
    return this;
  }

  Pods condition(String type, String value) {
    List<ConditionView> conditions = new ArrayList<>(status.conditions());
    conditions.removeIf(c -> c.type().equals(type));
    conditions.add(new ConditionView(type, value, null, null, null, null));
    status =
        new PodStatusView(
            status.phase(),
            status.reason(),
            status.message(),
            status.hostIP(),
            status.podIPs(),
            status.startTime(),
            status.observedGeneration(),
            conditions,
            status.initContainerStatuses(),
            status.containerStatuses(),
            status.ephemeralContainerStatuses());
    return this;
  }

  Pods annotation(String key, String value) {
    annotations = Map.of(key, value);
    return this;
  }

  PodSpecView spec() {
    return build().spec();
  }

  PodView build() {
    List<ContainerView> containers = regular.isEmpty() ? defaults() : regular;
    PodSpecView spec =
        new PodSpecView(
            0,
            policy,
            grace,
            deadline,
            hostNetwork,
            priority,
            gates,
            init,
            containers,
            ephemeral,
            "",
            true,
            placement,
            network);
    return new PodView(
        new PodRef("ns", name, "uid-" + name),
        1,
        generation,
        node,
        Map.of(),
        annotations,
        null,
        null,
        deleted,
        deleted == null ? null : Long.valueOf(grace),
        spec,
        status);
  }

  private static ContainerView cared(
      String container, @Nullable RestartPolicy own, ContainerCare care) {
    return new ContainerView(container, "img", "IfNotPresent", own, null, ResourcesView.NONE, care);
  }

  private static List<ContainerView> defaults() {
    return List.of(new ContainerView("c", "img", "IfNotPresent", null));
  }
}
