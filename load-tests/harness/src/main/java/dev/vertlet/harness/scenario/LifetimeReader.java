package dev.vertlet.harness.scenario;

import dev.vertlet.config.document.Section;
import dev.vertlet.problem.Problems;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses {@code "30s"}, {@code "10s..60s"} and {@code "exponential(30s)"}. */
final class LifetimeReader {
  private static final Pattern EXPONENTIAL = Pattern.compile("exponential\\( *(.*?) *\\)");

  private final Problems problems;

  LifetimeReader(Problems problems) {
    this.problems = problems;
  }

  /** Reads the lifetime of a phase that has one; the schema has checked its form. */
  Lifetime read(Section create) {
    String pointer = create.pointer("lifetime");
    String text = create.text("lifetime", "");
    Matcher exponential = EXPONENTIAL.matcher(text);
    if (exponential.matches()) {
      return new Lifetime.Exponential(duration(pointer, exponential.group(1)));
    }
    int range = text.indexOf("..");
    if (range < 0) {
      return new Lifetime.Fixed(duration(pointer, text));
    }
    Duration min = duration(pointer, text.substring(0, range));
    Duration max = duration(pointer, text.substring(range + 2));
    if (min.compareTo(max) > 0) {
      problems.refuse(pointer, text, "must be a range from the shorter to the longer time");
      return new Lifetime.Uniform(max, min);
    }
    return new Lifetime.Uniform(min, max);
  }

  private Duration duration(String pointer, String text) {
    return problems.duration(pointer, text).orElse(Duration.ZERO);
  }
}
