package dev.vertlet.lifecycle;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.ContainerRuntime;
import dev.vertlet.provider.NodeProvider;
import dev.vertlet.provider.PodProvider;
import dev.vertlet.provider.ProviderContext;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.RuntimePod;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link PodProvider} that does for pods what a kubelet does, on one {@link ContainerRuntime}.
 *
 * <p>All methods are called on the context {@link #start} was called on; the runtime may call back
 * from any thread. {@code create} of a known pod is an update, {@code delete} of an unknown one
 * takes over what the runtime still has of it and ends that.
 */
public final class KubeletCore implements PodProvider {
  /** The kubelet's grace for a pod that left its source: one second. */
  private static final Duration KILL_GRACE = Duration.ofSeconds(1);

  private final ContainerRuntime runtime;
  private final KubeletOptions options;
  private final Function<String, String> hostIP;
  private final Function<ProviderContext, CoreLoop> loops;
  private final Map<String, PodState> pods = new HashMap<>();
  private final Map<String, Future<Void>> adoptions = new HashMap<>();
  private @Nullable Running running;

  /** What exists from start to stop. */
  private record Running(
      ProviderContext context,
      CoreLoop loop,
      PodEvents events,
      PodDriver driver,
      RuntimeRelist relist,
      RuntimeHealth health) {}

  /**
   * @param hostIP address of a node by its name, empty for none
   */
  public KubeletCore(
      ContainerRuntime runtime, KubeletOptions options, Function<String, String> hostIP) {
    this(runtime, options, hostIP, context -> new VertxLoop(context.vertx()));
  }

  /** For tests that own the loop. */
  KubeletCore(
      ContainerRuntime runtime,
      KubeletOptions options,
      Function<String, String> hostIP,
      Function<ProviderContext, CoreLoop> loops) {
    this.runtime = runtime;
    this.options = options;
    this.hostIP = hostIP;
    this.loops = loops;
  }

  @Override
  public Future<Void> start(ProviderContext context) {
    if (running != null) {
      return Future.failedFuture(new IllegalStateException("the kubelet core is started already"));
    }
    CoreLoop loop = loops.apply(context);
    PodEvents events = new PodEvents(context, !options.fast());
    PodDriver driver = new PodDriver(options, runtime, context, loop, events, hostIP, this::done);
    RuntimeRelist relist =
        new RuntimeRelist(
            runtime, loop, context.clock(), driver, pods, options.relistPeriod().toMillis());
    RuntimeHealth health = new RuntimeHealth(runtime, loop, context.clock());
    Running made = new Running(context, loop, events, driver, relist, health);
    running = made;
    return runtime
        .start(new Listener(made))
        .onSuccess(
            ignored ->
                loop.run(
                    () -> {
                      relist.start();
                      health.start();
                    }));
  }

  @Override
  public Future<Void> create(PodView pod) {
    String uid = pod.uid();
    if (!pods.containsKey(uid)) {
      return adopt(pod, null);
    }
    Future<Void> adoption = adoptions.get(uid);
    return adoption == null ? update(pod) : adoption;
  }

  /** Asks the runtime what it has of the pod, and goes on from there. */
  private Future<Void> adopt(PodView view, @Nullable Duration grace) {
    Running now = running();
    PodState pod =
        new PodState(view, StatusAssembly.owned(view.status()), now.context().clock().instant());
    pods.put(view.uid(), pod);
    if (grace != null) {
      endDeleted(pod, grace);
    } else {
      endIfDeleting(pod);
    }
    Future<Void> adoption =
        onLoop(now, restore(view))
            .transform(
                found ->
                    found.succeeded()
                        ? restored(pod, found.result().orElse(null))
                        : notRestored(pod, found.cause()));
    if (!adoption.isComplete()) {
      adoptions.put(view.uid(), adoption);
    }
    if (pod.deleting) {
      now.driver().drive(pod);
    }
    return adoption;
  }

  private Future<Optional<RuntimePod>> restore(PodView view) {
    try {
      return runtime.restore(view);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private Future<Void> notRestored(PodState pod, Throwable failure) {
    if (ProviderException.kindOf(failure) == ProviderException.Kind.NOT_FOUND) {
      return restored(pod, null);
    }
    if (!pod.forgotten) {
      drop(pod);
    }
    return Future.failedFuture(failure);
  }

  private Future<Void> restored(PodState pod, @Nullable RuntimePod found) {
    adoptions.remove(pod.pod.uid());
    if (running != null && pod.life == PodState.Life.FINISHED) {
      // the answer came after the pod's grace was over
      if (found != null) {
        running.driver().removeLate(pod);
      }
    } else if (running != null && !pod.forgotten) {
      take(running, pod, found);
    }
    return Future.succeededFuture();
  }

  private void take(Running now, PodState pod, @Nullable RuntimePod found) {
    Adoption.adopt(
        pod, found, now.context().clock().instant(), options.maxContainerBackOff().toMillis());
    if (pod.life == PodState.Life.FINISHED) {
      now.driver().publish(pod);
    } else {
      now.driver().drive(pod);
    }
  }

  @Override
  public Future<Void> update(PodView view) {
    PodState pod = pods.get(view.uid());
    if (pod == null) {
      return create(view);
    }
    if (pod.life == PodState.Life.FINISHED) {
      pod.pod = view;
    } else {
      pod.redefine(view);
      endIfDeleting(pod);
      running().driver().drive(pod);
    }
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> delete(PodView view, Duration grace) {
    PodState pod = pods.get(view.uid());
    if (pod == null) {
      return adopt(view, grace);
    }
    if (pod.life == PodState.Life.FINISHED) {
      pod.pod = view;
      running().driver().report(pod);
      done(pod);
    } else {
      pod.redefine(view);
      endDeleted(pod, grace);
      running().driver().drive(pod);
    }
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> kill(PodRef ref) {
    PodState pod = pods.get(ref.uid());
    if (pod == null) {
      return runtime.removeSandbox(ref);
    }
    if (pod.life == PodState.Life.FINISHED) {
      done(pod);
    } else {
      endDeleted(pod, KILL_GRACE);
      running().driver().drive(pod);
    }
    return Future.succeededFuture();
  }

  private void endIfDeleting(PodState pod) {
    if (pod.pod.deleting()) {
      Long seconds = pod.pod.deletionGracePeriodSeconds();
      endDeleted(pod, Duration.ofSeconds(seconds == null ? 0 : seconds));
    }
  }

  private void endDeleted(PodState pod, Duration grace) {
    pod.deleting = true;
    pod.end(grace.toMillis(), running().context().clock().millis());
  }

  @Override
  public Future<Optional<PodReport>> get(PodRef ref) {
    PodState pod = pods.get(ref.uid());
    return Future.succeededFuture(
        pod == null ? Optional.empty() : Optional.of(PodDriver.current(pod)));
  }

  /** Also has pods that only the runtime knows: nobody asked for them, they should be deleted. */
  @Override
  public Future<List<PodReport>> list() {
    return onLoop(running(), runtime.list())
        .map(
            listed -> {
              List<PodReport> reports = new ArrayList<>(pods.size());
              pods.values().forEach(pod -> reports.add(PodDriver.current(pod)));
              for (RuntimePod orphan : RuntimeRelist.orphans(listed, pods)) {
                reports.add(new PodReport(orphan.pod(), orphan.node(), ORPHAN, false));
              }
              return reports;
            });
  }

  /** Nothing is known of it but that it runs. */
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

  @Override
  public Future<Void> release(String node) {
    List<PodState> released = new ArrayList<>();
    for (PodState pod : pods.values()) {
      if (pod.node().equals(node)) {
        released.add(pod);
      }
    }
    released.forEach(this::drop);
    return runtime.release(node);
  }

  @Override
  public boolean writesEvents() {
    return true;
  }

  @Override
  public NodeProvider nodes() {
    return running().health();
  }

  @Override
  public Future<Void> stop() {
    Running now = running;
    running = null;
    if (now != null) {
      now.relist().close();
      now.health().close();
      now.driver().close();
    }
    pods.values().forEach(pod -> pod.forgotten = true);
    pods.clear();
    return runtime.stop();
  }

  /** Finished and deleted: nobody will ask for the pod again. */
  private void done(PodState pod) {
    drop(pod);
  }

  private void drop(PodState pod) {
    pods.remove(pod.pod.uid(), pod);
    adoptions.remove(pod.pod.uid());
    running().driver().forget(pod);
  }

  /** The same future, completed on the loop: what is chained to it may touch the core's state. */
  private static <T> Future<T> onLoop(Running now, Future<T> future) {
    Promise<T> promise = Promise.promise();
    future.onComplete(
        result ->
            now.loop()
                .run(
                    () -> {
                      if (result.succeeded()) {
                        promise.complete(result.result());
                      } else {
                        promise.fail(result.cause());
                      }
                    }));
    return promise.future();
  }

  private Running running() {
    Running now = running;
    if (now == null) {
      throw new IllegalStateException("the kubelet core is not started");
    }
    return now;
  }

  /** Brings the runtime's events to the loop. */
  private final class Listener implements ContainerRuntime.RuntimeListener {
    private final Running core;

    Listener(Running core) {
      this.core = core;
    }

    @Override
    public void containerChanged(PodRef ref, ContainerRecord container) {
      take(
          ref,
          pod -> {
            if (pod.observe(container)) {
              core.driver().drive(pod);
            }
          });
    }

    @Override
    public void sandboxLost(PodRef ref) {
      take(
          ref,
          pod -> {
            if (pod.sandbox != null) {
              if (!pod.ending()) {
                core.events()
                    .normal(
                        pod,
                        PodEvents.SANDBOX_CHANGED,
                        "Pod sandbox changed, it will be killed and re-created.");
              }
              pod.sandboxLost(core.context().clock().instant());
              core.driver().drive(pod);
            }
          });
    }

    private void take(PodRef ref, Consumer<PodState> event) {
      core.loop()
          .run(
              () -> {
                PodState pod = pods.get(ref.uid());
                if (pod != null && !pod.forgotten && pod.life != PodState.Life.FINISHED) {
                  event.accept(pod);
                }
              });
    }
  }
}
