package dev.vertlet.harness.baseline;

import dev.vertlet.harness.baseline.Baseline.Outcome;
import dev.vertlet.harness.baseline.Baseline.Ratio;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What became of committed ratios, as lines for people. */
public final class BaselineText {
  private BaselineText() {}

  public static String of(Baseline baseline, List<Outcome> outcomes) {
    return outcomes.stream()
        .map(outcome -> line(baseline, outcome))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private static String line(Baseline baseline, Outcome outcome) {
    Ratio ratio = outcome.ratio();
    return String.format(
        Locale.ROOT,
        "%-10s  %s is %s times that of %s; committed %.2f, allowed up to %.2f",
        outcome.met() ? "ok" : "REGRESSION",
        baseline.subject() + "'s " + ratio.figure(),
        Double.isNaN(outcome.value()) ? "an unknown number of" : "%.2f".formatted(outcome.value()),
        baseline.peer(),
        ratio.committed(),
        ratio.limit());
  }
}
