package dev.vertlet.harness.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.harness.scenario.Arrival;
import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.harness.scenario.Placement;
import dev.vertlet.harness.scenario.Scenario;
import dev.vertlet.harness.scenario.ScheduledFault;
import dev.vertlet.harness.scenario.ScheduledFault.RestartApiServer;
import dev.vertlet.harness.scenario.ScheduledFault.RestartSubject;
import dev.vertlet.harness.scenario.Threshold;
import dev.vertlet.harness.subject.SubjectParser;
import dev.vertlet.harness.subject.SubjectSpec;
import dev.vertlet.kubelet.KubeletOptions.Profile;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadTestOptionsTest {
  private static final SubjectSpec IN_PROCESS = new SubjectSpec.InProcess("here", Profile.FAST);
  private static final SubjectSpec VERTLET =
      new SubjectSpec.Vertlet("v", Profile.FAST, List.of(), Map.of());
  private static final Phase HOLD = new Phase.Hold("h", false, Duration.ofSeconds(1));
  private static final Target EMBEDDED = new Target.Embedded();
  private static final Target PLANE = new Target.LocalControlPlane();

  private static LoadTestOptions options(
      Target target, SubjectSpec subject, Phase phase, ScheduledFault.Kind... faults) {
    List<ScheduledFault> scheduled =
        Stream.of(faults)
            .map(kind -> new ScheduledFault(Duration.ZERO, Duration.ZERO, kind))
            .toList();
    Scenario scenario =
        new Scenario(
            "s", "", 2, 1, Placement.BOUND, 1, 30, 7, List.of(phase), scheduled, List.of());
    return new LoadTestOptions(
        target, Optional.empty(), scenario, subject, false, false, List.of());
  }

  @Test
  void serviceLevelsNeedARealApiServer() {
    Threshold level =
        new Threshold("service_levels.lists.p99_ms", Double.NEGATIVE_INFINITY, 30_000);
    Scenario scenario =
        new Scenario(
            "s", "", 2, 1, Placement.BOUND, 1, 30, 7, List.of(HOLD), List.of(), List.of(level));

    assertThatThrownBy(
            () ->
                new LoadTestOptions(
                        EMBEDDED, Optional.empty(), scenario, VERTLET, false, false, List.of())
                    .require())
        .hasMessage(
            "the scenario s judges service levels, which needs a real API server: the target must"
                + " be control-plane or a kubeconfig file");
    assertThatCode(
            () ->
                new LoadTestOptions(
                        PLANE, Optional.empty(), scenario, VERTLET, false, false, List.of())
                    .require())
        .doesNotThrowAnyException();
  }

  @Test
  void onlyAControlPlaneOfOursIsRestarted() {
    ScheduledFault.Kind restart = new RestartApiServer(Duration.ZERO);

    assertThatThrownBy(() -> options(EMBEDDED, VERTLET, HOLD, restart).require())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the scenario s restarts the API server, which needs the target control-plane");
    assertThatCode(() -> options(PLANE, VERTLET, HOLD, restart).require())
        .doesNotThrowAnyException();
  }

  @Test
  void whatHasNoProcessIsNotKilled() {
    LoadTestOptions kill =
        options(EMBEDDED, IN_PROCESS, HOLD, new RestartSubject(Duration.ZERO, false));
    LoadTestOptions end =
        options(EMBEDDED, IN_PROCESS, HOLD, new RestartSubject(Duration.ZERO, true));

    assertThatThrownBy(kill::require)
        .hasMessage("the scenario s kills the subject, and here has no process of its own");
    assertThatCode(end::require).doesNotThrowAnyException();
  }

  @Test
  void deploymentsNeedControllers() {
    Phase deploy = new Phase.Deploy("d", false, 1, 1, new Arrival.Burst(1));

    assertThatThrownBy(() -> options(EMBEDDED, VERTLET, deploy).require())
        .hasMessage(
            "the scenario s has Deployments, which the embedded API server has no controllers for");
  }

  @Test
  void onlyVertletIsConfigured(@TempDir Path dir) throws Exception {
    Phase rollout = new Phase.Rollout("r", false, new JsonObject().put("maxPods", 5));
    Path file = Files.writeString(dir.resolve("p.json"), "{\"name\": \"p\", \"command\": [\"a\"]}");
    SubjectSpec other = new SubjectParser(dir, Profile.FAST).parse(file.toString());

    assertThatThrownBy(() -> options(EMBEDDED, other, rollout).require())
        .hasMessage("the scenario s rolls out configs of nodes, which p does not take");
    assertThatCode(() -> options(EMBEDDED, VERTLET, rollout).require()).doesNotThrowAnyException();
  }

  @Test
  void aSubjectMayServeFewNodesOnly(@TempDir Path dir) throws Exception {
    Path file =
        Files.writeString(
            dir.resolve("p.json"), "{\"name\": \"p\", \"command\": [\"a\"], \"maxNodes\": 1}");
    SubjectSpec one = new SubjectParser(dir, Profile.FAST).parse(file.toString());

    assertThatThrownBy(() -> options(EMBEDDED, one, HOLD).require())
        .hasMessage("the scenario s has 2 nodes, and p serves 1 at most");
  }

  @Test
  void onlyRestartsGoWithoutAProxy() {
    assertThat(
            options(
                    PLANE,
                    VERTLET,
                    HOLD,
                    new RestartApiServer(Duration.ZERO),
                    new RestartSubject(Duration.ZERO, false))
                .needsProxy())
        .isFalse();
    assertThat(options(PLANE, VERTLET, HOLD, new ScheduledFault.CutWatches()).needsProxy())
        .isTrue();
  }

  @Test
  void twoSubjectsOfOneNameCannotBeCompared() {
    LoadTestOptions options = options(EMBEDDED, VERTLET, HOLD);

    assertThatThrownBy(() -> new Comparing(options, List.of(VERTLET, IN_PROCESS, VERTLET), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two subjects are named v");
  }
}
