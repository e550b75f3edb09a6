package dev.vertlet.harness.baseline;

import dev.vertlet.config.ConfigException;
import dev.vertlet.config.DocumentReader;
import dev.vertlet.config.Mistake;
import dev.vertlet.config.Section;
import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.Comparison.SubjectRuns;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What a subject's figures are to a peer's of the same comparison. Times move with the machine,
 * ratios of two programs that took turns on it hardly do: that tells a regression anywhere.
 *
 * @param subject name of what must not regress
 * @param peer name of what it is measured by
 */
public record Baseline(String subject, String peer, List<Ratio> ratios) {
  public Baseline {
    ratios = List.copyOf(ratios);
  }

  /**
   * One figure's ratio, of medians.
   *
   * @param figure as of a scenario's threshold
   * @param committed what it was when the file was written
   * @param min a regression below; negative infinity for none
   * @param max a regression above; infinity for none
   */
  public record Ratio(String figure, double committed, double min, double max) {}

  /**
   * What became of a ratio.
   *
   * @param value NaN when one of the two has no such figure, which is a regression
   */
  public record Outcome(Ratio ratio, double value) {
    public boolean met() {
      return value >= ratio.min() && value <= ratio.max();
    }
  }

  /**
   * Reads a file. Not for event loops.
   *
   * @throws ConfigException with every mistake, each with its place, the value and what is allowed
   */
  public static Baseline read(Path file) {
    Section document = new DocumentReader("/baseline.schema.json").read(file);
    return new Baseline(
        document.text("subject", ""),
        document.text("peer", ""),
        document.sections("ratios", (section, place) -> ratio(section)));
  }

  private static Ratio ratio(Section section) {
    if (!section.has("min") && !section.has("max")) {
      String figure = section.text("figure", "");
      throw new ConfigException(
          List.of(Mistake.of(section.pointer("figure"), figure, "must have min, max or both")));
    }
    return new Ratio(
        section.text("figure", ""),
        section.number("committed", Double.NaN),
        section.number("min", Double.NEGATIVE_INFINITY),
        section.number("max", Double.POSITIVE_INFINITY));
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
            "\"%s\" is in the ratios and is not measured; measured are %s"
                .formatted(needed, String.join(", ", subjects)));
      }
    }
  }

  /** What became of each ratio, in their order. */
  public List<Outcome> check(Comparison comparison) {
    SubjectRuns mine = runs(comparison, subject);
    SubjectRuns theirs = runs(comparison, peer);
    return ratios.stream()
        .map(ratio -> new Outcome(ratio, value(ratio.figure(), mine, theirs)))
        .toList();
  }

  private static double value(String figure, SubjectRuns mine, SubjectRuns theirs) {
    OptionalDouble numerator = mine.median(figure);
    OptionalDouble denominator = theirs.median(figure);
    return numerator.isEmpty() || denominator.isEmpty() || denominator.getAsDouble() == 0
        ? Double.NaN
        : numerator.getAsDouble() / denominator.getAsDouble();
  }

  private static SubjectRuns runs(Comparison comparison, String name) {
    return comparison.subjects().stream()
        .filter(runs -> runs.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("nobody measured " + name));
  }
}
