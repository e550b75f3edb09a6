package dev.vertlet.config;

/**
 * Log lines on standard output.
 *
 * @param level least severe that is logged
 */
public record LogConfig(Level level, Format format) {
  /** Most severe first. */
  public enum Level {
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE
  }

  /** One calm line for people, or one JSON object for machines. */
  public enum Format {
    TEXT,
    JSON
  }
}
