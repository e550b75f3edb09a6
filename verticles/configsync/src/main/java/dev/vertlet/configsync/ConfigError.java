package dev.vertlet.configsync;

/**
 * Values of {@code status.config.error}, with the texts of kubelets. The log has the same text with
 * the cause; the cause never leaves the log, because it may quote a payload.
 */
enum ConfigError {
  /** The checkpoint of the assigned config cannot be read or decoded. */
  LOAD("failed to load config, see Kubelet log for details"),

  /** The assigned config breaks a rule, or a component refuses it. */
  VALIDATE("failed to validate config, see Kubelet log for details"),

  /**
   * Outside the sync: the flags could not be applied on top, or a valid config could not be
   * applied.
   */
  INTERNAL("internal failure, see Kubelet log for details"),

  /** The source has no subfield that this agent knows. */
  ALL_NIL("invalid NodeConfigSource, exactly one subfield must be non-nil, but all were nil"),

  /** The declared source could not be resolved to an object. */
  DOWNLOAD("failed to sync: failed to download config, see Kubelet log for details"),

  /** Inside the sync: the downloaded config could not be stored. */
  SYNC_INTERNAL("failed to sync: internal failure, see Kubelet log for details");

  private final String text;

  ConfigError(String text) {
    this.text = text;
  }

  /** Text for people; programs check whether there is an error. */
  String text() {
    return text;
  }
}
