package dev.vertlet.harness.command;

import dev.vertlet.harness.subject.SubjectParser;
import dev.vertlet.harness.subject.SubjectSpec;
import dev.vertlet.kubelet.KubeletOptions.Profile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options for the subjects of a load test. */
final class SubjectOptions {
  private static final int MAX_RUNS = 100;

  /** Default number of runs of a comparison; odd, so that the median is a measured value. */
  private static final int USUAL_RUNS = 5;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec(Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--subject",
      paramLabel = "SUBJECT",
      defaultValue = "vertlet",
      description =
          "What is measured: vertlet, vertlet-fast, vertlet-remote, vertlet-in-process, a peer such as kwok-4, the FILE.json"
              + " of a peer's definition, or NAME=COMMAND. A COMMAND may begin with VARIABLE=value, and with one of"
              + " these names: what follows vertlet are JVM options. Default: ${DEFAULT-VALUE}.")
  private String subject = "vertlet";

  @Option(
      names = "--compare",
      paramLabel = "SUBJECT",
      description =
          "Measures this, too, in turns with --subject, each run on a cluster of its own. May be repeated.")
  private List<String> compare = new ArrayList<>();

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "How often each subject is measured; medians are compared. Default: 5 with --compare, else 1.")
  private int runs;

  @Option(
      names = "--profile",
      paramLabel = "PROFILE",
      defaultValue = "kubelet",
      description =
          "Of vertlet, vertlet-remote and vertlet-in-process: kubelet or fast. Default: ${DEFAULT-VALUE}.")
  private Profile profile = Profile.KUBELET;

  /** The subject, followed by the subjects that it is compared with. */
  List<SubjectSpec> subjects() {
    Path home = Path.of(System.getenv().getOrDefault("VERTLET_HOME", ""));
    SubjectParser parser = new SubjectParser(home, profile);
    List<SubjectSpec> subjects = new ArrayList<>(List.of(parse(parser, "--subject", subject)));
    compare.forEach(text -> subjects.add(parse(parser, "--compare", text)));
    return subjects;
  }

  private SubjectSpec parse(SubjectParser parser, String option, String text) {
    try {
      return parser.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), option + ": " + e.getMessage(), e);
    }
  }

  /** Number of runs of each subject. */
  int runs() {
    if (!command.commandLine().getParseResult().hasMatchedOption("--runs")) {
      return compare.isEmpty() ? 1 : USUAL_RUNS;
    }
    if (runs < 1 || runs > MAX_RUNS) {
      throw new ParameterException(
          command.commandLine(), "--runs: %d must be from 1 to %d".formatted(runs, MAX_RUNS));
    }
    return runs;
  }
}
