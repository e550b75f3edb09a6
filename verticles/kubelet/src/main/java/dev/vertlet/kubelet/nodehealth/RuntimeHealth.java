package dev.vertlet.kubelet.nodehealth;

import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.pod.RuntimeCalls;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.kubelet.podworker.NetworkState;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.GoDuration;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeImageView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.failure.ProviderCall;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeSpec;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks the runtime periodically whether it can run containers, and sets the Ready condition of its
 * nodes. A runtime that is down makes its nodes not ready; their leases are still renewed, as a
 * kubelet's are.
 */
public final class RuntimeHealth implements NodeProvider {
  /** Period of checks, as a kubelet's. */
  private static final Duration PERIOD = Duration.ofSeconds(5);

  /** A runtime is down without a good answer for 30 s (kubelet: maxWaitForContainerRuntime). */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Longest time without a successful relist (kubelet: relistThreshold). */
  private static final Duration LIST_PATIENCE = Duration.ofMinutes(3);

  private static final String UNCHECKED =
      "container runtime status check may not have completed yet";
  private static final String DOWN = "container runtime is down";
  private static final String SHUTTING_DOWN = "node is shutting down";
  private static final String READY = "Ready";

  /**
   * What the other parts of the core have found out about nodes.
   *
   * @param conditions of a node besides Ready. One of a default type, such as MemoryPressure,
   *     counts instead of the default, which is False; any other type has to be returned as False
   *     once it is over, as the server keeps a condition that is left out
   * @param images of a node, null if unknown
   * @param silence time since the runtime's last successful list
   */
  public record Findings(
      Function<String, List<NodeConditionView>> conditions,
      Function<String, @Nullable List<NodeImageView>> images,
      Supplier<Duration> silence) {}

  private final ContainerRuntime runtime;
  private final CoreMeters meters;
  private final CoreLoop loop;
  private final Clock clock;
  private final NetworkState network;
  private final Consumer<NodeView> observer;
  private final Consumer<String> forgetter;
  private final Findings findings;
  private final Set<String> nodes = new LinkedHashSet<>();
  private final List<Consumer<String>> listeners = new ArrayList<>();
  private String problem = UNCHECKED;

  /** The relist problem of the runtime, empty for none; the text stays as it was at its start. */
  private String silent = "";

  private boolean shuttingDown;
  private @Nullable Instant lastWell;
  private boolean asking;
  private boolean askingNetwork;
  private boolean closed;
  private long timer;

  /**
   * @param network takes the network status of the runtime
   * @param observer takes every change of a node's object
   * @param forgetter takes the names of nodes that the agent no longer serves
   */
  public RuntimeHealth(
      CoreEnv env,
      NetworkState network,
      Consumer<NodeView> observer,
      Consumer<String> forgetter,
      Findings findings) {
    this.runtime = env.runtime();
    this.meters = env.meters();
    this.loop = env.loop();
    this.clock = env.clock();
    this.network = network;
    this.observer = observer;
    this.forgetter = forgetter;
    this.findings = findings;
  }

  /** Checks now and then periodically. */
  public void start() {
    if (closed) {
      return;
    }
    listen();
    ask();
    askForNetwork();
    timer = loop.setTimer(PERIOD.toMillis(), this::start);
  }

  public void close() {
    closed = true;
    loop.cancelTimer(timer);
  }

  /** Checks the relist; the message says PLEG, the kubelet's name for it. */
  private void listen() {
    Duration since = findings.silence().get();
    boolean wrong = since.compareTo(LIST_PATIENCE) > 0;
    if (wrong != silent.isEmpty()) {
      return;
    }
    silent =
        wrong
            ? "PLEG is not healthy: pleg was last seen active "
                + GoDuration.format(since)
                + " ago; threshold is "
                + GoDuration.format(LIST_PATIENCE)
            : "";
    nodes.forEach(this::changed);
  }

  private void ask() {
    if (asking) {
      // the runtime hangs: the last good answer ages
      settle(null);
      return;
    }
    asking = true;
    meters
        .measure(RuntimeOperation.STATUS, runtime::status)
        .onComplete(
            answer ->
                loop.run(
                    () -> {
                      asking = false;
                      settle(answer.succeeded() ? "" : String.valueOf(answer.cause().getMessage()));
                    }));
  }

  private void askForNetwork() {
    if (askingNetwork) {
      return;
    }
    askingNetwork = true;
    ProviderCall.ask(runtime::networkStatus)
        .onComplete(
            answer ->
                loop.run(
                    () -> {
                      askingNetwork = false;
                      boolean news = network.become(complaint(answer.cause()));
                      if (news) {
                        nodes.forEach(this::changed);
                      }
                    }));
  }

  /** Formats a network failure as a kubelet writes it. */
  private static String complaint(@Nullable Throwable failure) {
    return failure == null
        ? ""
        : "container runtime network not ready: NetworkReady=false reason:"
            + ProviderException.reasonOf(failure, "NetworkPluginNotReady")
            + " message:"
            + RuntimeCalls.text(failure);
  }

  /**
   * @param answer empty for a healthy runtime, its problem otherwise, null for none
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
      nodes.forEach(this::changed);
    }
  }

  /** Notifies listeners of changed conditions or images of the node. */
  public void changed(String node) {
    listeners.forEach(listener -> listener.accept(node));
  }

  /** Makes all nodes not ready, as all their pods are being ended. */
  public void shuttingDown() {
    shuttingDown = true;
    nodes.forEach(this::changed);
  }

  /** Joins problems as Kubernetes writes several errors in one line. */
  private String problems(String ofTheNode) {
    List<String> all =
        Stream.of(problem, ofTheNode, silent, network.problem(), shuttingDown ? SHUTTING_DOWN : "")
            .filter(text -> !text.isEmpty())
            .toList();
    return all.size() < 2 ? String.join("", all) : "[" + String.join(", ", all) + "]";
  }

  /** Always succeeds: {@link #health} reports a runtime that is down. */
  @Override
  public Future<Void> ping(String node) {
    return Future.succeededFuture();
  }

  @Override
  public NodeHealth health(String node) {
    nodes.add(node);
    List<NodeConditionView> others = new ArrayList<>();
    String notReady = "";
    for (NodeConditionView condition : conditions(node)) {
      if (!condition.type().equals(READY)) {
        others.add(condition);
      } else if (!condition.status().equals("True")) {
        notReady = condition.message().isEmpty() ? condition.reason() : condition.message();
      }
    }
    String complaints = problems(notReady);
    return complaints.isEmpty() && others.isEmpty()
        ? NodeHealth.HEALTHY
        : new NodeHealth(complaints.isEmpty(), complaints, others);
  }

  /** Returns the runtime's conditions, and those of the core, which replace them by type. */
  private List<NodeConditionView> conditions(String node) {
    List<NodeConditionView> own = findings.conditions().apply(node);
    List<NodeConditionView> further = runtime.conditions(node);
    if (further.isEmpty()) {
      return own;
    }
    List<NodeConditionView> all = new ArrayList<>(own);
    Set<String> types = new LinkedHashSet<>();
    own.forEach(condition -> types.add(condition.type()));
    further.stream().filter(condition -> types.add(condition.type())).forEach(all::add);
    return all;
  }

  @Override
  public NodeSpec configure(NodeSpec spec) {
    return runtime
        .configure(spec)
        .withFeatures(runtime.features())
        .withImages(findings.images().apply(spec.name()));
  }

  @Override
  public void observed(NodeView node) {
    loop.run(() -> observer.accept(node));
  }

  @Override
  public void forget(String node) {
    loop.run(
        () -> {
          nodes.remove(node);
          forgetter.accept(node);
        });
  }

  @Override
  public void onChange(Consumer<String> listener) {
    listeners.add(listener);
  }
}
