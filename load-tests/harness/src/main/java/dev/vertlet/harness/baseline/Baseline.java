package dev.vertlet.harness.baseline;

import dev.vertlet.config.ConfigException;
import dev.vertlet.config.DocumentReader;
import dev.vertlet.config.Section;
import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.FigureNames;
import dev.vertlet.problem.Problem;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a subject's figures are to a peer's of the same comparison. Times move with the machine,
 * ratios of two programs that took turns on it hardly do: that tells a regression anywhere.
 *
 * @param subject name of what must not regress
 * @param peer name of what it is measured by
 */
public record Baseline(String subject, String peer, List<Ratio> ratios) {
  /** The only figures of which more is better. */
  private static final String RATE = ".per_s";

  public Baseline {
    ratios = List.copyOf(ratios);
  }

  /**
   * One figure's ratio, of medians.
   *
   * @param figure as of a scenario's threshold, one of which less is better
   * @param committed what it was when the file was written
   * @param tolerance how many times that it may become before it is a regression; above 1
   */
  public record Ratio(String figure, double committed, double tolerance) {
    /** The highest that is no regression. */
    public double limit() {
      return committed * tolerance;
    }
  }

  /**
   * What became of a ratio.
   *
   * @param value NaN when one of the two has no such figure, which is a regression
   */
  public record Outcome(Ratio ratio, double value) {
    public boolean met() {
      return value <= ratio.limit();
    }
  }

  /**
   * Reads a file. Not for event loops.
   *
   * @throws ConfigException with every problem, each with its place, the value and what is allowed
   */
  public static Baseline read(Path file) {
    Section document = new DocumentReader("/baseline.schema.json").read(file);
    return new Baseline(
        document.text("subject", ""),
        document.text("peer", ""),
        document.sections("ratios", (section, place) -> ratio(section)));
  }

  private static Ratio ratio(Section section) {
    String figure = section.text("figure", "");
    if (figure.endsWith(RATE)) {
      throw new ConfigException(
          Problem.of(section.pointer("figure"), figure, "must be one of which less is better"));
    }
    return new Ratio(
        figure, section.number("committed", Double.NaN), section.number("tolerance", Double.NaN));
  }

  /**
   * That a comparison will have both.
   *
   * @param subjects names of all that is compared
   * @throws IllegalArgumentException naming the one that is missing
   */
  public void requireSubjects(Set<String> subjects) {
    for (String needed : List.of(subject, peer)) {
      if (!subjects.contains(needed)) {
        throw new IllegalArgumentException(
            "%s: \"%s\" is not measured; measured are %s"
                .formatted(
                    needed.equals(subject) ? "subject" : "peer",
                    needed,
                    String.join(", ", subjects)));
      }
    }
  }

  /**
   * That a comparison will have the figures.
   *
   * @param result of a run, in JSON, in which everything was measured
   * @throws IllegalArgumentException naming every figure that the result does not have
   */
  public void requireFigures(JsonObject result) {
    FigureNames.require(result, "ratios", ratios.stream().map(Ratio::figure).toList());
  }

  /** Whether both were measured, which is not so when the first run of one has failed. */
  public boolean measuredIn(Comparison comparison) {
    return Stream.of(subject, peer)
        .allMatch(
            name -> comparison.subjects().stream().anyMatch(runs -> runs.name().equals(name)));
  }

  /** What became of each ratio, in their order; a subject that has no run has no figures. */
  public List<Outcome> check(Comparison comparison) {
    return ratios.stream()
        .map(ratio -> new Outcome(ratio, value(ratio.figure(), comparison)))
        .toList();
  }

  private double value(String figure, Comparison comparison) {
    OptionalDouble numerator = median(figure, subject, comparison);
    OptionalDouble denominator = median(figure, peer, comparison);
    return numerator.isEmpty() || denominator.isEmpty() || denominator.getAsDouble() == 0
        ? Double.NaN
        : numerator.getAsDouble() / denominator.getAsDouble();
  }

  private static OptionalDouble median(String figure, String name, Comparison comparison) {
    return comparison.subjects().stream()
        .filter(runs -> runs.name().equals(name))
        .map(runs -> runs.median(figure))
        .findFirst()
        .orElse(OptionalDouble.empty());
  }
}
