package dev.vertlet.trace.tool;

import dev.vertlet.cli.CommandContributor;
import dev.vertlet.trace.record.RecordCommand;
import java.util.concurrent.CompletionStage;
import picocli.CommandLine;

/** Adds the commands about traces to {@code vertlet}; found by its service file. */
public final class TraceCommands implements CommandContributor {
  @Override
  public void contribute(CommandLine root, CompletionStage<Void> ended) {
    root.addSubcommand(new RecordCommand(ended));
    root.addSubcommand(new TraceCommand());
  }
}
