package dev.vertlet.harness.command;

import dev.vertlet.cli.CommandContributor;
import java.util.concurrent.CompletionStage;
import picocli.CommandLine;

/** Adds the harness's commands to {@code vertlet}; found by its service file. */
public final class HarnessCommands implements CommandContributor {
  @Override
  public void contribute(CommandLine root, CompletionStage<Void> ended) {
    root.addSubcommand(new NodesCommand(ended));
    root.addSubcommand(new DemoCommand(ended));
    root.addSubcommand(new ApiServerCommand(ended));
    root.addSubcommand(new LoadTestCommand(ended));
    root.addSubcommand(new LoadReportCommand());
    root.addSubcommand(new ReplayCommand(ended));
    root.addSubcommand(new ReplayCompareCommand());
    root.addSubcommand(new ControlPlaneCommand(ended));
  }
}
