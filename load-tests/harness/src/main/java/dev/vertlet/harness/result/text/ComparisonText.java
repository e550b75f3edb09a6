package dev.vertlet.harness.result.text;

import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.Comparison.SubjectRuns;
import dev.vertlet.harness.result.Figure;
import dev.vertlet.harness.result.Figures;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Table of subjects side by side. Each figure is a row, so the rows depend on the scenario's
 * phases; each subject is a column with the ratio to the first subject's figure. The versions stand
 * above the table because they are wider than a column.
 */
public final class ComparisonText {
  private static final int NAME_WIDTH = 34;
  private static final int FIGURE_WIDTH = 16;

  private ComparisonText() {}

  public static String of(Comparison comparison) {
    List<SubjectRuns> subjects = comparison.subjects();
    Rows rows = new Rows(NAME_WIDTH, FIGURE_WIDTH);
    rows.add("", heads(subjects));
    rows.add("runs (figures are their medians)", counts(subjects));
    String group = "";
    for (Figure figure : Figures.of(comparison)) {
      if (!figure.group().equals(group)) {
        group = figure.group();
        rows.add(group, columns(subjects, subject -> "", ""));
      }
      rows.add("  " + label(figure), values(subjects, figure));
    }
    return Stream.concat(versions(subjects), Stream.of(rows.toString()))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private static Stream<String> versions(List<SubjectRuns> subjects) {
    return subjects.stream()
        .filter(subject -> !subject.version().isEmpty())
        .map(subject -> "%s: %s".formatted(subject.name(), subject.version()));
  }

  private static String label(Figure figure) {
    return figure.unit().isEmpty() ? figure.label() : figure.label() + ", " + figure.unit();
  }

  private static String[] heads(List<SubjectRuns> subjects) {
    return columns(subjects, SubjectRuns::name, "× " + subjects.get(0).name());
  }

  private static String[] counts(List<SubjectRuns> subjects) {
    return columns(subjects, subject -> Integer.toString(subject.runs().size()), "");
  }

  private interface Cell {
    String of(SubjectRuns subject);
  }

  private static String[] columns(List<SubjectRuns> subjects, Cell cell, String factor) {
    return subjects.stream()
        .flatMap(
            subject ->
                subject == subjects.get(0)
                    ? Stream.of(cell.of(subject))
                    : Stream.of(cell.of(subject), factor))
        .toArray(String[]::new);
  }

  private static String[] values(List<SubjectRuns> subjects, Figure figure) {
    SubjectRuns first = subjects.get(0);
    OptionalDouble base = first.median(figure.path());
    return subjects.stream()
        .flatMap(
            subject -> {
              OptionalDouble median = subject.median(figure.path());
              String value =
                  median.isPresent() ? figure.format(median.getAsDouble()) : RunText.NOTHING;
              return subject == first
                  ? Stream.of(value)
                  : Stream.of(value, Figure.factor(base, median).orElse(""));
            })
        .toArray(String[]::new);
  }
}
