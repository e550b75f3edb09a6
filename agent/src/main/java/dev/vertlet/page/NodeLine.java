package dev.vertlet.page;

import dev.vertlet.bus.NodeConfigStood;
import dev.vertlet.bus.NodePods;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of one node. Pure. */
final class NodeLine {
  /** What a node was configured by before is kept for so many changes. */
  static final int HISTORY = 10;

  /** How it stands with a node, in the order of how much it wants looking at. */
  enum State {
    /** This agent had its lease, and has it no longer. */
    LOST,
    /** It is served, and is not Ready, or its provider does not answer. */
    UNWELL,
    /** Its object, or its lease, is not there yet. */
    WAITING,
    /** It is served, and Ready. */
    READY,
    /** Another agent serves it. */
    ELSEWHERE
  }

  /**
   * How it stood with its config.
   *
   * @param since milliseconds since 1970
   */
  record ConfigAt(long since, NodeConfigStood config) {}

  private final String name;
  private NodePods pods;
  private boolean registered;
  private @Nullable Boolean ready;
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
    this.pods = new NodePods(name, 0, 0, 0, 0, 0, 0, 0);
  }

  String name() {
    return name;
  }

  NodePods pods() {
    return pods;
  }

  void pods(NodePods now) {
    pods = now;
  }

  void registered() {
    registered = true;
  }

  void ready(boolean now) {
    ready = now;
  }

  /**
   * @param failure empty when it answers
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
   * @param identity of the agent that shall serve it; empty for none
   */
  void assigned(String identity, boolean toAnother) {
    owner = identity;
    elsewhere = toAnother;
  }

  void config(NodeConfigStood now, long millis) {
    configs.addFirst(new ConfigAt(millis, now));
    if (configs.size() > HISTORY) {
      configs.removeLast();
    }
  }

  boolean leased() {
    return leased;
  }

  /** Since when it is as it is with its lease, milliseconds since 1970; 0 when it never changed. */
  long leaseSince() {
    return leaseSince;
  }

  /** Empty where nobody else may have configured it. */
  List<ConfigAt> configs() {
    return List.copyOf(configs);
  }

  /** Null where the cluster configures no nodes. */
  @Nullable NodeConfigStood config() {
    ConfigAt newest = configs.peekFirst();
    return newest == null ? null : newest.config();
  }

  boolean configError() {
    NodeConfigStood now = config();
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

  /** Why it is not ready; empty when it is. */
  String reason() {
    return switch (state()) {
      case READY -> "";
      case ELSEWHERE -> owner.isEmpty() ? "no agent has it" : "agent " + owner;
      case LOST -> lease;
      case UNWELL -> ping.isEmpty() ? "its condition Ready is not True" : ping;
      case WAITING ->
          !registered
              ? "its object is not registered yet"
              : leased ? "its condition Ready is not written yet" : "lease: " + lease;
    };
  }
}
