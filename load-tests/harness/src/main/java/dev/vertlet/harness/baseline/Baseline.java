package dev.vertlet.harness.baseline;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.document.DocumentReader;
import dev.vertlet.config.document.Section;
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
 * Committed ratios of a subject's figures to a peer's in one comparison. Times depend on the
 * machine; ratios of two programs that ran alternately on it hardly do, so they reveal a regression
 * on any machine.
 *
 * @param subject name of the program that must not regress
 * @param peer name of the program that it is compared with
 */
public record Baseline(String subject, String peer, List<Ratio> ratios) {
  /** Suffix of the only figures of which more is better. */
  private static final String RATE = ".per_s";

  public Baseline {
    ratios = List.copyOf(ratios);
  }

  /**
   * Ratio of the medians of one figure.
   *
   * @param figure a figure of a scenario's thresholds of which less is better
   * @param committed ratio when the file was written
   * @param tolerance factor on {@code committed} up to which a ratio is no regression; above 1
   */
  public record Ratio(String figure, double committed, double tolerance) {
    /** Highest ratio that is no regression. */
    public double limit() {
      return committed * tolerance;
    }
  }

  /**
   * Measured value of a ratio.
   *
   * @param value NaN when one of the two lacks the figure, which counts as a regression
   */
  public record Outcome(Ratio ratio, double value) {
    public boolean met() {
      return value <= ratio.limit();
    }
  }

  /**
   * Reads a file. Not for event loops.
   *
   * @throws ConfigException with every problem: its place, the value and what is allowed
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
   * Checks that a comparison measures both subjects.
   *
   * @param subjects names of all compared subjects
   * @throws IllegalArgumentException naming the missing subject
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
   * Checks that a comparison measures the figures.
   *
   * @param result a run in JSON that contains every figure
   * @throws IllegalArgumentException naming every figure that the result lacks
   */
  public void requireFigures(JsonObject result) {
    FigureNames.require(result, "ratios", ratios.stream().map(Ratio::figure).toList());
  }

  /** Whether both subjects were measured; false when the first run of one failed. */
  public boolean measuredIn(Comparison comparison) {
    return Stream.of(subject, peer)
        .allMatch(
            name -> comparison.subjects().stream().anyMatch(runs -> runs.name().equals(name)));
  }

  /** Measures each ratio, in order; a subject without a run has no figures. */
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
