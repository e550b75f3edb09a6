package dev.vertlet.configsync;

/**
 * What {@code status.config.error} can say. The texts are those of kubelets; the log has the same
 * text with the cause, which never leaves the log: it may quote a payload.
 */
enum ConfigError {
  /** The checkpoint of the assigned config cannot be read or decoded. */
  LOAD("failed to load config, see Kubelet log for details"),

  /** The assigned config breaks a rule, or somebody it concerns refuses it. */
  VALIDATE("failed to validate config, see Kubelet log for details"),

  /** Outside the sync: flags could not be laid on top, or what was valid could not be applied. */
  INTERNAL("internal failure, see Kubelet log for details"),

  /** A source with no subfield that this agent knows. */
  ALL_NIL("invalid NodeConfigSource, exactly one subfield must be non-nil, but all were nil"),

  /** The declared source could not be resolved to an object. */
  DOWNLOAD("failed to sync: failed to download config, see Kubelet log for details"),

  /** Inside the sync: what was downloaded could not be kept. */
  SYNC_INTERNAL("failed to sync: internal failure, see Kubelet log for details");

  private final String text;

  ConfigError(String text) {
    this.text = text;
  }

  /** What people read; machines look at whether there is one. */
  String text() {
    return text;
  }
}
