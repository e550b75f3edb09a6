package dev.vertlet.config;

import java.util.Map;
import java.util.TreeMap;

/**
 * Section {@code log}: log lines on standard output.
 *
 * @param level least severe level that is logged
 * @param levels levels of single loggers and their children by full name; the longest matching name
 *     wins
 */
public record LogConfig(Level level, Format format, Map<String, Level> levels) {
  /** Parent of the logger names without a dot. */
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

  /** One readable line or one JSON object per record. */
  public enum Format {
    TEXT,
    JSON
  }
}
