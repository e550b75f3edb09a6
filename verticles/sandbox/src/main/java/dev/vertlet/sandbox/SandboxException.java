package dev.vertlet.sandbox;

import org.jspecify.annotations.Nullable;

/**
 * An operation on a sandbox was refused. The messages are agentbox's, which its users match. Has no
 * stack trace: it is an expected outcome.
 */
public final class SandboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Reason of a refusal. */
  public enum Reason {
    NO_CONTAINERS("pod has no containers"),
    CONTAINER_NOT_FOUND("container not found in pod"),
    UNEXPECTED_PHASE("pod phase does not match expected value"),
    NO_IDLE_PODS("no idle sandboxes available for creating"),
    IMAGE_REQUIRED("target image is required"),
    /** The pod is not Running, so no image can be started in it. */
    NOT_RUNNING("pod is not running"),
    INVALID_OPTION("option is not allowed"),
    /** The state annotation is not valid JSON of its form. */
    UNREADABLE_STATE("in-place update state is not readable"),
    /** The pool's queue of claims is full. */
    QUEUE_FULL("too many claims are waiting"),
    /** The pod, the claim or the pool does not exist. */
    NOT_FOUND("not found");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** Text at the beginning or the end of the message. */
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

  /** Whether a failure is a refusal for this reason. */
  public static boolean is(@Nullable Throwable failure, Reason reason) {
    return failure instanceof SandboxException e && e.reason == reason;
  }
}
