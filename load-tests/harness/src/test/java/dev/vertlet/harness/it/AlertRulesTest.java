package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.FullRing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts on made-up samples of several agents, for hours that take a second. */
@FullRing
@Needs(Tool.PROMETHEUS)
class AlertRulesTest {
  private static final Path TESTS = Path.of("src", "test", "resources", "alerts.test.yml");
  private static final Pattern EXPECTED = Pattern.compile("alertname=\"(\\w+)\"");

  @TempDir private Path folder;

  @Test
  void eachCauseFiresTheAlertOfItsAgentAndNoOther() throws Exception {
    Files.writeString(folder.resolve("rules.yml"), AlertRules.read().file());
    Path tests = Files.copy(TESTS, folder.resolve("alerts.test.yml"));

    Launcher.Outcome outcome =
        Launcher.await(
            Launcher.process(
                    folder, List.of(Prometheus.RULES_PROGRAM, "test", "rules", tests.toString()))
                .start(),
            folder);

    assertThat(outcome.exitCode()).as("%s", outcome).isZero();
  }

  @Test
  void everyAlertIsFiredByACause() throws Exception {
    Set<String> fired = new TreeSet<>(AlertCauses.AGENTS.keySet());
    EXPECTED
        .matcher(Files.readString(TESTS))
        .results()
        .map((MatchResult found) -> found.group(1))
        .forEach(fired::add);

    assertThat(fired).isEqualTo(AlertRules.read().names());
  }
}
