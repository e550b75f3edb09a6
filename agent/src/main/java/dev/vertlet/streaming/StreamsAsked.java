package dev.vertlet.streaming;

/**
 * Which streams of a command a client wants. A terminal has one output: where the client or the
 * process has one, there is no standard error, whoever asks for it.
 *
 * @param resize whether the client has a terminal, whose sizes it will send
 * @param tty whether the process has one
 */
public record StreamsAsked(
    boolean stdin, boolean stdout, boolean stderr, boolean resize, boolean tty) {
  public StreamsAsked {
    stderr = stderr && !resize && !tty;
  }

  /** Of a process that is begun for the client, and has a terminal exactly when it has. */
  public StreamsAsked(boolean stdin, boolean stdout, boolean stderr, boolean tty) {
    this(stdin, stdout, stderr, tty, tty);
  }

  /** The same of a process that ran before the client came, with a terminal or without. */
  public StreamsAsked of(boolean terminal) {
    return new StreamsAsked(stdin, stdout, stderr, resize, terminal);
  }
}
