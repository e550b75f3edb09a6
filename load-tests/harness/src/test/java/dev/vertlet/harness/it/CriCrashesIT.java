package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Rings;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agent and container runtime are killed again and again while containers run. */
@ClusterTest(controllers = true)
@Needs(Tool.CONTAINERS)
@Tag("containers")
class CriCrashesIT {
  private static final String NODE = "cri-crashes";
  private static final int PODS = Rings.isFull() ? 30 : 5;

  /** {@code -Dvertlet.test.crashes.seconds}: how long to kill; two rounds at least. */
  private static final Duration TIME =
      Duration.ofSeconds(Long.getLong("vertlet.test.crashes.seconds", Rings.isFull() ? 600L : 0L));

  /** {@code -Dvertlet.test.crashes.seed} repeats the choices of another run. */
  private static final long SEED = Long.getLong("vertlet.test.crashes.seed", 6L);

  private static final String COUNTING = "i=0; while :; do i=$((i+1)); echo $i; sleep 0.5; done";

  @TempDir private Path folder;

  private final ContainerLab lab = new ContainerLab();
  private final Random random = new Random(SEED);

  @AfterEach
  void removeAll(TestCluster cluster) {
    ContainerLab.removeAll(cluster);
  }

  /** What is killed in one round. */
  private enum Victim {
    AGENT,
    RUNTIME,
    BOTH
  }

  /** Number of lines by log, which grows by two each second. */
  private Map<Path, Long> lines() throws IOException {
    Map<Path, Long> lines = new HashMap<>();
    try (Stream<Path> all = Files.walk(folder.resolve("data/logs"))) {
      for (Path log : all.filter(path -> path.toString().endsWith(".log")).toList()) {
        try (Stream<String> text = Files.lines(log)) {
          lines.put(log, text.count());
        }
      }
    }
    return lines;
  }

  /**
   * Waits until each container has written a random number of times. A runtime that has started
   * first writes what has waited in the pipes; what it has read of them and not yet written is lost
   * with it, so that it must have caught up before it is killed again.
   */
  private void letThemCount() throws IOException {
    int times = random.nextInt(3, 9);
    for (int i = 0; i < times; i++) {
      Map<Path, Long> before = lines();
      eventually(
          () ->
              assertThat(lines())
                  .hasSize(PODS)
                  .allSatisfy((log, count) -> assertThat(count).isGreaterThan(before.get(log))));
    }
  }

  @Test
  @Tag("X06")
  void noContainerIsTouchedAndNoLineIsLost(TestCluster cluster) throws Exception {
    cluster.grant(Manifests.SECRETS);
    cluster.grant(Manifests.CONTENT);
    Path config =
        Files.writeString(
            folder.resolve("vertlet.json"),
            lab.config(NODE, folder.resolve("data")).encodePrettily());
    AgentProcess.Setup setup = AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig());
    AgentProcess agent = cluster.agent(setup);
    cluster
        .pods()
        .createMany(
            "p",
            PODS,
            i -> NODE,
            spec(
                "{terminationGracePeriodSeconds: 0, containers: [{name: main, image: '"
                    + ContainerLab.BUSYBOX
                    + "', command: [sh, -c, '"
                    + COUNTING
                    + "']}]}"));
    cluster.kubectl("wait", "--for=condition=Ready", "pods", "--all", "--timeout=180s");
    Map<String, String> before = ContainerLab.ids(cluster);

    Instant end = Instant.now().plus(TIME);
    for (int round = 0; round < 2 || Instant.now().isBefore(end); round++) {
      letThemCount();
      Victim victim = Victim.values()[random.nextInt(3)];
      if (victim != Victim.RUNTIME) {
        agent.kill();
      }
      if (victim != Victim.AGENT) {
        lab.killRuntime();
        lab.startRuntime();
      }
      if (victim != Victim.RUNTIME) {
        // the next round may kill it while it starts
        agent = cluster.closeAfterTest(setup.start());
      }
    }
    agent.awaitReady();
    eventually(() -> assertThat(cluster.isReady(NODE)).isTrue());

    assertThat(ContainerLab.ids(cluster)).as("seed %d", SEED).isEqualTo(before);
    assertThat(cluster.pods().list())
        .map(TestPods::firstContainer)
        .extracting(ContainerStatus::getRestartCount)
        .containsOnly(0);
    assertThat(lab.containers(NODE))
        .containsExactlyInAnyOrderElementsOf(
            before.keySet().stream().flatMap(pod -> Stream.of(pod + "/", pod + "/main")).toList());
    for (String pod : before.keySet()) {
      List<String> lines = cluster.kubectl("logs", pod).lines().toList();
      assertThat(lines)
          .as("lines of %s with seed %d", pod, SEED)
          .isNotEmpty()
          .isEqualTo(IntStream.rangeClosed(1, lines.size()).mapToObj(String::valueOf).toList());
    }
  }
}
