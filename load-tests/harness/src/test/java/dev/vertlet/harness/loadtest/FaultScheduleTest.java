package dev.vertlet.harness.loadtest;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.result.RunResult.FaultRecord;
import dev.vertlet.harness.run.RunDir;
import dev.vertlet.harness.scenario.Scenarios;
import dev.vertlet.harness.scenario.ScheduledFault;
import dev.vertlet.harness.scenario.ScheduledFault.CutWatches;
import dev.vertlet.harness.scenario.ScheduledFault.RestartApiServer;
import dev.vertlet.harness.scenario.ScheduledFault.RestartSubject;
import dev.vertlet.harness.subject.Subject;
import dev.vertlet.harness.subject.SubjectEnvironment;
import dev.vertlet.harness.subject.SubjectParser;
import dev.vertlet.kubelet.KubeletOptions.Profile;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FaultScheduleTest {
  private final RunDir dir = RunDir.create("vertlet-fault-schedule-test-");
  private final Subject subject =
      Subject.of(
          new SubjectParser(Path.of("/"), Profile.FAST).parse("x=sleep 600"),
          new SubjectEnvironment(
              new LoadPlan(Path.of("/k"), "p", "n", "s", Scenarios.simple(1, 1, Optional.empty())),
              Path.of("/k"),
              dir,
              Map.of("PATH", System.getenv("PATH"))));
  private final Faults faults =
      new Faults(Optional.empty(), Optional.empty(), subject, () -> {}, lasting -> {});

  @AfterEach
  void end() throws Exception {
    subject.close();
    dir.close();
  }

  private FaultSchedule begin(int atMillis, int everyMillis, ScheduledFault.Kind kind) {
    return FaultSchedule.begin(
        List.of(
            new ScheduledFault(Duration.ofMillis(atMillis), Duration.ofMillis(everyMillis), kind)),
        faults);
  }

  @Test
  void aSubjectIsRestartedAgainAndAgain() throws Exception {
    subject.start();
    try (FaultSchedule schedule = begin(10, 50, new RestartSubject(Duration.ofMillis(20), false))) {
      eventually(
          () ->
              assertThat(schedule.records())
                  .extracting(FaultRecord::what)
                  .startsWith(
                      "subject killed",
                      "subject started again",
                      "subject killed",
                      "subject started again"));
      schedule.requireFine();
      assertThat(schedule.records())
          .isSortedAccordingTo(Comparator.comparingDouble(FaultRecord::seconds));
    }
  }

  @Test
  void anOrderlyEndIsToldAsOne() throws Exception {
    subject.start();
    try (FaultSchedule schedule = begin(0, 0, new RestartSubject(Duration.ZERO, true))) {
      eventually(
          () ->
              assertThat(schedule.records())
                  .extracting(FaultRecord::what)
                  .containsExactly("subject told to end", "subject started again"));
      subject.requireAlive();
    }
  }

  @Test
  void nothingHappensAfterItsEnd() throws Exception {
    FaultSchedule schedule = begin(1, 1, new RestartSubject(Duration.ZERO, false));
    await().until(() -> !schedule.records().isEmpty());

    schedule.close();

    int happened = schedule.records().size();
    try (FaultSchedule next = begin(1, 1, new RestartSubject(Duration.ZERO, false))) {
      eventually(() -> assertThat(next.records()).hasSizeGreaterThan(3));
    }
    assertThat(schedule.records()).hasSize(happened);
  }

  @Test
  void aFaultThatComesToNothingLaterIsTold() throws Exception {
    try (FaultSchedule schedule = FaultSchedule.begin(List.of(), faults)) {
      schedule.begun(Future.failedFuture("the port is taken"));

      assertThatThrownBy(schedule::requireFine)
          .isInstanceOf(FailedException.class)
          .hasMessage("a fault went wrong: the port is taken");
    }
  }

  @Test
  void aFaultForWhoseTimeTheRunWasTooShortIsTold() throws Exception {
    subject.start();
    ScheduledFault once =
        new ScheduledFault(Duration.ZERO, Duration.ZERO, new RestartSubject(Duration.ZERO, false));
    ScheduledFault late = new ScheduledFault(Duration.ofHours(1), Duration.ZERO, new CutWatches());
    try (FaultSchedule schedule = FaultSchedule.begin(List.of(once, late), faults)) {
      await().until(() -> schedule.records().size() == 2);

      schedule.tellMissed();

      assertThat(schedule.records())
          .extracting(FaultRecord::what)
          .containsExactly(
              "subject killed",
              "subject started again",
              "did not happen, the run was over before 1h0m0s: cutWatches");
    }
  }

  static List<ScheduledFault.Kind> withoutTheirMeans() {
    return List.of(new CutWatches(), new RestartApiServer(Duration.ZERO));
  }

  @ParameterizedTest
  @MethodSource("withoutTheirMeans")
  void aFaultThatCannotBeBroughtAboutIsTold(ScheduledFault.Kind kind) throws Exception {
    try (FaultSchedule schedule = begin(0, 0, kind)) {
      eventually(
          () ->
              assertThatThrownBy(schedule::requireFine)
                  .isInstanceOf(FailedException.class)
                  .hasMessage("a fault went wrong: a fault without its means"));
    }
  }
}
