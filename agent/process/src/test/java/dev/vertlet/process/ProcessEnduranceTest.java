package dev.vertlet.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.host.files.Directories;
import dev.vertlet.host.logs.LogSegments;
import dev.vertlet.host.proc.Proc;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.process.RuntimeLab.Pod;
import dev.vertlet.process.shim.ShimState;
import dev.vertlet.process.store.StoredContainer;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.testsupport.Measuring;
import dev.vertlet.testsupport.Rings;
import dev.vertlet.testsupport.Seeds;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
final class ProcessEnduranceTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path root;

  @SuppressWarnings("NullAway.Init") // set before each test
  private RuntimeLab lab;

  @BeforeEach
  void openLab() {
    lab = new RuntimeLab(root).restart();
  }

  @AfterEach
  void closeLab() throws IOException {
    lab.close();
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  private static long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }

  private static int left(ContainerRecord container) throws IOException {
    return MarkedProcesses.kill(container.id().substring(StoredContainer.SCHEME.length()));
  }

  @Test
  @Tag("P04")
  void startsAndStopsLeaveNothingBehind() throws IOException {
    int cycles = Rings.isFull() ? 1000 : 60;
    long before = 0;
    for (int i = 0; i < cycles; i++) {
      String command = List.of("true", "sleep", "no-such-program").get(i % 3);
      Pod pod = lab.pod("p" + i, command, "1000");
      lab.call(() -> lab.sandbox(pod));
      lab.call(() -> lab.start(pod, 0, List.of()).otherwiseEmpty());
      lab.call(() -> lab.runtime().removeSandbox(pod.ref()));
      Directories.delete(lab.pods().resolve(pod.ref().uid()));
      before = i == 10 ? openFiles() : before;
    }

    assertThat(lab.call(() -> lab.runtime().list())).isEmpty();
    await().until(() -> isEmpty(root.resolve("run").resolve("s")));
    assertThat(isEmpty(lab.pods())).isTrue();
    long allowed = before + 10;
    await().until(() -> openFiles() <= allowed);
    long own = ProcessHandle.current().pid();
    assertThat(Proc.all()).noneMatch(process -> process.parent() == own && process.state() == 'Z');
  }

  /** A container that counts, and what is done to it. */
  private record Counter(Pod pod, ContainerRecord container) {}

  private Counter counter(int number) {
    String count = "i=0; while :; do i=$((i+1)); echo $i; sleep 0.01; done";
    Pod pod = lab.pod("p" + number, "sh", "-c", count);
    return new Counter(pod, lab.run(pod));
  }

  /** Ten minutes in the full ring. A counter that was killed is replaced by another. */
  @Test
  @Tag("P02")
  void killedAgentsAndShimsLoseNeitherEndsNorLines() throws IOException {
    lab.with("containerLogMaxBytes", 20_000).with("containerLogMaxFiles", 1000).restart();
    long until = System.nanoTime() + (Rings.isFull() ? Duration.ofMinutes(10).toNanos() : 0);
    Random random = Seeds.random(1);
    int started = 12;
    List<Counter> counters =
        new ArrayList<>(IntStream.range(0, started).mapToObj(this::counter).toList());
    int kills = 0;
    for (int i = 0; i < 30 || System.nanoTime() < until; i++) {
      int victim = random.nextInt(counters.size());
      Counter counter = counters.get(victim);
      int action = random.nextInt(10);
      if (action < 6) {
        lab.restart();
        continue;
      }
      boolean shimKilled = action < 8;
      ShimState state = lab.shim(counter.pod());
      ProcessHandle.of(shimKilled ? state.shim() : state.pid())
          .ifPresent(ProcessHandle::destroyForcibly);
      if (random.nextBoolean()) {
        lab.restart();
      }
      ended(counter, 137, shimKilled ? "ContainerStatusUnknown" : "Error");
      counters.set(victim, counter(started++));
      kills++;
    }
    lab.restart();

    assertThat(kills).as("containers that were killed").isPositive();
    for (Counter counter : counters) {
      ContainerRecord container = counter.container();
      assertThat(lab.listed(container.id())).isEqualTo(container);
      lab.stop(counter.pod(), container.id(), Duration.ofSeconds(30));
      ended(counter, 143, "Error");
    }
    System.out.println(kills + " of " + started + " containers were killed");
    await().until(() -> isEmpty(root.resolve("run").resolve("s")));
  }

  private void ended(Counter counter, int code, String reason) throws IOException {
    Terminated end = lab.end(counter.container().id());
    assertThat(end.exitCode()).isEqualTo(code);
    assertThat(end.reason()).isEqualTo(reason);
    assertThat(left(counter.container())).isZero();
    List<String> lines = lines(lab.directory(counter.pod(), 0));
    assertThat(String.join(" ", lines))
        .isEqualTo(
            String.join(
                " ", IntStream.rangeClosed(1, lines.size()).mapToObj(n -> "" + n).toList()));
  }

  private static List<String> lines(Path directory) throws IOException {
    List<String> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file :
          files
              .filter(path -> path.getFileName().toString().startsWith("log."))
              .sorted()
              .toList()) {
        all.addAll(Files.readAllLines(file));
      }
    }
    all.addAll(Files.readAllLines(directory.resolve(LogSegments.CURRENT)));
    return all.stream().map(line -> line.substring(ShimLab.TEXT)).toList();
  }

  /**
   * Measures what 200 pods cost: the time until all run, and the memory of shims and of this JVM,
   * which stands for the agent's.
   */
  @Measuring
  @Test
  void twoHundredPodsNeedLittleTimeAndMemory() throws IOException {
    int count = 200;
    lab.run(lab.pod("warm", "sleep", "1000"));
    List<Pod> pods =
        IntStream.range(0, count).mapToObj(i -> lab.pod("p" + i, "sleep", "1000")).toList();
    long agent = pss(ProcessHandle.current().pid());
    long begin = System.nanoTime();

    List<Future<ContainerRecord>> started =
        pods.stream()
            .map(
                pod ->
                    lab.begin(() -> lab.sandbox(pod).compose(made -> lab.start(pod, 0, List.of()))))
            .toList();
    lab.call(() -> Future.all(started));

    long millis = (System.nanoTime() - begin) / 1_000_000;
    long shims = 0;
    for (Pod pod : pods) {
      shims += pss(lab.shim(pod).shim());
    }
    long grown = Math.max(0, pss(ProcessHandle.current().pid()) - agent);
    System.out.printf(
        "%d pods in %d ms; PSS in KiB a pod: %d of the shim, %d of the agent%n",
        count, millis, shims / count, grown / count);
    assertThat(millis).as("ms until 200 pods run").isLessThan(5000);
    assertThat((shims + grown) / count).as("KiB a pod").isLessThan(3 * 1024);
    lab.call(
        () -> Future.all(pods.stream().map(p -> lab.runtime().removeSandbox(p.ref())).toList()));
  }

  private static long pss(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(pid), "smaps_rollup")).stream()
        .filter(line -> line.startsWith("Pss:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .sum();
  }
}
