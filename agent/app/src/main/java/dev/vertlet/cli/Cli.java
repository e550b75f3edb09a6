package dev.vertlet.cli;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.process.Environment;
import dev.vertlet.kube.AccessException;
import dev.vertlet.logging.Logging;
import dev.vertlet.rollout.ConfigCommand;
import dev.vertlet.sandboxes.SandboxCommand;
import java.io.PrintWriter;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command tree, and the output of its failures. */
public final class Cli {
  /** Commands of this module; contributors are not loaded for them. */
  private static final Set<String> OWN =
      Set.of("agent", "config", "data-dir", "sandbox", "stages", "validate", "version");

  private final Environment environment;
  private final Callable<Integer> agent;
  private final Termination termination;

  /**
   * @param agent the command {@code vertlet agent}
   */
  public Cli(Environment environment, Callable<Integer> agent, Termination termination) {
    this.environment = environment;
    this.agent = agent;
    this.termination = termination;
  }

  /** Runs one command on the calling thread; returns the exit code. */
  public int run(String... args) {
    if (args.length > 0 && args[0].equals("agent")) {
      // the other commands are read by reflection, which an agent's start need not wait for
      return run(new CommandLine(new Root()).addSubcommand(agent), args);
    }
    CommandLine root = tree();
    if (args.length > 0 && args[0].equals("config")) {
      // its standard output is its result
      Logging.warnOnStandardError();
    }
    if (args.length == 0 || !OWN.contains(args[0])) {
      ServiceLoader.load(CommandContributor.class)
          .forEach(contributor -> contributor.contribute(root, termination.requested()));
    }
    return run(root, args);
  }

  /** Returns the tree of this module's commands, without those of contributors. */
  public CommandLine tree() {
    return new CommandLine(new Root())
        .addSubcommand(agent)
        .addSubcommand(config())
        .addSubcommand(new DataDirCommand())
        .addSubcommand(sandbox())
        .addSubcommand(StagesCommand.tree())
        .addSubcommand(new ValidateCommand(environment))
        .addSubcommand(new VersionCommand());
  }

  private static CommandLine config() {
    return OptionalModule.CONFIG_SYNC.isPresent()
        ? new CommandLine(new ConfigCommand())
        : MissingCommand.of("config", OptionalModule.CONFIG_SYNC);
  }

  private CommandLine sandbox() {
    return OptionalModule.SANDBOX.isPresent()
        ? SandboxCommand.tree(termination.requested())
        : MissingCommand.of("sandbox", OptionalModule.SANDBOX);
  }

  /** Runs one command of a tree; returns the exit code, whatever the command throws. */
  public static int run(CommandLine root, String... args) {
    try {
      return root.setParameterExceptionHandler(Cli::misused)
          .setExecutionExceptionHandler(Cli::failed)
          .execute(args);
    } catch (Error e) {
      // such as a missing class: event loops would keep the process alive without its command
      e.printStackTrace(root.getErr());
      return ExitCode.FAILED;
    }
  }

  private static int misused(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("vertlet: " + e.getMessage());
    if (command.getParent() == null && args.length == 0) {
      command.usage(err);
      return ExitCode.USAGE;
    }
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE;
  }

  private static int failed(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    if (e instanceof ConfigException config) {
      config.problems().forEach(problem -> err.println("vertlet: " + problem));
      return ExitCode.USAGE;
    }
    err.println("vertlet: " + Failures.line(e));
    return e instanceof AccessException ? ExitCode.USAGE : ExitCode.FAILED;
  }

  @Command(
      name = "vertlet",
      mixinStandardHelpOptions = true,
      versionProvider = VersionCommand.Provider.class,
      description = "A virtual kubelet: registers virtual nodes and runs the pods bound to them.",
      footer = {"", "Exit codes: 0 done, 1 failed, 2 wrong usage or configuration."})
  static final class Root {}
}
