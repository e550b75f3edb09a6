package dev.vertlet.payload;

import dev.vertlet.config.OneLine;
import java.util.List;
import java.util.stream.Stream;

/** Limits lists of problems to a reasonable log line: payloads are untrusted. */
final class Problems {
  /** Most problems that are listed; a payload may have a hundred thousand. */
  private static final int MOST = 50;

  /** Most characters of one problem, as keys may have any length. */
  private static final int LONGEST = 1_000;

  private Problems() {}

  /** Returns the first problems, each in one short line, and the number of the others. */
  static List<String> shortened(List<String> problems) {
    Stream<String> first =
        problems.stream().limit(MOST).map(problem -> OneLine.of(problem, LONGEST));
    return problems.size() <= MOST
        ? first.toList()
        : Stream.concat(first, Stream.of("and " + (problems.size() - MOST) + " more")).toList();
  }
}
