package dev.vertlet.agent;

import picocli.CommandLine;

/** Adds commands to {@code vertlet}; found with {@link java.util.ServiceLoader}. */
public interface CommandContributor {
  /** Adds subcommands to the root command. */
  void contribute(CommandLine root);
}
