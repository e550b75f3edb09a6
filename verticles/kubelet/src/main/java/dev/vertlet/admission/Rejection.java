package dev.vertlet.admission;

import java.util.List;

/**
 * Why a pod may not run on its node.
 *
 * @param reason in {@code status.reason} and the event, for example {@code OutOfcpu}
 * @param message in the event
 * @param onlyLabels whether only the node's labels do not match: they may have changed since
 * @param lacks insufficient resources, if they are the only reason or the first one
 */
public record Rejection(String reason, String message, boolean onlyLabels, List<Lack> lacks) {
  public Rejection {
    lacks = List.copyOf(lacks);
  }

  /** Creates a rejection that free resources would not change. */
  public Rejection(String reason, String message, boolean onlyLabels) {
    this(reason, message, onlyLabels, List.of());
  }

  /**
   * An insufficient resource.
   *
   * @param amount missing amount: thousandths of a CPU, whole units of other resources
   */
  public record Lack(String resource, long amount) {}

  /** Text of {@code status.message}. */
  public String statusMessage() {
    return "Pod was rejected: " + message;
  }
}
