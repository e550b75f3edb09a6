package dev.vertlet.config;

import java.util.Map;
import java.util.TreeMap;

/**
 * Log lines on standard output.
 *
 * @param level least severe that is logged
 * @param levels the same for single loggers and those below them, by their whole names; the longest
 *     name that fits counts
 */
public record LogConfig(Level level, Format format, Map<String, Level> levels) {
  /** What names without a dot are below. */
  private static final String OWN = "dev.vertlet";

  public LogConfig {
    Map<String, Level> whole = new TreeMap<>();
    levels.forEach((name, one) -> whole.put(whole(name), one));
    levels = Map.copyOf(whole);
  }

  private static String whole(String name) {
    return name.indexOf('.') < 0 ? OWN + "." + name : name;
  }

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
