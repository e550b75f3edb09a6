package dev.vertlet.configsync;

/** A config that cannot be used. */
public final class ConfigRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ConfigError error;

  private ConfigRefusedException(ConfigError error, String cause) {
    super(cause, null, false, false);
    this.error = error;
  }

  /** It could not be decoded. */
  public static ConfigRefusedException load(String cause) {
    return new ConfigRefusedException(ConfigError.LOAD, cause);
  }

  /** It says something that is not allowed, or that somebody refuses. */
  public static ConfigRefusedException validate(String cause) {
    return new ConfigRefusedException(ConfigError.VALIDATE, cause);
  }

  /** It is allowed, and what it asks for fails here, such as an address that the host has not. */
  public static ConfigRefusedException internal(String cause) {
    return new ConfigRefusedException(ConfigError.INTERNAL, cause);
  }

  ConfigError error() {
    return error;
  }
}
