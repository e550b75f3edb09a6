package dev.vertlet.testing;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerCare;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResizePolicyView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.NetworkView;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.PodStatusView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds pods for tests; without containers of its own, a pod has one named c. */
public final class Pods {
  private String namespace = "ns";
  private String name = "p";
  private String uid = "uid-p";
  private long version = 1;
  private long hash;
  private RestartPolicy policy = RestartPolicy.ALWAYS;
  private final List<ContainerView> init = new ArrayList<>();
  private final List<ContainerView> regular = new ArrayList<>();
  private final List<ContainerView> ephemeral = new ArrayList<>();
  private final List<String> gates = new ArrayList<>();
  private long grace = 30;
  private long generation = 1;
  private boolean hostNetwork;
  private @Nullable Long deadline;
  private @Nullable Instant created;
  private @Nullable Instant deleted;
  private @Nullable Long deletionGrace;
  private PodStatusView status = PodStatusView.EMPTY;
  private String node = "n";
  private PlacementView placement = PlacementView.NONE;
  private Map<String, String> labels = Map.of();
  private Map<String, String> annotations = Map.of();
  private @Nullable String owner;
  private int priority;
  private String account = "";
  private boolean serviceLinks = true;
  private NetworkView network = NetworkView.DEFAULT;

  public static Pods pod() {
    return new Pods();
  }

  public static Pods pod(String name) {
    return new Pods().ref(new PodRef("ns", name, "uid-" + name));
  }

  /** A builder that starts from this pod. */
  public static Pods of(PodView view) {
    Pods pods = new Pods().ref(view.ref());
    pods.version = view.resourceVersion();
    pods.hash = view.spec().hash();
    pods.policy = view.spec().restartPolicy();
    pods.init.addAll(view.spec().initContainers());
    pods.regular.addAll(view.spec().containers());
    pods.ephemeral.addAll(view.spec().ephemeralContainers());
    pods.gates.addAll(view.spec().readinessGates());
    pods.grace = view.spec().terminationGracePeriodSeconds();
    pods.generation = view.generation();
    pods.hostNetwork = view.spec().hostNetwork();
    pods.deadline = view.spec().activeDeadlineSeconds();
    pods.created = view.creationTimestamp();
    pods.deleted = view.deletionTimestamp();
    pods.deletionGrace = view.deletionGracePeriodSeconds();
    pods.status = view.status();
    pods.node = view.nodeName();
    pods.placement = view.spec().placement();
    pods.labels = view.labels();
    pods.annotations = view.annotations();
    pods.owner = view.controllerKind();
    pods.priority = view.spec().priority();
    pods.account = view.spec().serviceAccountName();
    pods.serviceLinks = view.spec().enableServiceLinks();
    pods.network = view.spec().network();
    return pods;
  }

  public Pods ref(PodRef ref) {
    namespace = ref.namespace();
    name = ref.name();
    uid = ref.uid();
    return this;
  }

  public Pods version(long value) {
    version = value;
    return this;
  }

  /** Of the spec. */
  public Pods hash(long value) {
    hash = value;
    return this;
  }

  public Pods created(@Nullable Instant at) {
    created = at;
    return this;
  }

  public Pods labels(Map<String, String> values) {
    labels = values;
    return this;
  }

  public Pods annotations(Map<String, String> values) {
    annotations = values;
    return this;
  }

  /** Kind of its controlling owner. */
  public Pods owner(String kind) {
    owner = kind;
    return this;
  }

  public Pods account(String value) {
    account = value;
    return this;
  }

  public Pods serviceLinks(boolean value) {
    serviceLinks = value;
    return this;
  }

  public Pods policy(RestartPolicy value) {
    policy = value;
    return this;
  }

  public Pods never() {
    return policy(RestartPolicy.NEVER);
  }

  public Pods onFailure() {
    return policy(RestartPolicy.ON_FAILURE);
  }

  public Pods container(String container) {
    return container(container, "img", "IfNotPresent", null);
  }

  public Pods container(String container, String image) {
    return container(container, image, "IfNotPresent", null);
  }

  /** A container with probes or hooks. */
  public Pods container(String container, ContainerCare care) {
    regular.add(cared(container, null, care));
    return this;
  }

  public Pods container(String container, Care care) {
    return container(container, care.build());
  }

  public Pods sidecar(String container, Care care) {
    return sidecar(container, care.build());
  }

  public Pods sidecar(String container, ContainerCare care) {
    init.add(cared(container, RestartPolicy.ALWAYS, care));
    return this;
  }

  public Pods network(NetworkView value) {
    network = value;
    return this;
  }

  public Pods placement(PlacementView value) {
    placement = value;
    return this;
  }

  public Pods priority(int value) {
    priority = value;
    return this;
  }

  /** Asks for this much memory, in bytes. */
  public Pods memory(long bytes) {
    return requests(new PodRequests(0, bytes, 0, Map.of()));
  }

  /** Asks for this much CPU, in thousandths. */
  public Pods cpu(long milli) {
    return requests(new PodRequests(milli, 0, 0, Map.of()));
  }

  private Pods requests(PodRequests requests) {
    return placement(Placements.asking(requests).build());
  }

  public Pods container(
      String container, String image, String pullPolicy, @Nullable RestartPolicy own) {
    regular.add(new ContainerView(container, image, pullPolicy, own));
    return this;
  }

  public Pods container(ContainerView container) {
    regular.add(container);
    return this;
  }

  public Pods init(ContainerView container) {
    init.add(container);
    return this;
  }

  public Pods ephemeral(ContainerView container) {
    ephemeral.add(container);
    return this;
  }

  /** Gives a container another image. */
  public Pods image(String container, String image) {
    return containers(container, c -> remade(c, image, c.resizePolicy()));
  }

  /**
   * Gives a container other requests, and the pod what all of them request.
   *
   * @param cpu request and limit
   * @param memory request and limit
   */
  public Pods resources(String container, String cpu, String memory) {
    Map<String, String> amounts = Map.of("cpu", cpu, "memory", memory);
    return resources(container, new ResourcesView(amounts, amounts));
  }

  public Pods resources(String container, ResourcesView amounts) {
    containers(container, c -> c.withResources(amounts));
    return placement(placement.withRequests(sum()));
  }

  /** What a container needs a restart for. */
  public Pods resizePolicy(String container, ResizePolicyView policy) {
    return containers(container, c -> remade(c, c.image(), policy));
  }

  private static ContainerView remade(ContainerView c, String image, ResizePolicyView resizing) {
    return new ContainerView(
        c.name(),
        image,
        c.imagePullPolicy(),
        c.restartPolicy(),
        c.environment(),
        c.resources(),
        c.care(),
        c.command(),
        c.tty(),
        resizing);
  }

  private Pods containers(String container, UnaryOperator<ContainerView> change) {
    regular.replaceAll(c -> c.name().equals(container) ? change.apply(c) : c);
    init.replaceAll(c -> c.name().equals(container) ? change.apply(c) : c);
    return this;
  }

  /** Requests of all containers together. */
  private PodRequests sum() {
    long cpu = 0;
    long memory = 0;
    for (ContainerView c : Stream.of(init, regular).flatMap(List::stream).toList()) {
      cpu += Quantities.milli(c.resources().requests().getOrDefault("cpu", "0"));
      memory += Quantities.units(c.resources().requests().getOrDefault("memory", "0"));
    }
    return new PodRequests(cpu, memory, 0, Map.of());
  }

  public Pods init(String container) {
    init.add(new ContainerView(container, "img", "IfNotPresent", null));
    return this;
  }

  public Pods sidecar(String container) {
    init.add(new ContainerView(container, "img", "IfNotPresent", RestartPolicy.ALWAYS));
    return this;
  }

  public Pods ephemeral(String container) {
    ephemeral.add(new ContainerView(container, "img", "IfNotPresent", null));
    return this;
  }

  public Pods gate(String type) {
    gates.add(type);
    return this;
  }

  public Pods grace(long seconds) {
    grace = seconds;
    return this;
  }

  public Pods generation(long value) {
    generation = value;
    return this;
  }

  public Pods hostNetwork() {
    hostNetwork = true;
    return this;
  }

  public Pods deadline(long seconds) {
    deadline = seconds;
    return this;
  }

  public Pods deleted(Instant at) {
    return deleted(at, null);
  }

  /**
   * @param seconds of grace that the deletion asks for, null for the pod's own
   */
  public Pods deleted(@Nullable Instant at, @Nullable Long seconds) {
    deleted = at;
    deletionGrace = seconds;
    return this;
  }

  public Pods node(String value) {
    node = value;
    return this;
  }

  public Pods status(PodStatusView value) {
    status = value;
    return this;
  }

  public Pods condition(String type, String value) {
    List<ConditionView> conditions = new ArrayList<>(status.conditions());
    conditions.removeIf(c -> c.type().equals(type));
    conditions.add(new ConditionView(type, value, null, null, null, null));
    return status(Statuses.of(status).conditions(conditions).build());
  }

  public Pods annotation(String key, String value) {
    return annotations(Map.of(key, value));
  }

  public PodSpecView spec() {
    return build().spec();
  }

  public PodView build() {
    List<ContainerView> containers = regular.isEmpty() ? defaults() : regular;
    PodSpecView spec =
        new PodSpecView(
            hash,
            policy,
            grace,
            deadline,
            hostNetwork,
            priority,
            gates,
            init,
            containers,
            ephemeral,
            account,
            serviceLinks,
            placement,
            network);
    Long within = deletionGrace == null ? Long.valueOf(grace) : deletionGrace;
    return new PodView(
        new PodRef(namespace, name, uid),
        version,
        generation,
        node,
        labels,
        annotations,
        owner,
        created,
        deleted,
        deleted == null ? null : within,
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
