package dev.vertlet.harness.acceptance;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes docs/acceptance.md. */
final class AcceptanceDoc {
  private static final String HEAD =
      """
      # Acceptance

      <!-- Written from load-tests/harness/src/test/resources/acceptance.txt and the sources of the tests. To write it anew:
           mvn -pl load-tests/harness -am test -Dtest=AcceptanceDocTest -Dsurefire.failIfNoSpecifiedTests=false -Dvertlet.docs.write=true -->

      What vertlet is held to, and the tests that hold it: those whose names, display names, tags or Javadoc have the row's
      id. The nearer to a cluster a test is, the further right it stands.
      """;

  private final List<Row> rows;
  private final List<TestCase> tests;

  AcceptanceDoc(List<Row> rows, List<TestCase> tests) {
    this.rows = rows;
    this.tests = tests;
  }

  String write() {
    StringBuilder page = new StringBuilder(HEAD);
    List<String> bare =
        rows.stream().filter(row -> row.tests(tests).isEmpty()).map(Row::id).toList();
    page.append("\n%d rows, %d of them without a test".formatted(rows.size(), bare.size()))
        .append(bare.isEmpty() ? ".\n" : ": " + String.join(", ", bare) + ".\n");
    Map<String, List<Row>> sections =
        rows.stream().collect(groupingBy(Row::section, LinkedHashMap::new, toList()));
    sections.forEach(
        (section, members) -> {
          page.append("\n## ").append(section).append("\n\n").append(columns());
          members.forEach(row -> page.append(line(row)));
        });
    return page.toString();
  }

  private static String columns() {
    StringBuilder head = new StringBuilder("| id | what holds |");
    StringBuilder rule = new StringBuilder("|---|---|");
    for (Ring ring : Ring.values()) {
      head.append(' ').append(ring.title()).append(" |");
      rule.append("---|");
    }
    return head.append('\n').append(rule).append('\n').toString();
  }

  private String line(Row row) {
    List<TestCase> found = row.tests(tests);
    StringBuilder line =
        new StringBuilder("| %s | %s |".formatted(row.id(), row.meaning().replace("|", "\\|")));
    for (Ring ring : Ring.values()) {
      String names =
          found.stream()
              .filter(test -> test.ring() == ring)
              .map(test -> "`" + test.name() + "`")
              .distinct()
              .collect(joining(", "));
      line.append(names.isEmpty() ? " |" : " " + names + " |");
    }
    return line.append('\n').toString();
  }
}
