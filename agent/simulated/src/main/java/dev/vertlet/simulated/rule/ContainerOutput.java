package dev.vertlet.simulated.rule;

import org.jspecify.annotations.Nullable;

/**
 * Output of a container: log, ports and termination message. Null means unset.
 *
 * @param rate rate of its log lines
 * @param line text of its log lines
 * @param errorEvery every Nth line goes to standard error; 0 for none
 * @param ports listeners on the pod's ports
 * @param message termination message that the container leaves when it ends
 */
public record ContainerOutput(
    @Nullable LogRate rate,
    @Nullable LogTemplate line,
    @Nullable Integer errorEvery,
    @Nullable ListeningPorts ports,
    @Nullable String message) {
  /** Sets nothing. */
  public static final ContainerOutput UNSET = new ContainerOutput(null, null, null, null, null);

  private static final int LARGEST = 1_000_000_000;

  /**
   * Parses the interval of error lines.
   *
   * @throws IllegalArgumentException with a message that names the text and what is allowed
   */
  public static int errorEvery(String text) {
    if (!text.matches("[0-9]{1,10}") || Long.parseLong(text) > LARGEST) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no number of lines: want 0 to " + LARGEST);
    }
    return Integer.parseInt(text);
  }

  ContainerOutput or(ContainerOutput fallback) {
    if (fallback == UNSET) {
      return this;
    }
    return new ContainerOutput(
        rate != null ? rate : fallback.rate,
        line != null ? line : fallback.line,
        errorEvery != null ? errorEvery : fallback.errorEvery,
        ports != null ? ports : fallback.ports,
        message != null ? message : fallback.message);
  }

  /** Returns a copy without the termination message. */
  ContainerOutput withoutMessage() {
    return message == null ? this : new ContainerOutput(rate, line, errorEvery, ports, null);
  }

  static ContainerOutput ofMessage(String text) {
    return new ContainerOutput(null, null, null, null, text);
  }

  public LogRate rateOrDefault() {
    return rate == null ? LogRate.DEFAULT : rate;
  }

  public LogTemplate lineOrDefault() {
    return line == null ? LogTemplate.DEFAULT : line;
  }

  public int errorEveryOrNone() {
    return errorEvery == null ? 0 : errorEvery;
  }

  public ListeningPorts portsOrAny() {
    return ports == null ? ListeningPorts.ANY : ports;
  }
}
