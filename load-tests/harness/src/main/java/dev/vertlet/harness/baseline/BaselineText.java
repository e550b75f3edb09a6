package dev.vertlet.harness.baseline;

import dev.vertlet.harness.baseline.Baseline.Outcome;
import dev.vertlet.harness.baseline.Baseline.Ratio;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.stream.Collectors;

/** Formats the outcomes of committed ratios as lines of text. */
public final class BaselineText {
  private static final MathContext THREE_DIGITS = new MathContext(3);

  private BaselineText() {}

  public static String of(Baseline baseline, List<Outcome> outcomes) {
    return outcomes.stream()
        .map(outcome -> line(baseline, outcome))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private static String line(Baseline baseline, Outcome outcome) {
    Ratio ratio = outcome.ratio();
    return "%-10s  %s is %s times that of %s; committed %s, allowed up to %s, which is %s times that"
        .formatted(
            outcome.met() ? "ok" : "REGRESSION",
            baseline.subject() + "'s " + ratio.figure(),
            Double.isNaN(outcome.value()) ? "an unknown number of" : digits(outcome.value()),
            baseline.peer(),
            digits(ratio.committed()),
            digits(ratio.limit()),
            digits(ratio.tolerance()));
  }

  /** Three significant digits, because a ratio may be far below 1. */
  private static String digits(double value) {
    return new BigDecimal(value).round(THREE_DIGITS).stripTrailingZeros().toPlainString();
  }
}
