package dev.vertlet.sandbox;

import org.jspecify.annotations.Nullable;

/**
 * An operation on a sandbox was refused. The texts are agentbox's, which its users match on. Has no
 * stack trace: it is an expected outcome.
 */
public final class SandboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    NO_CONTAINERS("pod has no containers"),
    CONTAINER_NOT_FOUND("container not found in pod"),
    UNEXPECTED_PHASE("pod phase does not match expected value"),
    NO_IDLE_PODS("no idle sandboxes available for creating"),
    IMAGE_REQUIRED("target image is required"),
    /** The pod is not Running, so nothing can be started in it now. */
    NOT_RUNNING("pod is not running"),
    INVALID_OPTION("option is not allowed"),
    /** The annotation with the state is no JSON of its form. */
    UNREADABLE_STATE("in-place update state is not readable"),
    /** As many claims wait as a pool lets wait. */
    QUEUE_FULL("too many claims are waiting"),
    /** The pod, the claim or the pool is not there. */
    NOT_FOUND("not found");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** What its message begins with, or ends with. */
    public String text() {
      return text;
    }
  }

  private final Reason reason;

  public SandboxException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public SandboxException(Reason reason) {
    this(reason, reason.text());
  }

  public Reason reason() {
    return reason;
  }

  /** Whether it is this refusal. */
  public static boolean is(@Nullable Throwable failure, Reason reason) {
    return failure instanceof SandboxException e && e.reason == reason;
  }
}
