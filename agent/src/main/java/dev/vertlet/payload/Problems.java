package dev.vertlet.payload;

import dev.vertlet.problem.OneLine;
import java.util.List;
import java.util.stream.Stream;

/** Shortens lists of problems to what a line of the log can have: anybody may write a payload. */
final class Problems {
  /** A payload may have a hundred thousand problems; a person mends the first ones. */
  private static final int MOST = 50;

  /** Of one problem, in characters: a payload may have keys of any length. */
  private static final int LONGEST = 1_000;

  private Problems() {}

  /** The first ones, each in one short line, and how many more there are. */
  static List<String> shortened(List<String> problems) {
    Stream<String> first =
        problems.stream().limit(MOST).map(problem -> OneLine.of(problem, LONGEST));
    return problems.size() <= MOST
        ? first.toList()
        : Stream.concat(first, Stream.of("and " + (problems.size() - MOST) + " more")).toList();
  }
}
