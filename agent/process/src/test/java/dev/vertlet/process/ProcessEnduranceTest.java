package dev.vertlet.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.host.files.Directories;
import dev.vertlet.host.logs.LogSegments;
import dev.vertlet.host.proc.Proc;
import dev.vertlet.model.ContainerStateView.Terminated;
import dev.vertlet.process.RuntimeLab.Pod;
import dev.vertlet.provider.ContainerRecord;
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

  @Test
  void killedAgentsAndShimsLoseNeitherEndsNorLines() throws IOException {
    lab.with("containerLogMaxBytes", 20_000).with("containerLogMaxFiles", 1000).restart();
    int actions = Rings.isFull() ? 300 : 30;
    Random random = Seeds.random(1);
    String count = "i=0; while :; do i=$((i+1)); echo $i; sleep 0.01; done";
    List<Pod> pods = new ArrayList<>();
    List<ContainerRecord> containers = new ArrayList<>();
    List<Integer> codes = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Pod pod = lab.pod("p" + i, "sh", "-c", count);
      pods.add(pod);
      containers.add(lab.run(pod));
      codes.add(0);
    }
    for (int i = 0; i < actions; i++) {
      int victim = random.nextInt(pods.size());
      ShimState state = lab.shim(pods.get(victim));
      int what = random.nextInt(10);
      if (what < 6) {
        lab.restart();
      } else if (codes.get(victim) == 0 && codes.stream().filter(c -> c == 0).count() > 3) {
        long killed = what < 8 ? state.shim() : state.pid();
        codes.set(victim, what < 8 ? -1 : 137);
        ProcessHandle.of(killed).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
    lab.restart();

    for (int i = 0; i < pods.size(); i++) {
      ContainerRecord container = containers.get(i);
      if (codes.get(i) == 0) {
        assertThat(lab.listed(container.id())).isEqualTo(container);
        lab.stop(pods.get(i), container.id(), Duration.ofSeconds(30));
      }
      Terminated end = lab.end(container.id());
      assertThat(end.exitCode()).isEqualTo(codes.get(i) == 0 ? 143 : 137);
      assertThat(end.reason()).isEqualTo(codes.get(i) < 0 ? "ContainerStatusUnknown" : "Error");
      assertThat(left(container)).isZero();
      List<String> lines = lines(lab.directory(pods.get(i), 0));
      assertThat(String.join(" ", lines))
          .isEqualTo(
              String.join(
                  " ", IntStream.rangeClosed(1, lines.size()).mapToObj(n -> "" + n).toList()));
    }
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

  @Measuring
  @Test
  void twoHundredPodsNeedLittleMemory() throws IOException {
    int count = 200;
    List<Pod> pods =
        IntStream.range(0, count).mapToObj(i -> lab.pod("p" + i, "sleep", "1000")).toList();
    long begin = System.nanoTime();

    List<Future<ContainerRecord>> started =
        pods.stream()
            .map(
                pod ->
                    lab.begin(() -> lab.sandbox(pod).compose(made -> lab.start(pod, 0, List.of()))))
            .toList();
    lab.call(() -> Future.all(started));

    long millis = (System.nanoTime() - begin) / 1_000_000;
    long kib = 0;
    for (Pod pod : pods) {
      kib += pss(lab.shim(pod).shim());
    }
    System.out.println(count + " pods in " + millis + " ms, " + kib / count + " KiB a shim");
    assertThat(kib / count).as("KiB of a shim").isLessThan(1024);
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
