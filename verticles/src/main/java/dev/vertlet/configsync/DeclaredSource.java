package dev.vertlet.configsync;

import java.util.List;

/** What a Node asks for. */
sealed interface DeclaredSource {
  Channel channel();

  /**
   * Nothing: the local config.
   *
   * @param channel the annotation when it says {@code null}
   */
  record None(Channel channel) implements DeclaredSource {}

  record Wanted(Channel channel, ConfigMapSource source) implements DeclaredSource {}

  /** An object with no subfield that this agent knows; it may come from a newer API. */
  record AllNil(Channel channel) implements DeclaredSource {}

  /**
   * A ConfigMap that must not or cannot be asked for.
   *
   * @param problems one for each broken rule, beginning with the field, at least one
   */
  record Invalid(Channel channel, List<String> problems) implements DeclaredSource {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }

  /**
   * No JSON, or JSON of other types.
   *
   * @param problem beginning with the field; says nothing of the text itself
   */
  record Undecodable(Channel channel, String problem) implements DeclaredSource {}
}
