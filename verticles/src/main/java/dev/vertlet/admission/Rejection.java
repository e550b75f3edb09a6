package dev.vertlet.admission;

/**
 * Why a pod may not run on its node.
 *
 * @param reason as {@code status.reason} and the event have it, for example {@code OutOfcpu}
 * @param message as the event has it
 * @param onlyLabels whether labels of the node are all that is wrong: they may have changed since
 */
public record Rejection(String reason, String message, boolean onlyLabels) {
  /** As {@code status.message} has it. */
  public String statusMessage() {
    return "Pod was rejected: " + message;
  }
}
