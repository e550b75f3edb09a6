package dev.vertlet.cli;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.problem.Problem;
import dev.vertlet.stages.cluster.UsableStages;
import dev.vertlet.stages.play.LifeCycle;
import dev.vertlet.stages.play.StageObject;
import dev.vertlet.stages.spec.ResourceRef;
import dev.vertlet.stages.spec.StageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks stages and explains what they do to an object. */
@Command(
    name = "stages",
    mixinStandardHelpOptions = true,
    description = "Checks KWOK's stages and explains what they do to an object: docs/from-kwok.md.")
public final class StagesCommand {
  private StagesCommand() {}

  /** Creates the command with its subcommands. */
  public static CommandLine tree() {
    return new CommandLine(new StagesCommand())
        .addSubcommand(new Validate())
        .addSubcommand(new Explain(Clock.systemUTC()));
  }

  /** Loads stages; every mistake is one line of the command's failure. */
  private static UsableStages load(List<Path> files) {
    try {
      return UsableStages.load(files);
    } catch (StageException e) {
      throw new ConfigException(
          e.problems().stream().map(problem -> Problem.about("", problem.toString())).toList());
    }
  }

  /** {@code vertlet stages validate FILE…}. */
  @Command(
      name = "validate",
      mixinStandardHelpOptions = true,
      description = {
        "Checks stages and shows every mistake with its file, line and column.",
        "Directories and kustomizations are read as an agent does."
      })
  static final class Validate implements Runnable {
    @SuppressWarnings("NullAway.Init") // set by picocli
    @Spec
    private CommandSpec spec;

    @Parameters(
        paramLabel = "FILE",
        arity = "1..*",
        description = "Files or directories with Stage objects.")
    private List<Path> files = List.of();

    @Override
    public void run() {
      UsableStages stages = load(files);
      PrintWriter out = spec.commandLine().getOut();
      stages.ignored().forEach(other -> out.println("no stage, left out: " + other));
      stages
          .lifeCycles()
          .forEach(
              (kind, lifeCycle) ->
                  lifeCycle.stages().stream()
                      .filter(stage -> !stage.matcher().canMatch())
                      .forEach(
                          stage ->
                              out.println(
                                  stage.stage().at()
                                      + ": "
                                      + stage.name()
                                      + " has no selector and is never played")));
      out.printf(
          "OK: %d stages of %d kinds: %s%n",
          stages.stages().size(),
          stages.lifeCycles().size(),
          String.join(
              ", ",
              stages.lifeCycles().keySet().stream().map(ResourceRef::toString).sorted().toList()));
    }
  }

  /** {@code vertlet stages explain FILE OBJECT}. */
  @Command(
      name = "explain",
      mixinStandardHelpOptions = true,
      description = {
        "Shows what stages do to an object: which match and why not, which one is chosen with which"
            + " chance, after which delay, and what it writes.",
        "Functions that depend on the cluster show addresses for documentation."
      })
  static final class Explain implements Runnable {
    private final Clock clock;

    @SuppressWarnings("NullAway.Init") // set by picocli
    @Spec
    private CommandSpec spec;

    @Parameters(
        index = "0",
        paramLabel = "FILE",
        description = "File or directory with Stage objects.")
    private Path file = Path.of("");

    @Parameters(
        index = "1",
        paramLabel = "OBJECT",
        description = "File with one object in YAML or JSON, or - for standard input.")
    private String object = "";

    Explain(Clock clock) {
      this.clock = clock;
    }

    @Override
    public void run() {
      UsableStages stages = load(List.of(file));
      StageObject played = ObjectFile.read(object, bytes());
      ResourceRef kind = ObjectFile.kind(played);
      LifeCycle lifeCycle = stages.lifeCycles().getOrDefault(kind, LifeCycle.EMPTY);
      PrintWriter out = spec.commandLine().getOut();
      if (lifeCycle.stages().isEmpty()) {
        out.printf(
            "No stage is for %s; %s has stages of %s.%n", kind, file, stages.lifeCycles().keySet());
        return;
      }
      new Explanation(lifeCycle, played, clock.instant()).lines().forEach(out::println);
    }

    private byte[] bytes() {
      try {
        return object.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(object));
      } catch (IOException e) {
        throw new FailedException(object + " cannot be read: " + e.getMessage(), e);
      }
    }
  }
}
