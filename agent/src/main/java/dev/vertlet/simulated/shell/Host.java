package dev.vertlet.simulated.shell;

import dev.vertlet.provider.TerminalSize;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a program sees around it. */
final class Host {
  final String hostname;
  final Map<String, String> environment;
  final Clock clock;
  final Alarm alarm;
  final Serial serial;

  /** What Ctrl-C does. */
  Runnable onInterrupt = () -> {};

  /** Of the terminal; null while nobody has told. */
  @Nullable TerminalSize size;

  /**
   * @param hostname what it is called
   * @param environment of the container
   */
  Host(String hostname, Map<String, String> environment, Clock clock, Alarm alarm, Serial serial) {
    this.hostname = hostname;
    this.environment = environment;
    this.clock = clock;
    this.alarm = alarm;
    this.serial = serial;
  }
}
