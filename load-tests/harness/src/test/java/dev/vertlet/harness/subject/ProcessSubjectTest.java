package dev.vertlet.harness.subject;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.measure.ProcessUsage;
import dev.vertlet.harness.run.RunDir;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessSubjectTest {
  @AutoClose private final RunDir dir = RunDir.create("vertlet-subject-test-");
  private final Path pids = dir.file("pids");

  @BeforeEach
  void noPids() throws Exception {
    Files.createFile(pids);
  }

  /** A shell that has started another process, both of which tell their ids. */
  private ProcessSubject subject(String then) {
    String script = "sleep 600 & echo $! $$ > " + pids + "; " + then;
    return new ProcessSubject(
        new CommandLine(List.of("/bin/sh", "-c", script), Map.of("PATH", System.getenv("PATH"))),
        dir);
  }

  private List<ProcessHandle> processes() throws Exception {
    await().until(() -> !Files.readString(pids).isBlank());
    return List.of(Files.readString(pids).strip().split(" ")).stream()
        .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
        .toList();
  }

  @Test
  void killEndsAllThatItStarted() throws Exception {
    try (ProcessSubject subject = subject("wait")) {
      subject.start();
      List<ProcessHandle> processes = processes();
      assertThat(processes).hasSize(2);
      subject.requireAlive();

      subject.kill();

      subject.requireAlive();
      assertThat(processes).allSatisfy(p -> p.onExit().get());
    }
  }

  @Test
  void terminateLetsItEndInOrder() throws Exception {
    Path farewell = dir.file("farewell");
    try (ProcessSubject subject = subject("trap 'touch " + farewell + "; exit' TERM; wait")) {
      subject.start();
      List<ProcessHandle> processes = processes();

      subject.terminate();

      assertThat(farewell).exists();
      assertThat(processes).allSatisfy(p -> p.onExit().get());
    }
  }

  @Test
  void whatItUsedBeforeARestartCounts() throws Exception {
    try (ProcessSubject subject =
        subject("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done; wait")) {
      subject.start();
      eventually(() -> assertThat(dir.file("subject.log")).content().contains("done"));
      ProcessUsage before = subject.usage();
      assertThat(before.cpu()).isPositive();
      assertThat(before.residentMiB()).isPositive();

      subject.kill();
      subject.start();

      assertThat(subject.usage().cpu()).isGreaterThanOrEqualTo(before.cpu());
    }
  }

  @Test
  void anEndThatNobodyWantedIsToldWithTheLog() throws Exception {
    try (ProcessSubject subject = subject("kill $!; echo no nodes found; exit 3")) {
      subject.start();

      eventually(
          () ->
              assertThatThrownBy(subject::requireAlive)
                  .isInstanceOf(FailedException.class)
                  .hasMessage("the subject ended with exit code 3: no nodes found"));
    }
  }
}
