package dev.vertlet.streaming;

/**
 * Streams of a command that a client requests. A terminal has one output: when the client or the
 * process has a terminal, standard error is not used, even if requested.
 *
 * @param resize whether the client has a terminal and sends its sizes
 * @param tty whether the process has a terminal
 */
public record StreamsAsked(
    boolean stdin, boolean stdout, boolean stderr, boolean resize, boolean tty) {
  public StreamsAsked {
    stderr = stderr && !resize && !tty;
  }

  /**
   * Creates the streams of a process that starts for the client and has a terminal exactly when the
   * client has.
   */
  public StreamsAsked(boolean stdin, boolean stdout, boolean stderr, boolean tty) {
    this(stdin, stdout, stderr, tty, tty);
  }

  /** Returns the same streams for a process that already runs, with or without a terminal. */
  public StreamsAsked of(boolean terminal) {
    return new StreamsAsked(stdin, stdout, stderr, resize, terminal);
  }
}
