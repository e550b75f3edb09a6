package dev.vertlet.lifecycle.nodehealth;

import dev.vertlet.lifecycle.pod.RuntimeCalls;
import dev.vertlet.lifecycle.podworker.NetworkState;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.GoDuration;
import dev.vertlet.model.NodeConditionView;
import dev.vertlet.model.NodeImageView;
import dev.vertlet.model.NodeView;
import dev.vertlet.provider.ContainerRuntime;
import dev.vertlet.provider.NodeProvider;
import dev.vertlet.provider.NodeSpec;
import dev.vertlet.provider.ProviderCall;
import dev.vertlet.provider.ProviderException;
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
 * Asks the runtime again and again whether it can run containers, and says so in the Ready
 * condition of its nodes. A runtime that is down makes its nodes not ready; their leases go on
 * being renewed, as a kubelet's do.
 */
public final class RuntimeHealth implements NodeProvider {
  /** The kubelet asks every 5 s. */
  private static final Duration PERIOD = Duration.ofSeconds(5);

  /**
   * The kubelet takes a runtime for dead when it was not seen well for 30 s
   * (maxWaitForContainerRuntime).
   */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The kubelet's relistThreshold: how long a runtime may not list what it has. */
  private static final Duration LIST_PATIENCE = Duration.ofMinutes(3);

  private static final String UNCHECKED =
      "container runtime status check may not have completed yet";
  private static final String DOWN = "container runtime is down";
  private static final String SHUTTING_DOWN = "node is shutting down";

  /**
   * What others have found out about nodes.
   *
   * @param conditions of a node beside Ready that are not as they should be
   * @param images of a node, null where nothing is said of them
   * @param silence for how long the runtime has not listed what it has
   */
  public record Findings(
      Function<String, List<NodeConditionView>> conditions,
      Function<String, @Nullable List<NodeImageView>> images,
      Supplier<Duration> silence) {}

  private final ContainerRuntime runtime;
  private final CoreLoop loop;
  private final Clock clock;
  private final NetworkState network;
  private final Consumer<NodeView> observer;
  private final Consumer<String> forgetter;
  private final Findings findings;
  private final Set<String> nodes = new LinkedHashSet<>();
  private final List<Consumer<String>> listeners = new ArrayList<>();
  private String problem = UNCHECKED;

  /** What is wrong with lists of the runtime, empty for nothing; as it was when that began. */
  private String silent = "";

  private boolean shuttingDown;
  private @Nullable Instant lastWell;
  private boolean asking;
  private boolean askingNetwork;
  private boolean closed;
  private long timer;

  /**
   * @param network told of what the runtime says of it
   * @param observer told of every change of a node's object
   * @param forgetter told of nodes that are nobody's here any more
   */
  public RuntimeHealth(
      ContainerRuntime runtime,
      CoreLoop loop,
      Clock clock,
      NetworkState network,
      Consumer<NodeView> observer,
      Consumer<String> forgetter,
      Findings findings) {
    this.runtime = runtime;
    this.loop = loop;
    this.clock = clock;
    this.network = network;
    this.observer = observer;
    this.forgetter = forgetter;
    this.findings = findings;
  }

  /** Asks now, and from now on. */
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

  /** A kubelet calls its lists of the runtime PLEG, and so do those who know its messages. */
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
      // the runtime hangs: the last good answer grows old
      settle(null);
      return;
    }
    asking = true;
    ProviderCall.ask(runtime::status)
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

  /** As a kubelet writes a condition of its runtime. */
  private static String complaint(@Nullable Throwable failure) {
    return failure == null
        ? ""
        : "container runtime network not ready: NetworkReady=false reason:"
            + ProviderException.reasonOf(failure, "NetworkPluginNotReady")
            + " message:"
            + RuntimeCalls.text(failure);
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
      nodes.forEach(this::changed);
    }
  }

  /** The node's conditions, or what it has, are others now. */
  public void changed(String node) {
    listeners.forEach(listener -> listener.accept(node));
  }

  /** All pods of all nodes are being ended. */
  public void shuttingDown() {
    shuttingDown = true;
    nodes.forEach(this::changed);
  }

  /** As Kubernetes writes several errors in one line. */
  private String problems() {
    List<String> all =
        Stream.of(problem, silent, network.problem(), shuttingDown ? SHUTTING_DOWN : "")
            .filter(text -> !text.isEmpty())
            .toList();
    return all.size() < 2 ? String.join("", all) : "[" + String.join(", ", all) + "]";
  }

  /** Answers as soon as the event loop does: a runtime that is down is told by {@link #health}. */
  @Override
  public Future<Void> ping(String node) {
    return Future.succeededFuture();
  }

  @Override
  public NodeHealth health(String node) {
    nodes.add(node);
    List<NodeConditionView> others = findings.conditions().apply(node);
    String complaints = problems();
    return complaints.isEmpty() && others.isEmpty()
        ? NodeHealth.HEALTHY
        : new NodeHealth(complaints.isEmpty(), complaints, others);
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
