package dev.vertlet.configsync.source;

import java.util.List;

/** Config source that a Node declares. */
public sealed interface DeclaredSource {
  Channel channel();

  /**
   * No source: the local config.
   *
   * @param channel the annotation when its value is {@code null}
   */
  record None(Channel channel) implements DeclaredSource {}

  record Wanted(Channel channel, ConfigMapSource source) implements DeclaredSource {}

  /** A source without a subfield that this agent knows; it may come from a newer API. */
  record AllNil(Channel channel) implements DeclaredSource {}

  /**
   * A ConfigMap that must not or cannot be read.
   *
   * @param problems one for each broken rule, beginning with the field, at least one
   */
  record Invalid(Channel channel, List<String> problems) implements DeclaredSource {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }

  /**
   * Not JSON, or JSON of other types.
   *
   * @param problem beginning with the field; does not quote the value
   */
  record Undecodable(Channel channel, String problem) implements DeclaredSource {}
}
