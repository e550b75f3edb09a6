package dev.vertlet.provider;

import java.util.List;

/**
 * A command that is to run in a running container.
 *
 * @param command program and arguments; nothing is expanded in them
 * @param tty whether it gets a terminal; its standard error then goes where its output goes
 */
public record ExecRequest(ContainerTarget target, List<String> command, boolean tty) {
  public ExecRequest {
    command = List.copyOf(command);
  }
}
