package dev.vertlet.sandbox;

import dev.vertlet.model.Names;
import java.util.List;

/**
 * Keys of the labels and annotations of sandbox pods, which all their clients share. They are
 * agentbox's, as is the prefix unless another one is configured.
 *
 * @param prefix a DNS name and a slash
 */
public record SandboxNames(String prefix) {
  /** Names on pods of clusters that run agentbox. */
  public static final SandboxNames AGENTBOX = new SandboxNames("agentbox.navix.sh/");

  /** Value of {@link #managedBy()} while a pod is claimed. */
  public static final String MANAGER = "sandbox-api-server";

  /**
   * Validates the prefix.
   *
   * @throws IllegalArgumentException naming the prefix and what is allowed
   */
  public SandboxNames {
    String domain = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    if (!prefix.endsWith("/") || Names.checkSubdomain(domain).isPresent()) {
      throw new IllegalArgumentException(
          "\"" + prefix + "\" must be a DNS name and a slash, such as \"sandbox.example.com/\"");
    }
  }

  /** Annotation: the update in progress, or the last one, as JSON. */
  public String state() {
    return prefix + "inplace-update-state";
  }

  /** Label: one of {@link SandboxPhases}. */
  public String phase() {
    return prefix + "sandbox-phase";
  }

  /** Label: the pool a pod belongs to. */
  public String pool() {
    return prefix + "sandbox-pool";
  }

  /** Label and annotation: id of the claim that a pod serves. */
  public String id() {
    return prefix + "sandbox-id";
  }

  /** Label: {@link #MANAGER} while a pod is claimed. */
  public String managedBy() {
    return prefix + "managed-by";
  }

  /** Label: hash of the pod's template; idle pods of other templates are replaced. */
  public String templateHash() {
    return prefix + "template-hash";
  }

  public String claimedAt() {
    return prefix + "claimed-at";
  }

  public String startedAt() {
    return prefix + "started-at";
  }

  public String lastActive() {
    return prefix + "last-active";
  }

  /** Annotation: seconds without activity after which the pod is released. */
  public String idleTimeout() {
    return prefix + "idle-timeout";
  }

  /** Annotation: seconds after which a start is cancelled. */
  public String startupTimeout() {
    return prefix + "startup-timeout";
  }

  public String stopReason() {
    return prefix + "stop-reason";
  }

  public String terminatedAt() {
    return prefix + "terminated-at";
  }

  public String failureReason() {
    return prefix + "failure-reason";
  }

  public String failureMessage() {
    return prefix + "failure-message";
  }

  public String exitCode() {
    return prefix + "exit-code";
  }

  public String runningImages() {
    return prefix + "running-images";
  }

  public String containerId() {
    return prefix + "container-id";
  }

  /** Annotation: JSON list of the labels that a claim added. */
  public String managedLabels() {
    return prefix + "managed-label-keys";
  }

  /** Annotation: JSON list of the annotations that a claim added. */
  public String managedAnnotations() {
    return prefix + "managed-annotation-keys";
  }

  /** Annotation: excludes a pod from claims; a claim that gets the pod nevertheless removes it. */
  public String scaleDownProtected() {
    return prefix + "scale-down-protected";
  }

  /** Finalizer: a claimed pod does not vanish without a record. */
  public String finalizer() {
    return prefix + "sandbox-protection";
  }

  /** Annotations of one claim, which are removed when the pod is idle again. */
  List<String> lifecycleAnnotations() {
    return List.of(
        id(),
        claimedAt(),
        startedAt(),
        lastActive(),
        idleTimeout(),
        startupTimeout(),
        stopReason(),
        terminatedAt(),
        failureReason(),
        failureMessage(),
        exitCode(),
        runningImages(),
        containerId(),
        managedLabels(),
        managedAnnotations());
  }
}
