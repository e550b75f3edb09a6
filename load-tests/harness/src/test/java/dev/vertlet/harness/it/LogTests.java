package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Logs of the {@link StreamPods}: the part of {@link StreamTests} that bytes go one way in. */
interface LogTests {
  KubectlRuns kubectl();

  private List<String> log(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("logs", "talker", "-c", "main"));
    all.addAll(List.of(arguments));
    return kubectl().output(all.toArray(String[]::new)).lines().toList();
  }

  @Test
  @Tag("C56")
  default void logsHaveTheLinesThatWereAskedFor() throws Exception {
    assertThat(log().get(0)).isEqualTo("container main started");
    assertThat(log("--tail=3")).hasSize(3).allMatch(line -> line.startsWith("request "));
    assertThat(log("--tail=0")).isEmpty();
    assertThat(kubectl().output("logs", "talker", "-c", "main", "--limit-bytes=12"))
        .isEqualTo("container ma");
    assertThat(log("--timestamps", "--tail=1").get(0))
        .matches(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d+(Z|[+-]\\d\\d:\\d\\d) request .*");
    assertThat(log("--since=1h").get(0)).isEqualTo("container main started");
    assertThat(log("--since=1s")).isNotEmpty().doesNotContain("container main started");
    assertThat(log("--since-time=" + Instant.now().plusSeconds(3600).toString())).isEmpty();
    String started = log("--timestamps").get(0);
    assertThat(started).endsWith(" container main started");
    // kubectl hands on whole seconds
    Instant later =
        OffsetDateTime.parse(started.split(" ")[0]).toInstant().plusSeconds(1).truncatedTo(SECONDS);
    eventually(
        () ->
            assertThat(log("--since-time=" + later))
                .isNotEmpty()
                .doesNotContain("container main started"));
    assertThat(kubectl().output("logs", "talker", "-c", "silent"))
        .isEqualTo("container silent started\n");
    assertThat(kubectl().output("logs", "talker", "--all-containers"))
        .contains("container main started\n", "container silent started\n");
    assertThat(kubectl().output("logs", "-l", "app=streams", "-c", "silent"))
        .isEqualTo("container silent started\n");
    assertThat(
            kubectl()
                .output("logs", "-l", "app=streams", "--all-containers", "--prefix", "--tail=1")
                .lines())
        .contains("[pod/talker/silent] container silent started")
        .anyMatch(line -> line.startsWith("[pod/talker/main] request "));
    assertThat(kubectl().output("logs", "restarting", "--previous").lines().toList())
        .startsWith("container main started")
        .endsWith("container main ended with exit code 3");
    assertThat(
            kubectl()
                .output("logs", "restarting", "--previous", "--timestamps", "--limit-bytes=20"))
        .hasSize(20)
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.?");
    assertThat(
            kubectl()
                .output(
                    "logs", "talker", "-c", "silent", "--insecure-skip-tls-verify-backend=true"))
        .isEqualTo("container silent started\n");
  }

  @Test
  default void logsOfManyContainersAreToldApart() throws Exception {
    List<String> all =
        kubectl()
            .output(
                "logs",
                "crowd",
                "--all-containers",
                "--prefix",
                "--timestamps",
                "--tail=2",
                "--since-time=" + Instant.now().minusSeconds(3600))
            .lines()
            .toList();

    assertThat(all)
        .hasSize(2 * StreamPods.CROWD)
        .allMatch(line -> line.matches("\\[pod/crowd/main\\d\\] \\d{4}-\\d\\d-\\d\\dT\\S+ .+"));
    for (int i = 0; i < StreamPods.CROWD; i++) {
      String prefix = "[pod/crowd/main" + i + "] ";
      assertThat(all).filteredOn(line -> line.startsWith(prefix)).hasSize(2);
    }
    assertThat(kubectl().output("logs", "service/talkers", "-c", "silent"))
        .isEqualTo("container silent started\n");
  }

  @Test
  default void asManyLogsAreFollowedAsSomebodyAllows() throws Exception {
    String[] follow = {"logs", "-f", "-l", "app=crowd", "--all-containers", "--prefix"};

    assertThat(kubectl().error(follow))
        .contains(
            "you are attempting to follow %d log streams, but maximum allowed concurrency is 5"
                .formatted(StreamPods.CROWD));

    String[] more = Arrays.copyOf(follow, follow.length + 1);
    more[follow.length] = "--max-log-requests=" + StreamPods.CROWD;
    try (KubectlRuns.Run run = kubectl().start(Wire.WEBSOCKET, more)) {
      for (int i = 0; i < StreamPods.CROWD; i++) {
        String prefix = "[pod/crowd/main" + i + "] request ";
        await()
            .until(
                () -> run.out().lines().filter(line -> line.startsWith(prefix)).count(),
                count -> count > 30);
      }
      assertThat(run.process().isAlive()).as(run.err()).isTrue();
    }
  }

  @Test
  @Tag("C56")
  default void aLogIsFollowedUntilSomebodyStops() throws Exception {
    try (KubectlRuns.Run run =
        kubectl().start(Wire.WEBSOCKET, "logs", "-f", "talker", "-c", "main", "--tail=1")) {
      await().until(() -> run.out().lines().count() > 30);
      assertThat(run.process().isAlive()).isTrue();
    }
  }

  /** Until somebody deletes it, whatever became of its sandbox. */
  @Test
  default void thePodThatIsOverKeepsItsLogs() throws Exception {
    kubectl()
        .output("wait", "--for=jsonpath={.status.phase}=Failed", "pod/over", KubectlRuns.LIMIT);

    assertThat(kubectl().output("logs", "over", "-c", "good").lines().toList())
        .startsWith("container good started")
        .endsWith("container good ended with exit code 0");
    assertThat(kubectl().output("logs", "over", "-c", "bad").lines().toList())
        .startsWith("container bad started")
        .endsWith("container bad ended with exit code 3");
    try (KubectlRuns.Run run =
        kubectl().start(Wire.WEBSOCKET, "logs", "-f", "over", "-c", "bad", "--tail=1")) {
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).isEqualTo("container bad ended with exit code 3\n");
    }
    assertThat(kubectl().error("logs", "over", "-c", "bad", "--previous"))
        .contains("previous terminated container \"bad\" in pod \"over\" not found");
  }

  @Test
  default void logsThatAreNotThereSayWhy() throws Exception {
    assertThat(kubectl().error("logs", "talker", "-c", "none"))
        .contains("container none is not valid for pod talker");
    assertThat(kubectl().error("logs", "talker", "-c", "main", "--previous"))
        .contains("previous terminated container \"main\" in pod \"talker\" not found");
    assertThat(kubectl().error("logs", "waiting"))
        .contains("container \"main\" in pod \"waiting\" is waiting to start");
    assertThat(kubectl().error("exec", "waiting", "--", "true"))
        .contains("container not found (\"main\")");
  }
}
