package dev.vertlet.configsync;

/** A config that cannot be used. */
public final class ConfigRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ConfigError error;

  private ConfigRefusedException(ConfigError error, String cause) {
    super(cause, null, false, false);
    this.error = error;
  }

  /** The config could not be decoded. */
  public static ConfigRefusedException load(String cause) {
    return new ConfigRefusedException(ConfigError.LOAD, cause);
  }

  /** The config contains a value that is not allowed, or a component refuses it. */
  public static ConfigRefusedException validate(String cause) {
    return new ConfigRefusedException(ConfigError.VALIDATE, cause);
  }

  /**
   * The config is valid but cannot be applied here, for example an address that the host does not
   * have.
   */
  public static ConfigRefusedException internal(String cause) {
    return new ConfigRefusedException(ConfigError.INTERNAL, cause);
  }

  ConfigError error() {
    return error;
  }
}
