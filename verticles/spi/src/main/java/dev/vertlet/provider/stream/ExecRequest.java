package dev.vertlet.provider.stream;

import java.util.List;

/**
 * A command to run in a running container.
 *
 * @param command program and arguments; nothing is expanded in them
 * @param tty whether the command gets a terminal; its standard error then goes to its standard
 *     output
 */
public record ExecRequest(ContainerTarget target, List<String> command, boolean tty) {
  public ExecRequest {
    command = List.copyOf(command);
  }
}
