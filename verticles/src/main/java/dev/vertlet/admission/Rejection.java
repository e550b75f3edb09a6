package dev.vertlet.admission;

import java.util.List;

/**
 * Why a pod may not run on its node.
 *
 * @param reason as {@code status.reason} and the event have it, for example {@code OutOfcpu}
 * @param message as the event has it
 * @param onlyLabels whether labels of the node are all that is wrong: they may have changed since
 * @param lacks what the node has too little of, where nothing else is wrong or that counts first
 */
public record Rejection(String reason, String message, boolean onlyLabels, List<Lack> lacks) {
  public Rejection {
    lacks = List.copyOf(lacks);
  }

  /** One that no room would change. */
  public Rejection(String reason, String message, boolean onlyLabels) {
    this(reason, message, onlyLabels, List.of());
  }

  /**
   * @param amount that is missing: thousandths of a CPU, whole units of all else
   */
  public record Lack(String resource, long amount) {}

  /** As {@code status.message} has it. */
  public String statusMessage() {
    return "Pod was rejected: " + message;
  }
}
