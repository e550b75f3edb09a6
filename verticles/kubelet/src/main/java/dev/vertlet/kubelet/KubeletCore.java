package dev.vertlet.kubelet;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kubelet.container.RestartRules;
import dev.vertlet.kubelet.pod.ContainerListener;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.pod.Held;
import dev.vertlet.kubelet.pod.PodEvents;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.PodStates;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.kubelet.podworker.EnvironmentInputs;
import dev.vertlet.kubelet.podworker.RuntimeEvents;
import dev.vertlet.kubelet.resize.ResizeQueue;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.loop.VertxLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import dev.vertlet.provider.probe.ProbeStats;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link PodProvider} that does for pods what a kubelet does, on one {@link ContainerRuntime}.
 *
 * <p>Call all methods on the context that {@link #start} was called on; the runtime may call back
 * from any thread. {@code create} of a known pod is an update, {@code update} of an unknown pod is
 * a create. {@code delete} of an unknown pod adopts and ends what the runtime still has of it, so
 * it never fails with NOT_FOUND. The core forgets a pod that is finished and deleted.
 */
public final class KubeletCore implements PodProvider {
  /** Status of a pod that only the runtime knows. */
  private static final PodStatusView ORPHAN =
      new PodStatusView(
          PodPhase.RUNNING,
          null,
          null,
          null,
          List.of(),
          null,
          null,
          List.of(),
          List.of(),
          List.of(),
          List.of());

  /** Grace of a pod that left its source, as in a kubelet: one second. */
  private static final Duration KILL_GRACE = Duration.ofSeconds(1);

  private final ContainerRuntime runtime;
  private final KubeletOptions options;
  private final KubeletNodes nodes;
  private final EnvironmentInputs inputs;
  private final CoreMeters meters;
  private final ContainerListener listener;
  private final Function<ProviderContext, CoreLoop> loops;
  private final PodStates pods = new PodStates();
  private final PodStreams streams;
  private @Nullable CoreParts parts;

  /**
   * Makes a core for pods without references to ConfigMaps and Secrets; containers that refer to
   * one wait.
   *
   * @param nodes settings of the nodes
   */
  public KubeletCore(ContainerRuntime runtime, KubeletOptions options, KubeletNodes nodes) {
    this(runtime, options, nodes, EnvironmentInputs.NONE);
  }

  /**
   * @param nodes settings of the nodes
   * @param inputs of the environment of containers
   */
  public KubeletCore(
      ContainerRuntime runtime,
      KubeletOptions options,
      KubeletNodes nodes,
      EnvironmentInputs inputs) {
    this(runtime, options, nodes, inputs, CoreMeters.NONE, ContainerListener.NONE);
  }

  /**
   * @param nodes settings of the nodes
   * @param inputs of the environment of containers
   * @param meters measure what the core does
   * @param listener receives the containers that the core starts
   */
  public KubeletCore(
      ContainerRuntime runtime,
      KubeletOptions options,
      KubeletNodes nodes,
      EnvironmentInputs inputs,
      CoreMeters meters,
      ContainerListener listener) {
    this(
        runtime,
        options,
        nodes,
        inputs,
        meters,
        listener,
        context -> new VertxLoop(context.vertx()));
  }

  /** For tests that own the loop. */
  KubeletCore(
      ContainerRuntime runtime,
      KubeletOptions options,
      KubeletNodes nodes,
      EnvironmentInputs inputs,
      CoreMeters meters,
      ContainerListener listener,
      Function<ProviderContext, CoreLoop> loops) {
    this.runtime = runtime;
    this.options = options;
    this.nodes = nodes;
    this.inputs = inputs;
    this.meters = meters;
    this.listener = listener;
    this.loops = loops;
    this.streams = new CoreStreams(pods, runtime);
  }

  @Override
  public Future<Void> start(ProviderContext context) {
    if (parts != null) {
      return Future.failedFuture(new IllegalStateException("the kubelet core is started already"));
    }
    CoreParts made = assemble(context);
    parts = made;
    RuntimeEvents events =
        new RuntimeEvents(made.loop(), made.driver(), pods, made.health()::changed, context::event);
    return runtime
        .start(events)
        .onSuccess(
            ignored -> {
              made.loop().run(made.relist()::start);
              made.loop().run(made.health()::start);
            });
  }

  private CoreParts assemble(ProviderContext context) {
    PodEvents events = new PodEvents(context, !options.fast());
    CoreEnv env = new CoreEnv(runtime, loops.apply(context), context, events, meters, listener);
    return CoreParts.assemble(env, options, nodes, inputs, pods);
  }

  @Override
  public Future<Void> create(PodView pod) {
    Future<Void> pending = parts().intake().pending(pod.uid());
    if (pending != null) {
      return pending;
    }
    return pods.contains(pod.uid()) ? update(pod) : parts().intake().adopt(pod, null);
  }

  @Override
  public Future<Void> update(PodView view) {
    PodState pod = pods.get(view.uid());
    return pod == null ? create(view) : change(pod, view, null);
  }

  @Override
  public Future<Void> delete(PodView view, Duration grace) {
    PodState pod = pods.get(view.uid());
    if (pod == null) {
      return parts().intake().adopt(view, grace);
    }
    if (pod.finished()) {
      pod.redefineFinished(view);
      parts().driver().report(pod);
      if (view.deleting()) {
        forget(pod);
      }
      return Future.succeededFuture();
    }
    if (!view.deleting() && pod.status().phase().terminal()) {
      // its own end came back while its sandbox is removed: it stays known, and its logs readable
      return Future.succeededFuture();
    }
    return change(pod, view, grace);
  }

  @Override
  public Future<Void> kill(PodRef ref) {
    PodState pod = pods.get(ref.uid());
    if (pod == null) {
      return meters.measure(RuntimeOperation.REMOVE_SANDBOX, () -> runtime.removeSandbox(ref));
    }
    if (pod.finished()) {
      forget(pod);
      return Future.succeededFuture();
    }
    pod.silence();
    return change(pod, pod.view(), KILL_GRACE);
  }

  private Future<Void> change(PodState pod, PodView asked, @Nullable Duration grace) {
    PodView view = RestartRules.on(nodes.policy().apply(pod.node()), asked);
    if (pod.finished()) {
      pod.redefineFinished(view);
    } else {
      PodView before = ResizeQueue.desired(pod);
      PodView granted = ResizeQueue.granted(pod, view);
      pod.redefine(granted);
      parts().driver().refer(pod);
      parts().intake().endIfDeleting(pod, grace);
      parts().resizes().changed(pod, before, view);
      parts().driver().drive(pod);
    }
    return Future.succeededFuture();
  }

  @Override
  public void settled(PodView pod) {
    if (pod.status().phase().terminal()) {
      runtime.ended(pod);
    } else {
      parts().rest().settled(pod);
    }
  }

  @Override
  public Future<Optional<PodReport>> get(PodRef ref) {
    return Future.succeededFuture(Optional.ofNullable(pods.held(ref.uid())).map(Held::report));
  }

  /** Includes pods that only the runtime knows: no source has them, so they should go. */
  @Override
  public Future<List<PodReport>> list() {
    return parts()
        .loop()
        .bring(meters.measure(RuntimeOperation.LIST_SANDBOXES, runtime::list))
        .map(this::reports);
  }

  private List<PodReport> reports(List<RuntimePod> listed) {
    List<PodReport> reports = new ArrayList<>(pods.size());
    for (Held pod : pods.held()) {
      reports.add(pod.report());
    }
    for (RuntimePod held : listed) {
      if (!pods.contains(held.pod().uid())) {
        reports.add(orphan(held));
      }
    }
    return reports;
  }

  /** Returns the report of a pod that only the runtime knows. */
  static PodReport orphan(RuntimePod held) {
    return new PodReport(held.pod(), held.node(), ORPHAN, false);
  }

  @Override
  public Future<Void> release(String node) {
    pods.held().stream().filter(pod -> pod.isOn(node)).toList().forEach(this::forget);
    parts().evictions().release(node);
    parts().images().release(node);
    return runtime.release(node);
  }

  @Override
  public Future<Void> drain(Duration limit) {
    parts().health().shuttingDown();
    return parts().clearing().shutDown(limit);
  }

  /** Returns what the runtime measures. */
  @Override
  public Future<NodeUsage> usage(String node) {
    return meters.measure(RuntimeOperation.SANDBOX_STATS, () -> runtime.stats(node));
  }

  @Override
  public Future<List<ProbeStats>> probes(String node) {
    List<ProbeStats> all = new ArrayList<>();
    pods.awake()
        .filter(pod -> pod.containers().probed() && pod.isOn(node))
        .forEach(pod -> pod.containers().addProbes(pod.view().ref(), all));
    return Future.succeededFuture(all);
  }

  @Override
  public boolean writesEvents() {
    return true;
  }

  /** True: every relist reports unclaimed pods. */
  @Override
  public boolean tellsUnclaimed() {
    return true;
  }

  @Override
  public NodeProvider nodes() {
    return parts().health();
  }

  @Override
  public PodStreams streams() {
    return streams;
  }

  @Override
  public Future<Void> stop() {
    CoreParts now = parts;
    if (now == null) {
      return Future.succeededFuture();
    }
    parts = null;
    now.relist().close();
    now.health().close();
    now.evictions().close();
    now.images().close();
    now.resizes().close();
    now.driver().close();
    List.copyOf(pods.held()).forEach(now.driver()::forget);
    pods.clear();
    listener.stop();
    return runtime.stop();
  }

  private void forget(Held held) {
    parts().intake().forget(held);
  }

  private CoreParts parts() {
    CoreParts now = parts;
    if (now == null) {
      throw new IllegalStateException("the kubelet core is not started");
    }
    return now;
  }
}
