package dev.vertlet.configsync;

/** A config that cannot be used. */
public final class ConfigRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean unreadable;

  private ConfigRefusedException(boolean unreadable, String cause) {
    super(cause, null, false, false);
    this.unreadable = unreadable;
  }

  /** It could not be decoded. */
  public static ConfigRefusedException load(String cause) {
    return new ConfigRefusedException(true, cause);
  }

  /** It says something that is not allowed, or that somebody refuses. */
  public static ConfigRefusedException validate(String cause) {
    return new ConfigRefusedException(false, cause);
  }

  ConfigError error() {
    return unreadable ? ConfigError.LOAD : ConfigError.VALIDATE;
  }
}
