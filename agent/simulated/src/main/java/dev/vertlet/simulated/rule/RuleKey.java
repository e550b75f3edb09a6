package dev.vertlet.simulated.rule;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** One setting of a container in a rule or annotation. */
public enum RuleKey {
  SANDBOX_DELAY("sandbox-delay", "sandboxDelay"),
  PULL_DELAY("pull-delay", "pullDelay"),
  START_DELAY("start-delay", "startDelay"),
  READY_DELAY("ready-delay", "readyDelay"),
  RUN_FOR("run-for", "runFor"),
  EXIT_CODE("exit-code", "exitCode"),
  OOM_AFTER("oom-after", "oomAfter"),
  STOP_DELAY("stop-delay", "stopDelay"),
  KILL_DELAY("kill-delay", "killDelay"),
  SANDBOX_ERROR("sandbox-error", "sandboxError"),
  PULL_ERROR("pull-error", "pullError"),
  START_ERROR("start-error", "startError"),
  RESIZE_DELAY("resize-delay", "resizeDelay"),
  RESIZE_ERROR("resize-error", "resizeError"),
  STARTUP_PROBE("startup-probe", "startupProbe"),
  LIVENESS_PROBE("liveness-probe", "livenessProbe"),
  READINESS_PROBE("readiness-probe", "readinessProbe"),
  POST_START("post-start", "postStart"),
  PRE_STOP("pre-stop", "preStop"),
  CPU_USAGE("cpu-usage", "cpuUsage"),
  MEMORY_USAGE("memory-usage", "memoryUsage"),
  STORAGE_USAGE("storage-usage", "storageUsage"),
  LOG_RATE("log-rate", "logRate"),
  LOG_LINE("log-line", "logLine"),
  LOG_ERROR_EVERY("log-error-every", "logErrorEvery"),
  TERMINATION_MESSAGE("termination-message", "terminationMessage"),
  PORTS("ports", "ports");

  private final String key;
  private final String field;

  RuleKey(String key, String field) {
    this.key = key;
    this.field = field;
  }

  /** Returns the spelling in annotations, for example {@code run-for}. */
  public String key() {
    return key;
  }

  /** Returns the spelling in a rule's JSON, for example {@code runFor}. */
  public String field() {
    return field;
  }

  /** Returns whether the setting applies to the pod instead of a container. */
  boolean ofPod() {
    return this == SANDBOX_DELAY || this == SANDBOX_ERROR || this == PORTS;
  }

  static Optional<RuleKey> of(String key) {
    return Arrays.stream(values()).filter(s -> s.key.equals(key)).findFirst();
  }

  static String allowed() {
    return Arrays.stream(values()).map(RuleKey::key).collect(Collectors.joining(", "));
  }
}
