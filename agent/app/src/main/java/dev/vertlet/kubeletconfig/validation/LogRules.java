package dev.vertlet.kubeletconfig.validation;

import static dev.vertlet.kubeletconfig.validation.GoText.quoted;

import dev.vertlet.kubeletconfig.KubeletFields;
import java.time.Duration;

/** Rules for logs of containers and of the system. */
final class LogRules {
  private static final String INTERVAL = "containerLogMonitorInterval";
  private static final String DIRECTORY = "podLogsDir";

  private LogRules() {}

  static void check(Judged judged) {
    judged.require(
        !judged.flag("enableSystemLogQuery", false) || judged.flag(KubeletFields.LOG_HANDLER, true),
        "enableSystemLogQuery",
        "enableSystemLogHandler is required for enableSystemLogQuery");
    judged.require(
        judged.time(INTERVAL, Duration.ofSeconds(10)).compareTo(Duration.ofSeconds(3)) >= 0,
        INTERVAL,
        "containerLogMonitorInterval must be a positive time duration greater than or equal to 3s");
    if (judged.isSet(DIRECTORY)) {
      directory(judged, judged.text(DIRECTORY, ""));
    }
  }

  private static void directory(Judged judged, String directory) {
    String written = "pod logs path " + quoted(directory);
    judged.require(directory.startsWith("/"), DIRECTORY, written + " must be absolute path");
    judged.require(isNormal(directory), DIRECTORY, written + " must be normalized");
    judged.require(
        directory.chars().allMatch(c -> c < 0x80),
        DIRECTORY,
        written + " mut contains ASCII characters only");
  }

  /** Returns whether the path has no shorter equivalent. */
  private static boolean isNormal(String path) {
    if (path.equals("/") || path.equals(".")) {
      return true;
    }
    boolean absolute = path.startsWith("/");
    boolean up = !absolute; // no preceding segment that .. could remove
    for (String name : (absolute ? path.substring(1) : path).split("/", -1)) {
      if (name.isEmpty() || name.equals(".") || (name.equals("..") && !up)) {
        return false;
      }
      up = up && name.equals("..");
    }
    return true;
  }
}
