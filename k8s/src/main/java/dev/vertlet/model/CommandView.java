package dev.vertlet.model;

import java.util.List;

/**
 * What a container runs, where its definition says it.
 *
 * @param command instead of the image's entry point; empty for that
 * @param args instead of the image's; empty for those
 */
public record CommandView(List<String> command, List<String> args) {
  /** The image says it all. */
  public static final CommandView NONE = new CommandView(List.of(), List.of());

  public CommandView {
    command = List.copyOf(command);
    args = List.copyOf(args);
  }
}
