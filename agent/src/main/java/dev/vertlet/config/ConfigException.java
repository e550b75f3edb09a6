package dev.vertlet.config;

import java.util.List;
import java.util.stream.Collectors;

/** Reports an invalid configuration with every mistake found in it. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Mistake> mistakes;

  public ConfigException(List<Mistake> mistakes) {
    super(
        mistakes.stream().map(Mistake::toString).collect(Collectors.joining("\n")),
        null,
        false,
        false);
    this.mistakes = List.copyOf(mistakes);
  }

  /** Returns the mistakes in the order of the document; at least one. */
  public List<Mistake> mistakes() {
    return mistakes;
  }
}
