package dev.vertlet.cli;

import java.util.concurrent.CompletionStage;
import picocli.CommandLine;

/** Adds commands to {@code vertlet}; found with {@link java.util.ServiceLoader}. */
public interface CommandContributor {
  /**
   * Adds subcommands to the root command.
   *
   * @param ended completes on SIGTERM or SIGINT; a command that runs until then has to return soon
   *     after, because the process waits for it
   */
  void contribute(CommandLine root, CompletionStage<Void> ended);
}
