package dev.vertlet.apiserver;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which parts of a control plane run beside the API server. Immutable.
 *
 * @param enabled the controllers that run
 * @param nodeGrace without a renewed Lease and a new heartbeat after which a node is Unknown
 * @param podGcDelay from the end of a Node object to the removal of its pods
 * @param eventTtl from the last write of an Event to its removal
 */
public record ControllerOptions(
    Set<Controller> enabled, Duration nodeGrace, Duration podGcDelay, Duration eventTtl) {
  /** A controller that can be switched off. */
  public enum Controller {
    /** Empties namespaces that are deleted. */
    NAMESPACE,
    /** Puts the ServiceAccount {@code default} and the root CA into namespaces. */
    NAMESPACE_DEFAULTS,
    /** Deletes what has lost its owners. */
    GARBAGE_COLLECTOR,
    /** Binds pods. */
    SCHEDULER,
    /** Keeps the status of PodDisruptionBudgets. */
    DISRUPTION,
    /** Watches Leases and heartbeats, taints nodes. */
    NODE_LIFECYCLE,
    /** Deletes pods that do not tolerate a {@code NoExecute} taint. */
    TAINT_EVICTION,
    /** Removes pods of nodes that do not exist. */
    POD_GC,
    /** Removes Events after a while. */
    EVENT_EXPIRY
  }

  /** What kubelets are granted, four leases' renewals. */
  private static final Duration NODE_GRACE = Duration.ofSeconds(40);

  private static final Duration POD_GC_DELAY = Duration.ofSeconds(10);

  /** The real server's default. */
  private static final Duration EVENT_TTL = Duration.ofHours(1);

  public ControllerOptions {
    enabled = Set.copyOf(enabled);
    if (nodeGrace.isNegative() || nodeGrace.isZero()) {
      throw new IllegalArgumentException("nodeGrace must be positive, got " + nodeGrace);
    } else if (podGcDelay.isNegative()) {
      throw new IllegalArgumentException("podGcDelay must not be negative, got " + podGcDelay);
    } else if (eventTtl.isNegative() || eventTtl.isZero()) {
      throw new IllegalArgumentException("eventTtl must be positive, got " + eventTtl);
    }
  }

  /** A bare API server, for tests that play the control plane themselves; namespaces do empty. */
  public static ControllerOptions minimal() {
    return new ControllerOptions(
        EnumSet.of(Controller.NAMESPACE), NODE_GRACE, POD_GC_DELAY, EVENT_TTL);
  }

  /** Everything, for demos. */
  public static ControllerOptions all() {
    return new ControllerOptions(
        EnumSet.allOf(Controller.class), NODE_GRACE, POD_GC_DELAY, EVENT_TTL);
  }

  /** The same without these. */
  public ControllerOptions without(Controller... controllers) {
    EnumSet<Controller> left = EnumSet.noneOf(Controller.class);
    left.addAll(enabled);
    left.removeAll(Arrays.asList(controllers));
    return new ControllerOptions(left, nodeGrace, podGcDelay, eventTtl);
  }

  public ControllerOptions withNodeGrace(Duration grace) {
    return new ControllerOptions(enabled, grace, podGcDelay, eventTtl);
  }

  public ControllerOptions withPodGcDelay(Duration delay) {
    return new ControllerOptions(enabled, nodeGrace, delay, eventTtl);
  }

  public ControllerOptions withEventTtl(Duration ttl) {
    return new ControllerOptions(enabled, nodeGrace, podGcDelay, ttl);
  }

  boolean runs(Controller controller) {
    return enabled.contains(controller);
  }
}
