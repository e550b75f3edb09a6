package dev.vertlet.simulated.shell;

import dev.vertlet.model.ContainerUserView;
import dev.vertlet.provider.TerminalSize;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a program sees around it. */
final class Host {
  final String hostname;
  final ContainerUserView user;
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
   * @param user as whom programs run
   * @param environment of the container
   */
  Host(
      String hostname,
      ContainerUserView user,
      Map<String, String> environment,
      Clock clock,
      Alarm alarm,
      Serial serial) {
    this.hostname = hostname;
    this.user = user;
    this.environment = environment;
    this.clock = clock;
    this.alarm = alarm;
    this.serial = serial;
  }
}
