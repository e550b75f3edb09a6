package dev.vertlet.lifecycle;

import dev.vertlet.model.NodeView;
import dev.vertlet.provider.ContainerRuntime;
import dev.vertlet.provider.NodeProvider;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks the runtime again and again whether it can run containers, and says so in the Ready
 * condition of its nodes. A runtime that is down makes its nodes not ready; their leases go on
 * being renewed, as a kubelet's do.
 */
final class RuntimeHealth implements NodeProvider {
  /** The kubelet asks every 5 s. */
  private static final Duration PERIOD = Duration.ofSeconds(5);

  /**
   * The kubelet takes a runtime for dead when it was not seen well for 30 s
   * (maxWaitForContainerRuntime).
   */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String UNCHECKED =
      "container runtime status check may not have completed yet";
  private static final String DOWN = "container runtime is down";

  private final ContainerRuntime runtime;
  private final CoreLoop loop;
  private final Clock clock;
  private final Consumer<NodeView> observer;
  private final Set<String> nodes = new LinkedHashSet<>();
  private final List<Consumer<String>> listeners = new ArrayList<>();
  private String problem = UNCHECKED;
  private @Nullable Instant lastWell;
  private boolean asking;
  private boolean closed;
  private long timer;

  /**
   * @param observer told of every change of a node's object
   */
  RuntimeHealth(ContainerRuntime runtime, CoreLoop loop, Clock clock, Consumer<NodeView> observer) {
    this.runtime = runtime;
    this.loop = loop;
    this.clock = clock;
    this.observer = observer;
  }

  /** Asks now, and from now on. */
  void start() {
    if (closed) {
      return;
    }
    ask();
    timer = loop.setTimer(PERIOD.toMillis(), this::start);
  }

  void close() {
    closed = true;
    loop.cancelTimer(timer);
  }

  private void ask() {
    if (asking) {
      // the runtime hangs: the last good answer grows old
      settle(null);
      return;
    }
    asking = true;
    status()
        .onComplete(
            answer ->
                loop.run(
                    () -> {
                      asking = false;
                      settle(answer.succeeded() ? "" : String.valueOf(answer.cause().getMessage()));
                    }));
  }

  private Future<Void> status() {
    try {
      return runtime.status();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /**
   * @param answer empty for a healthy runtime, its complaint otherwise, null for none
   */
  private void settle(@Nullable String answer) {
    Instant now = clock.instant();
    String next;
    if (answer == null) {
      Instant well = lastWell;
      boolean old = well == null || well.plus(PATIENCE).isBefore(now);
      next = old && well != null ? DOWN : problem;
    } else {
      next = answer;
      lastWell = answer.isEmpty() ? now : lastWell;
    }
    if (!next.equals(problem)) {
      problem = next;
      nodes.forEach(node -> listeners.forEach(listener -> listener.accept(node)));
    }
  }

  /** Answers as soon as the event loop does: a runtime that is down is told by {@link #health}. */
  @Override
  public Future<Void> ping(String node) {
    return Future.succeededFuture();
  }

  @Override
  public NodeHealth health(String node) {
    nodes.add(node);
    return problem.isEmpty() ? NodeHealth.HEALTHY : new NodeHealth(false, problem, List.of());
  }

  @Override
  public void observed(NodeView node) {
    loop.run(() -> observer.accept(node));
  }

  @Override
  public void onChange(Consumer<String> listener) {
    listeners.add(listener);
  }
}
