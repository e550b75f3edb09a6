package dev.vertlet.harness.scenario;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.document.TextFile;
import dev.vertlet.problem.Problem;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads a series of times: one number of seconds per line, with an optional heading. */
final class TraceFile {
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");
  private static final int NANO_DIGITS = 9;

  private TraceFile() {}

  /**
   * Reads the times, at least one, in ascending order.
   *
   * @throws ConfigException with the first wrong line, or the reason why the file cannot be read
   */
  static List<Duration> read(Path file) {
    List<String> lines = TextFile.read(file).lines().map(String::strip).toList();
    List<Duration> due = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean heading = i == 0 && !line.isEmpty() && !Character.isDigit(line.charAt(0));
      if (!line.isEmpty() && !heading) {
        due.add(next(file + ", line " + (i + 1), line, due));
      }
    }
    if (due.isEmpty()) {
      throw new ConfigException(Problem.about(file.toString(), "must have at least one time"));
    }
    return due;
  }

  private static Duration next(String place, String line, List<Duration> before) {
    if (!SECONDS.matcher(line).matches()) {
      throw new ConfigException(
          Problem.of(place, line, "must be a number of seconds such as 0, 1.5 or 90.25"));
    }
    Duration due =
        Duration.ofNanos(
            new BigDecimal(line).movePointRight(NANO_DIGITS).toBigInteger().longValueExact());
    if (!before.isEmpty() && due.compareTo(before.get(before.size() - 1)) < 0) {
      throw new ConfigException(Problem.of(place, line, "must be no less than the line above"));
    }
    return due;
  }
}
