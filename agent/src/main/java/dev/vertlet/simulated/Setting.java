package dev.vertlet.simulated;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** One thing a rule or an annotation can say of a container. */
public enum Setting {
  PULL_DELAY("pull-delay"),
  START_DELAY("start-delay"),
  READY_DELAY("ready-delay"),
  RUN_FOR("run-for"),
  EXIT_CODE("exit-code"),
  STOP_DELAY("stop-delay"),
  PULL_ERROR("pull-error"),
  START_ERROR("start-error");

  private final String key;

  Setting(String key) {
    this.key = key;
  }

  /** As annotations spell it, for example {@code run-for}. */
  public String key() {
    return key;
  }

  static Optional<Setting> of(String key) {
    return Arrays.stream(values()).filter(s -> s.key.equals(key)).findFirst();
  }

  static String allowed() {
    return Arrays.stream(values()).map(Setting::key).collect(Collectors.joining(", "));
  }
}
