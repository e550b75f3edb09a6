package dev.vertlet.page;

import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.bus.NodeConfigStatusChanged;
import dev.vertlet.bus.NodePinged;
import dev.vertlet.bus.NodePodCounts;
import dev.vertlet.bus.NodeRegistered;
import dev.vertlet.bus.NodeReleased;
import dev.vertlet.bus.NodeStatusChanged;
import dev.vertlet.bus.NodesAssigned;
import dev.vertlet.bus.PodStats;
import dev.vertlet.bus.PodTimeline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Data of the page. Uses no clock: times are parameters, in milliseconds since 1970. Its size
 * depends only on the node names and the limits in this class, however many pods come and go.
 */
final class PageModel {
  /** Age at which an unfinished pod start or end counts as slow. */
  private static final long SLOW_MILLIS = 2_000;

  private final String identity;

  /** Nodes by name, including nodes that messages name and the configuration does not. */
  private final Map<String, NodeLine> nodes = new TreeMap<>(NaturalOrder.INSTANCE);

  /** Latest message of each shard, without nodes and timelines. */
  private final Map<Integer, PodStats> shards = new HashMap<>();

  private final RecentLatency starts = new RecentLatency();
  private final RecentLatency ends = new RecentLatency();
  private final PerSecond started = new PerSecond();
  private final PerSecond gone = new PerSecond();
  private final SlowPods slowStarts = new SlowPods();
  private final SlowPods slowEnds = new SlowPods();
  private final Map<Integer, List<SlowPod>> underWay = new HashMap<>();

  /**
   * @param names names of the configured nodes
   * @param identity identity of this agent
   */
  PageModel(Collection<String> names, String identity) {
    this.identity = identity;
    names.forEach(name -> nodes.put(name, new NodeLine(name)));
  }

  /** Updates a node. A late message about a released node is ignored. */
  private void with(String node, Consumer<NodeLine> action) {
    NodeLine line = nodes.get(node);
    if (line != null) {
      action.accept(line);
    }
  }

  void on(NodeAdopted message) {
    nodes.computeIfAbsent(message.node(), NodeLine::new);
  }

  void on(NodeReleased message) {
    nodes.remove(message.node());
  }

  void on(NodeRegistered message) {
    with(message.node(), NodeLine::registered);
  }

  void on(NodeStatusChanged message) {
    with(message.node(), line -> line.ready(message.ready(), message.message()));
  }

  void on(NodePinged message) {
    String silent =
        message.message().isEmpty() ? "its provider does not answer" : message.message();
    with(message.node(), line -> line.pinged(message.ok() ? "" : silent));
  }

  void on(LeaseAcquired message, long now) {
    with(message.node(), line -> line.leased(now));
  }

  void on(LeaseLost message, long now) {
    with(message.node(), line -> line.lost(message.reason(), now));
  }

  void on(NodesAssigned message) {
    nodes
        .values()
        .forEach(
            node -> {
              String owner = message.owners().getOrDefault(node.name(), "");
              node.assigned(owner, !owner.equals(identity));
            });
  }

  void on(NodeConfigStatusChanged message, long now) {
    with(message.node(), line -> line.config(message, now));
  }

  /**
   * @param nanos monotonic time of the same instant as {@code now}
   */
  void on(PodStats message, long now, long nanos) {
    message.nodes().forEach(pods -> with(pods.node(), line -> line.pods(pods)));
    long second = now / 1_000;
    started.add(second, message.started());
    gone.add(second, message.gone());
    for (PodTimeline way : message.over()) {
      (way.ending() ? ends : starts).record(second, way.took() / 1_000);
      (way.ending() ? slowEnds : slowStarts).add(SlowPod.of(way, now, nanos), now);
    }
    underWay.put(
        message.shard(),
        message.underWay().stream().map(way -> SlowPod.of(way, now, nanos)).toList());
    shards.put(
        message.shard(),
        new PodStats(
            message.shard(),
            List.of(),
            List.of(),
            List.of(),
            0,
            0,
            message.starting(),
            message.ending(),
            message.writes()));
  }

  int size() {
    return nodes.size();
  }

  /** Returns a node; null for an unknown name. */
  @Nullable NodeLine node(String name) {
    return nodes.get(name);
  }

  /** Returns the sum over all nodes. */
  NodePodCounts pods() {
    int[] sums = new int[7];
    for (NodeLine node : nodes.values()) {
      NodePodCounts pods = node.pods();
      sums[0] += pods.pending();
      sums[1] += pods.running();
      sums[2] += pods.succeeded();
      sums[3] += pods.failed();
      sums[4] += pods.unknown();
      sums[5] += pods.ready();
      sums[6] += pods.ending();
    }
    return new NodePodCounts("", sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6]);
  }

  Map<NodeLine.State, Integer> states() {
    Map<NodeLine.State, Integer> states = new EnumMap<>(NodeLine.State.class);
    for (NodeLine.State state : NodeLine.State.values()) {
      states.put(state, 0);
    }
    nodes.values().forEach(node -> states.merge(node.state(), 1, Integer::sum));
    return states;
  }

  int leased() {
    return (int) nodes.values().stream().filter(NodeLine::leased).count();
  }

  /** Returns nodes whose Lease was lost, by name. */
  List<NodeLine> lost(int most) {
    return nodes.values().stream()
        .filter(node -> node.state() == NodeLine.State.LOST)
        .limit(most)
        .toList();
  }

  int configured() {
    return (int) nodes.values().stream().filter(node -> node.config() != null).count();
  }

  int configErrors() {
    return (int) nodes.values().stream().filter(NodeLine::configError).count();
  }

  /** Returns the number of pods that are known and not yet Ready. */
  int starting() {
    return sum(PodStats::starting);
  }

  /** Returns the number of pods that are deleted and not yet gone. */
  int ending() {
    return sum(PodStats::ending);
  }

  /** Returns the number of statuses that wait to be written. */
  int writes() {
    return sum(PodStats::writes);
  }

  private int sum(ToIntFunction<PodStats> what) {
    return shards.values().stream().mapToInt(what).sum();
  }

  RecentLatency starts() {
    return starts;
  }

  RecentLatency ends() {
    return ends;
  }

  PerSecond started() {
    return started;
  }

  PerSecond gone() {
    return gone;
  }

  /** Returns the recently slowest pods: first the unfinished ones, oldest first. */
  List<SlowPod> slow(boolean ending, long now) {
    List<SlowPod> slow = new ArrayList<>();
    underWay.values().forEach(slow::addAll);
    slow.removeIf(pod -> pod.way().ending() != ending || now - pod.seen() < SLOW_MILLIS);
    slow.sort(Comparator.comparingLong(SlowPod::seen));
    slow.addAll((ending ? slowEnds : slowStarts).list(now));
    return slow.subList(0, Math.min(SlowPods.MOST, slow.size()));
  }

  /**
   * Rows of one page.
   *
   * @param matches number of matching nodes on all pages
   * @param page requested page, or the last one
   */
  record Rows(List<NodeLine> nodes, int matches, int page) {}

  Rows rows(NodeQuery query) {
    List<NodeLine> found = new ArrayList<>();
    for (NodeLine node : nodes.values()) {
      if (query.matches(node)) {
        found.add(node);
      }
    }
    if (!query.byName()) {
      found.sort(query.order());
    }
    int last = Math.max(0, (found.size() - 1) / NodeQuery.ROWS);
    int page = Math.min(query.page(), last);
    int from = page * NodeQuery.ROWS;
    return new Rows(
        List.copyOf(found.subList(from, Math.min(found.size(), from + NodeQuery.ROWS))),
        found.size(),
        page);
  }
}
