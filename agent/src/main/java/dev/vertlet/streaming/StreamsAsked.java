package dev.vertlet.streaming;

/**
 * Which streams of a command a client wants. A terminal has one output: with {@code tty} there is
 * no standard error, whoever asks for it.
 */
public record StreamsAsked(boolean stdin, boolean stdout, boolean stderr, boolean tty) {
  public StreamsAsked {
    stderr = stderr && !tty;
  }
}
