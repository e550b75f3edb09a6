package dev.vertlet.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be run, with every mistake that was found in it. */
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

  /** At least one, in the order of the document. */
  public List<Mistake> mistakes() {
    return mistakes;
  }
}
