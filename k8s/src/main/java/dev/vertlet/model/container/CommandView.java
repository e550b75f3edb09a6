package dev.vertlet.model.container;

import java.util.List;

/**
 * Command of a container, as far as its definition sets it.
 *
 * @param command replaces the image's entry point; empty for the image's
 * @param args replace the image's arguments; empty for the image's
 */
public record CommandView(List<String> command, List<String> args) {
  /** The image's entry point and arguments. */
  public static final CommandView NONE = new CommandView(List.of(), List.of());

  public CommandView {
    command = List.copyOf(command);
    args = List.copyOf(args);
  }
}
