package dev.vertlet.kubelet.nodehealth;

import dev.vertlet.admission.CriticalPods;
import dev.vertlet.admission.NodeStrain;
import dev.vertlet.admission.Pressure;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.eviction.EvictionState;
import dev.vertlet.eviction.LocalStorage;
import dev.vertlet.eviction.Shortage;
import dev.vertlet.kubelet.image.NodeImages;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.pod.Disruption;
import dev.vertlet.kubelet.pod.Held;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.PodStates;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.kubelet.podworker.PodDriver;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.pod.ProviderContext;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the runtime periodically for the usage of nodes and their pods. Ends pods that exceed their
 * local storage limits, and evicts a pod of a node under pressure: one at a time, until it is gone
 * or its time is over. Runs on the core's loop. A runtime that measures nothing is asked once.
 */
public final class NodeEvictions {
  private static final Logger LOG = LoggerFactory.getLogger(NodeEvictions.class);

  /** The kubelet's evictionMonitoringPeriod. */
  private static final long PERIOD = 10_000;

  /** Limit of the wait for an evicted pod, and the period of checks (kubelet: the same). */
  private static final long PATIENCE = 30_000;

  private static final long LOOK = 1_000;

  private static final String THRESHOLD_MET = "EvictionThresholdMet";

  private final ContainerRuntime runtime;
  private final CoreMeters meters;
  private final CoreLoop loop;
  private final ProviderContext context;
  private final PodDriver driver;
  private final PodStates pods;
  private final Function<String, EvictionOptions> options;
  private final NodeImages images;
  private final Map<String, Node> nodes = new HashMap<>();
  private Consumer<String> changed = node -> {};
  private long timer = -1;
  private boolean over;

  /** State of one node. */
  private static final class Node {
    private final String name;
    private final EvictionOptions options;
    private final EvictionState state;

    /** Number of the newest usage request, and its time while unanswered; 0 when answered. */
    private int question;

    private long askedAt;

    /** The evicted pod while it has not gone; null for none. */
    private @Nullable PodState victim;

    private long victimUntil;

    /** Limit of the wait for the removal of images instead of a pod; 0 for none. */
    private long clearingUntil;

    /** Whether images were removed for the current shortage, and did not suffice. */
    private boolean cleared;

    Node(String name, EvictionOptions options) {
      this.name = name;
      this.options = options;
      this.state = new EvictionState(options);
    }
  }

  /**
   * @param pods of all nodes by UID
   * @param options of a node by its name
   * @param images removed before a pod is evicted for a lack of disk
   */
  public NodeEvictions(
      CoreEnv env,
      PodDriver driver,
      PodStates pods,
      Function<String, EvictionOptions> options,
      NodeImages images) {
    this.runtime = env.runtime();
    this.meters = env.meters();
    this.loop = env.loop();
    this.context = env.context();
    this.driver = driver;
    this.pods = pods;
    this.options = options;
    this.images = images;
  }

  /**
   * @param listener takes the name of a node whose {@link #conditions} have changed
   */
  public void listen(Consumer<String> listener) {
    changed = listener;
  }

  public void close() {
    over = true;
    nodes.clear();
    loop.cancelTimer(timer);
  }

  /** Watches a new node. */
  public void observed(String name) {
    if (over || nodes.containsKey(name)) {
      return;
    }
    // also for a node without thresholds: pods have limits of their own
    Node node = new Node(name, options.apply(name));
    nodes.put(name, node);
    if (timer < 0) {
      timer = loop.setTimer(PERIOD, this::tick);
    }
    ask(node);
  }

  /** Forgets a node that another agent serves from now on. */
  public void release(String name) {
    nodes.remove(name);
  }

  /** Returns the pressures that count in admission. */
  public NodeStrain strain(String name) {
    Set<Pressure> pressures = pressures(name);
    return pressures.isEmpty() ? NodeStrain.NONE : new NodeStrain(pressures, false);
  }

  private Set<Pressure> pressures(String name) {
    Node node = nodes.get(name);
    return node == null ? Set.of() : node.state.pressures();
  }

  /** Returns the node's pressure conditions. */
  public List<NodeConditionView> conditions(String name) {
    return pressures(name).stream()
        .sorted()
        .map(p -> new NodeConditionView(p.condition(), "True", p.reason(), p.message(), null, null))
        .toList();
  }

  private void tick() {
    timer = nodes.isEmpty() ? -1 : loop.setTimer(PERIOD, this::tick);
    long now = context.clock().millis();
    for (Node node : List.copyOf(nodes.values())) {
      // a request that hangs is given up after the time that an evicted pod has
      boolean waits = node.askedAt != 0 && now < node.askedAt + PATIENCE;
      if (!waits && node.victim == null && now >= node.clearingUntil) {
        ask(node);
      }
    }
  }

  private void ask(Node node) {
    int question = ++node.question;
    node.askedAt = context.clock().millis();
    meters
        .measure(RuntimeOperation.SANDBOX_STATS, () -> runtime.usage(node.name))
        .onComplete(
            answer ->
                loop.run(
                    () -> {
                      if (nodes.get(node.name) == node && node.question == question) {
                        node.askedAt = 0;
                        if (answer.succeeded()) {
                          look(node, answer.result());
                        } else {
                          failed(node, answer.cause());
                        }
                      }
                    }));
  }

  private void failed(Node node, Throwable failure) {
    if (ProviderException.kindOf(failure) == ProviderException.Kind.UNSUPPORTED) {
      close();
    } else {
      LOG.atDebug()
          .addKeyValue("node", node.name)
          .addKeyValue("error", failure.getMessage())
          .log("usage of the node is unknown");
    }
  }

  private void look(Node node, NodeUsage usage) {
    Set<Pressure> before = node.state.pressures();
    var shortage = node.state.observe(usage, context.clock().instant());
    Set<Pressure> after = node.state.pressures();
    if (!before.equals(after)) {
      for (Pressure pressure : EnumSet.allOf(Pressure.class)) {
        if (before.contains(pressure) != after.contains(pressure)) {
          String reason = pressure.event(after.contains(pressure));
          String message = "Node " + node.name + " status is now: " + reason;
          event(node, ObjectEvent.NORMAL, reason, message);
        }
      }
      changed.accept(node.name);
    }
    if (!endExcess(node, usage)) {
      shortage.ifPresentOrElse(found -> relieve(node, found), () -> node.cleared = false);
    }
  }

  /**
   * Ends all pods that exceed their local storage limits; returns whether there was one. Checks
   * only the measured pods: there may be thousands of nodes, with the pods of all in one map.
   */
  private boolean endExcess(Node node, NodeUsage usage) {
    boolean ended = false;
    for (Map.Entry<String, PodUsage> used : usage.pods().entrySet()) {
      Held held = pods.held(used.getKey());
      Optional<String> excess =
          held == null ? Optional.empty() : LocalStorage.excess(held.view(), used.getValue());
      PodState pod = excess.isEmpty() ? null : pods.get(used.getKey());
      if (pod != null
          && pod.life() == PodState.Life.SYNCING
          && pod.isOn(node.name)
          && pod.active()
          && !CriticalPods.critical(pod.view())) {
        endExcess(node, pod, excess.get());
        ended = true;
      }
    }
    return ended;
  }

  private void endExcess(Node node, PodState pod, String message) {
    logged(node, pod, message);
    driver.disrupt(pod, new Disruption(Shortage.REASON, message, null, true), Shortage.AT_ONCE);
  }

  private static void logged(Node node, PodState pod, String message) {
    LOG.atInfo()
        .addKeyValue("node", node.name)
        .addKeyValue("namespace", pod.view().namespace())
        .addKeyValue("pod", pod.view().name())
        .log("evicting a pod: " + message);
  }

  private void relieve(Node node, Shortage shortage) {
    if (node.cleared) {
      node.cleared = false;
      evictOne(node, shortage);
      return;
    }
    event(node, ObjectEvent.WARNING, THRESHOLD_MET, "Attempting to reclaim " + shortage.resource());
    if (!shortage.ofImages()) {
      evictOne(node, shortage);
      return;
    }
    long until = context.clock().millis() + PATIENCE;
    node.clearingUntil = until;
    images
        .clear(node.name)
        .onComplete(
            freed -> {
              if (nodes.get(node.name) != node || node.clearingUntil != until) {
                return;
              }
              node.clearingUntil = 0;
              if (freed.result() > 0) {
                node.cleared = true;
                ask(node);
              } else {
                evictOne(node, shortage);
              }
            });
  }

  private void evictOne(Node node, Shortage shortage) {
    pods.of(node.name).stream()
        .filter(pod -> pod.isOn(node.name) && pod.active() && !CriticalPods.critical(pod.view()))
        .min(Comparator.comparing(pod -> pod.view(), shortage.order()))
        .ifPresent(pod -> evict(node, pod, shortage));
  }

  private void evict(Node node, PodState pod, Shortage shortage) {
    String message = shortage.message(pod.view());
    logged(node, pod, message);
    node.victim = pod;
    node.victimUntil = context.clock().millis() + PATIENCE;
    Disruption why = new Disruption(Shortage.REASON, message, message, true);
    driver.disrupt(pod, why, shortage.grace(pod.view(), node.options));
    await(node);
  }

  private void await(Node node) {
    loop.setTimer(
        LOOK,
        () -> {
          PodState victim = node.victim;
          if (nodes.get(node.name) != node || victim == null) {
            return;
          }
          boolean gone = victim.finished() || victim.forgotten();
          if (gone || context.clock().millis() >= node.victimUntil) {
            node.victim = null;
            ask(node);
          } else {
            await(node);
          }
        });
  }

  private void event(Node node, String type, String reason, String message) {
    context.event(
        new ObjectEvent("Node", "", node.name, node.name, "", type, reason, message, node.name));
  }
}
