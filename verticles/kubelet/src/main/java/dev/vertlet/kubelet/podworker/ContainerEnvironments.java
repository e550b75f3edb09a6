package dev.vertlet.kubelet.podworker;

import dev.vertlet.env.DnsSettings;
import dev.vertlet.env.EnvironmentResolver;
import dev.vertlet.env.PodFacts;
import dev.vertlet.env.PodReferences;
import dev.vertlet.env.ReferenceCache;
import dev.vertlet.env.ReferenceSource;
import dev.vertlet.env.ReferenceState;
import dev.vertlet.env.Resolution;
import dev.vertlet.env.VolumePreparer;
import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.StartStep;
import dev.vertlet.kubelet.container.WaitReasons;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.volume.VolumeMounts;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.provider.container.SandboxRecord;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the environments of all pods' containers. Watches the objects that containers and
 * volumes refer to while such a pod exists, and continues a waiting container as soon as its object
 * appears. Keeps nothing for a pod without references. Belongs to the core's context.
 */
final class ContainerEnvironments {
  private static final ReferenceState ASSUMED = new ReferenceState.Assumed();

  private final EnvironmentInputs inputs;

  /** Whether the runtime reads environments, which then have to be complete. */
  private final boolean complete;

  private final Function<String, List<String>> hostIPs;
  private final Clock clock;
  private final Consumer<PodState> next;
  private final @Nullable ReferenceCache<PodState> cache;

  /**
   * @param hostIPs addresses of a node, primary first
   * @param next drives a pod that waited for an object
   */
  ContainerEnvironments(
      CoreEnv env,
      EnvironmentInputs inputs,
      Function<String, List<String>> hostIPs,
      Consumer<PodState> next) {
    this.inputs = inputs;
    this.complete = env.runtime().usesEnvironment();
    this.hostIPs = hostIPs;
    this.clock = env.clock();
    this.next = next;
    ReferenceSource source = inputs.references();
    this.cache = source == null ? null : new ReferenceCache<>(source, this::changed);
    if (cache != null) {
      cache.start();
    }
  }

  DnsSettings dns(String node) {
    return inputs.dns().apply(node);
  }

  /** Returns the addresses of a node, primary first. */
  List<String> hostIPs(String node) {
    return hostIPs.apply(node);
  }

  /** Whether the container's environment matters for its start. */
  boolean needed(ContainerSlot slot) {
    EnvironmentView environment = slot.view().environment();
    return complete
        || (environment != null && !(environment.literal() && environment.subPaths().isEmpty()));
  }

  Resolution resolve(PodState pod, ContainerSlot slot) {
    long now = clock.millis();
    return EnvironmentResolver.resolve(
        pod.view(), slot.view(), facts(pod), complete, key -> read(key, now));
  }

  /** Returns the state of an object that a pod refers to; {@link #hold} comes first. */
  ReferenceState read(ReferredKey key, long now) {
    if (assumed(key)) {
      return ASSUMED;
    }
    if (cache != null) {
      return cache.read(key, now);
    }
    if (key.kind() == ReferredKind.SERVICE) {
      return new ReferenceState.Known(List.of());
    }
    String kind = key.kind() == ReferredKind.CONFIG_MAP ? "configMap" : key.kind().resource();
    String name = key.namespace() + "/" + key.name();
    return new ReferenceState.Unavailable(
        "couldn't get " + kind + " " + name + ", no kubeClient defined");
  }

  /** Returns the pod's volumes, as far as they are known now. */
  VolumeMounts volumes(PodView pod) {
    long now = clock.millis();
    return new VolumeMounts(pod, complete, key -> read(key, now));
  }

  private PodFacts facts(PodState pod) {
    List<String> host = hostIPs.apply(pod.node());
    SandboxRecord sandbox = pod.sandbox().record();
    List<String> podIPs = sandbox == null ? List.of() : sandbox.ips();
    return new PodFacts(
        pod.view().spec().hostNetwork() ? host : podIPs,
        host,
        inputs.allocatable().apply(pod.node()));
  }

  /** Prepares the content of the pod's volumes; a pod that waits for it is driven afterwards. */
  VolumePreparer.Outcome prepare(PodState pod) {
    return inputs
        .volumes()
        .prepare(
            pod.view(),
            () -> {
              if (!pod.forgotten() && pod.hurryVolumes()) {
                next.accept(pod);
              }
            });
  }

  /** Watches the objects that the pod refers to until {@link #release}. */
  void hold(PodState pod) {
    if (pod.sandbox().exists()) {
      inputs.volumes().updated(pod.view());
    }
    if (cache != null) {
      cache.hold(pod, references(pod.view()), clock.millis());
    }
  }

  private Set<ReferredKey> references(PodView pod) {
    Set<ReferredKey> ofContainers = PodReferences.of(pod, complete);
    if (ofContainers.isEmpty() && pod.spec().placement().volumes().isEmpty()) {
      return ofContainers;
    }
    Set<ReferredKey> all = volumes(pod).references();
    all.addAll(ofContainers);
    all.removeIf(this::assumed);
    return all;
  }

  /** Whether a Secret counts as present: the runtime ignores it, and reading needs a right. */
  private boolean assumed(ReferredKey key) {
    return key.kind() == ReferredKind.SECRET && !complete && !inputs.secrets() && cache != null;
  }

  void release(PodState pod) {
    if (cache != null) {
      cache.release(pod);
    }
  }

  /** Continues the pod after an object that it refers to appeared, changed or was deleted. */
  private void changed(PodState pod) {
    hold(pod); // an object that just appeared may refer to others
    boolean waited = pod.hurryVolumes();
    waited |= hurry(pod.init()) | hurry(pod.regular()) | hurry(pod.ephemeral());
    if (waited) {
      next.accept(pod);
    }
  }

  /** Whether a container waited for its environment; its start is retried at once. */
  private static boolean hurry(ContainerSlot[] slots) {
    boolean waited = false;
    for (ContainerSlot slot : slots) {
      if (awaitsEnvironment(slot)) {
        slot.postponeStart(0);
        waited = true;
      }
    }
    return waited;
  }

  private static boolean awaitsEnvironment(ContainerSlot slot) {
    StartStep step = slot.start().step();
    return step == StartStep.READY
        || (step == StartStep.IDLE && slot.waitsFor(WaitReasons.CREATE_CONTAINER_CONFIG_ERROR));
  }

  void stop() {
    if (cache != null) {
      cache.stop();
    }
  }
}
