package dev.vertlet.harness.replay.cluster;

import static dev.vertlet.harness.replay.report.PodTimes.NEVER;

import dev.vertlet.harness.replay.plan.ReplayLabels;
import dev.vertlet.harness.replay.report.Demand;
import dev.vertlet.harness.replay.report.NodeGroups;
import dev.vertlet.harness.replay.report.NodeTimes;
import dev.vertlet.harness.replay.report.PodTimes;
import dev.vertlet.harness.replay.report.RunTimes;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.PodPhase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What was seen of a replay's pods and nodes. All times are real milliseconds since the start of
 * the replay. Not thread-safe.
 */
final class Sightings {
  private static final double MILLI = 1_000;

  private final Map<String, Seen> pods = new LinkedHashMap<>();
  private final Map<String, Set<Seen>> byNode = new HashMap<>();
  private final List<NodeTimes> leftNodes = new ArrayList<>();
  private final Map<String, NodeTimes> nodes = new LinkedHashMap<>();
  private final Set<String> readyNodes = new HashSet<>();
  private int running;

  /** Moments of one pod. */
  private static final class Seen {
    final String name;
    final String workload;
    final Demand demand;
    final long created;
    String node = "";
    long scheduled = NEVER;
    long started = NEVER;
    long ready = NEVER;
    long ended = NEVER;
    boolean evicted;

    Seen(String name, String workload, Demand demand, long created) {
      this.name = name;
      this.workload = workload;
      this.demand = demand;
      this.created = created;
    }

    boolean follow(PodView pod, long now) {
      boolean bound = false;
      if (scheduled == NEVER && !pod.nodeName().isEmpty()) {
        node = pod.nodeName();
        scheduled = now;
        bound = true;
      }
      PodPhase phase = pod.status().phase();
      if (started == NEVER && (phase == PodPhase.RUNNING || phase.terminal())) {
        started = now;
      }
      ConditionView condition = pod.status().condition("Ready");
      if (ready == NEVER && condition != null && condition.status().equals("True")) {
        ready = now;
      }
      if (ended == NEVER && phase.terminal()) {
        ended = now;
      }
      return bound;
    }

    /** 1 for a pod that runs, else 0. */
    int running() {
      return started != NEVER && ended == NEVER ? 1 : 0;
    }

    PodTimes times(boolean initial) {
      return new PodTimes(
          name,
          workload,
          node,
          demand,
          initial,
          new PodTimes.Moments(created, scheduled, started, ready, ended));
    }
  }

  private final Function<String, String> workloads;

  /**
   * @param workloads name of a workload for the value of {@link ReplayLabels#TEMPLATE} or {@link
   *     ReplayLabels#LIFE}, which begins with {@code #}
   */
  Sightings(Function<String, String> workloads) {
    this.workloads = workloads;
  }

  void pod(PodView pod, long now) {
    Seen seen =
        pods.computeIfAbsent(
            pod.uid(),
            uid -> new Seen(pod.namespace() + "/" + pod.name(), workloadOf(pod), demand(pod), now));
    running -= seen.running();
    if (seen.follow(pod, now)) {
      byNode.computeIfAbsent(seen.node, node -> new LinkedHashSet<>()).add(seen);
    }
    running += seen.running();
  }

  private String workloadOf(PodView pod) {
    String life = pod.annotations().get(ReplayLabels.LIFE);
    return workloads.apply(
        life == null ? pod.annotations().getOrDefault(ReplayLabels.TEMPLATE, "") : "#" + life);
  }

  private static Demand demand(PodView pod) {
    Demand sum = Demand.NONE;
    for (ContainerView container : pod.spec().containers()) {
      sum = sum.plus(demand(container.resources().requests()));
    }
    return sum;
  }

  private static Demand demand(Map<String, String> quantities) {
    return new Demand(
        Quantities.milli(quantities.getOrDefault("cpu", "0")) / MILLI,
        Quantities.units(quantities.getOrDefault("memory", "0")));
  }

  void podGone(String uid, long now) {
    Seen seen = pods.get(uid);
    if (seen == null) {
      return;
    }
    running -= seen.running();
    if (seen.ended == NEVER) {
      seen.ended = now;
    }
    Set<Seen> others = byNode.get(seen.node);
    if (others != null) {
      others.remove(seen);
    }
  }

  /**
   * @param now 0 or less before the replay's start
   */
  void node(NodeView node, long now) {
    NodeConditionView ready = node.status().condition("Ready");
    if (ready != null && ready.status().equals("True")) {
      readyNodes.add(node.name());
    } else {
      readyNodes.remove(node.name());
    }
    nodes.computeIfAbsent(
        node.name(),
        name -> {
          Demand allocatable = demand(node.status().allocatable());
          return new NodeTimes(
              name,
              NodeGroups.of(node.labels(), allocatable),
              allocatable,
              Math.max(0, now),
              NEVER);
        });
  }

  void nodeGone(String name, long now) {
    readyNodes.remove(name);
    NodeTimes node = nodes.remove(name);
    if (node != null) {
      leftNodes.add(new NodeTimes(node.name(), node.group(), node.allocatable(), node.came(), now));
    }
  }

  /** Number of nodes that are Ready now. */
  int readyNodes() {
    return readyNodes.size();
  }

  /** Number of pods that run now. */
  int running() {
    return running;
  }

  /** Pods on a node that are there now, as {@code namespace/name}. */
  List<String> podsOn(String node) {
    return byNode.getOrDefault(node, Set.of()).stream().map(seen -> seen.name).toList();
  }

  /**
   * Chooses a pod that is to be deleted from a node, and does not choose it again.
   *
   * @param workload as the constructor's function names it
   * @return {@code namespace/name}; empty if the node has none that lives and was not chosen
   */
  Optional<String> evict(String node, String workload) {
    for (Seen seen : byNode.getOrDefault(node, Set.of())) {
      if (!seen.evicted && seen.ended == NEVER && seen.workload.equals(workload)) {
        seen.evicted = true;
        return Optional.of(seen.name);
      }
    }
    return Optional.empty();
  }

  /** Number of pods so far. */
  int pods() {
    return pods.size();
  }

  /**
   * All that was seen.
   *
   * @param initial whether the pod with a UID plays one that is older than the recording
   * @param millis real length of the replay
   */
  RunTimes times(Predicate<String> initial, long millis) {
    List<PodTimes> all = new ArrayList<>();
    pods.forEach((uid, seen) -> all.add(seen.times(initial.test(uid))));
    List<NodeTimes> both = new ArrayList<>(leftNodes);
    both.addAll(nodes.values());
    return new RunTimes(all, both, millis);
  }
}
