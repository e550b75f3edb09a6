package dev.vertlet.page;

import dev.vertlet.bus.NodeConfigStatusChanged;
import dev.vertlet.bus.NodePodCounts;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** State of one node on the page. Uses no clock. */
final class NodeLine {
  /** Most config changes that are kept per node. */
  static final int HISTORY = 10;

  private static final String NOT_TRUE = "its condition Ready is not True";

  /** State of a node, most urgent first. */
  enum State {
    /** This agent had the node's Lease and lost it. */
    LOST,
    /** Served, but not Ready, or the provider does not respond. */
    UNWELL,
    /** The Node object or its Lease does not exist yet. */
    WAITING,
    /** Served and Ready. */
    READY,
    /** Served by another agent. */
    ELSEWHERE
  }

  /**
   * Config status at a time.
   *
   * @param since milliseconds since 1970
   */
  record ConfigAt(long since, NodeConfigStatusChanged config) {}

  private final String name;
  private NodePodCounts pods;
  private boolean registered;
  private @Nullable Boolean ready;
  private String message = "";
  private String ping = "";
  private boolean leased;
  private boolean hadLease;
  private String lease = "not acquired yet";
  private long leaseSince;
  private String owner = "";
  private boolean elsewhere;
  private final Deque<ConfigAt> configs = new ArrayDeque<>();

  NodeLine(String name) {
    this.name = name;
    this.pods = new NodePodCounts(name, 0, 0, 0, 0, 0, 0, 0);
  }

  String name() {
    return name;
  }

  NodePodCounts pods() {
    return pods;
  }

  void pods(NodePodCounts now) {
    pods = now;
  }

  void registered() {
    registered = true;
  }

  /**
   * @param why message of the Ready condition that is not True; empty for none
   */
  void ready(boolean now, String why) {
    ready = now;
    message = why;
  }

  /**
   * @param failure empty for a successful ping
   */
  void pinged(String failure) {
    ping = failure;
  }

  void leased(long now) {
    leased = true;
    hadLease = true;
    lease = "";
    leaseSince = now;
  }

  void lost(String reason, long now) {
    if (leased || !lease.equals(reason)) {
      leaseSince = now;
    }
    leased = false;
    lease = reason;
  }

  /**
   * @param identity identity of the node's agent; empty for none
   */
  void assigned(String identity, boolean toAnother) {
    owner = identity;
    elsewhere = toAnother;
  }

  void config(NodeConfigStatusChanged now, long millis) {
    configs.addFirst(new ConfigAt(millis, now));
    if (configs.size() > HISTORY) {
      configs.removeLast();
    }
  }

  boolean leased() {
    return leased;
  }

  /** Returns the time of the last Lease change, milliseconds since 1970; 0 for none. */
  long leaseSince() {
    return leaseSince;
  }

  /** Returns the config changes; empty without dynamic configuration. */
  List<ConfigAt> configs() {
    return List.copyOf(configs);
  }

  /** Returns the config status; null without dynamic configuration. */
  @Nullable NodeConfigStatusChanged config() {
    ConfigAt newest = configs.peekFirst();
    return newest == null ? null : newest.config();
  }

  boolean configError() {
    NodeConfigStatusChanged now = config();
    return now != null && !now.error().isEmpty();
  }

  State state() {
    if (elsewhere && !leased) {
      return State.ELSEWHERE;
    }
    if (!leased && hadLease) {
      return State.LOST;
    }
    if (!ping.isEmpty() || (leased && Boolean.FALSE.equals(ready))) {
      return State.UNWELL;
    }
    return leased && registered && ready != null ? State.READY : State.WAITING;
  }

  /** Returns why the node is not ready; empty when it is. */
  String reason() {
    return switch (state()) {
      case READY -> "";
      case ELSEWHERE -> owner.isEmpty() ? "no agent has it" : "agent " + owner;
      case LOST -> lease;
      case UNWELL -> !ping.isEmpty() ? ping : message.isEmpty() ? NOT_TRUE : message;
      case WAITING ->
          !registered
              ? "its object is not registered yet"
              : leased ? "its condition Ready is not written yet" : "lease: " + lease;
    };
  }
}
