package dev.vertlet.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Stands for a command whose module is missing: whatever its arguments, it names the module. */
@Command(description = "Not in this installation.")
final class MissingCommand implements Runnable {
  private final String name;
  private final OptionalModule module;

  @Unmatched private @Nullable List<String> arguments;

  private MissingCommand(String name, OptionalModule module) {
    this.name = name;
    this.module = module;
  }

  static CommandLine of(String name, OptionalModule module) {
    return new CommandLine(new MissingCommand(name, module)).setCommandName(name);
  }

  @Override
  public void run() {
    module.require("vertlet " + name);
  }
}
