package dev.vertlet.simulated;

import static dev.vertlet.simulated.DurationRule.NEVER_MILLIS;
import static dev.vertlet.simulated.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.PodView;
import dev.vertlet.provider.ProviderException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlannerTest {
  @Test
  void initContainersAndJobsFinishAndTheRestStays() {
    PodView job = pod("a").ownedBy("Job").init("setup").sidecar("proxy").view();
    PodView other = pod("b").ownedBy("ReplicaSet").init("setup").view();

    assertThat(plan(job, "setup").runFor()).isZero();
    assertThat(plan(job, "main").runFor()).isZero();
    assertThat(plan(job, "proxy").runFor()).isEqualTo(NEVER_MILLIS);
    assertThat(plan(job, "debugger").runFor()).isEqualTo(NEVER_MILLIS);
    assertThat(plan(other, "setup").runFor()).isZero();
    assertThat(plan(other, "main").runFor()).isEqualTo(NEVER_MILLIS);
  }

  @Test
  void byDefaultNothingTakesTime() {
    assertThat(plan(pod("a").view(), "main"))
        .isEqualTo(
            new Plan(0, 0, 0, NEVER_MILLIS, 0, 0, null, null, Checks.UNSET, Consumption.UNSET));
  }

  @Test
  void theFirstMatchingRuleCountsAlone() {
    PodView view = pod("a").label("app", "web").view();

    Plan plan =
        plan(
            view,
            "main",
            rule("other", Map.of("app", "db"), LifeCycle.UNSET.with(Setting.EXIT_CODE, "1")),
            rule("first", Map.of("app", "web"), LifeCycle.UNSET.with(Setting.START_DELAY, "2s")),
            rule("second", Map.of(), LifeCycle.UNSET.with(Setting.READY_DELAY, "9s")));

    assertThat(plan.startDelay()).isEqualTo(2000);
    assertThat(plan.readyDelay()).isZero();
    assertThat(plan.exitCode()).isZero();
  }

  @Test
  void selectsByNamespaceControllerAndContainer() {
    LifeCycle slow = LifeCycle.UNSET.with(Setting.START_DELAY, "1s");
    PodView view = pod("a").ownedBy("DaemonSet").containers("main", "helper").view();

    assertThat(delays(view, new SimulatedRule("r", "default", Map.of(), null, List.of(), 1, slow)))
        .containsExactly(1000L, 1000L);
    assertThat(delays(view, new SimulatedRule("r", "kube", Map.of(), null, List.of(), 1, slow)))
        .containsExactly(0L, 0L);
    assertThat(delays(view, new SimulatedRule("r", null, Map.of(), "Job", List.of(), 1, slow)))
        .containsExactly(0L, 0L);
    assertThat(
            delays(
                view,
                new SimulatedRule("r", null, Map.of(), "DaemonSet", List.of("helper"), 1, slow)))
        .containsExactly(0L, 1000L);
  }

  @Test
  void aRuleForAllContainersEndsOnlyRegularOnes() {
    PodView view = pod("a").init("setup").sidecar("proxy").view();
    LifeCycle crash =
        LifeCycle.UNSET
            .with(Setting.RUN_FOR, "5s")
            .with(Setting.EXIT_CODE, "1")
            .with(Setting.START_DELAY, "1s");

    Plan regular = plan(view, "main", rule("crash", Map.of(), crash));
    Plan init = plan(view, "setup", rule("crash", Map.of(), crash));
    Plan sidecar = plan(view, "proxy", rule("crash", Map.of(), crash));
    Plan named =
        plan(
            view,
            "setup",
            new SimulatedRule("r", null, Map.of(), null, List.of("setup"), 1, crash));

    assertThat(regular.runFor()).isEqualTo(5000);
    assertThat(regular.exitCode()).isEqualTo(1);
    assertThat(init.runFor()).isZero();
    assertThat(init.exitCode()).isZero();
    assertThat(init.startDelay()).isEqualTo(1000);
    assertThat(sidecar.runFor()).isEqualTo(NEVER_MILLIS);
    assertThat(named.runFor()).isEqualTo(5000);
    assertThat(named.exitCode()).isEqualTo(1);
  }

  @Test
  void annotationsWinSettingBySettingAndTheContainersOwnWinMost() {
    PodView view =
        pod("a")
            .annotate("run-for", "7s")
            .annotate("main.run-for", "8s")
            .annotate("exit-code", "2")
            .view();
    LifeCycle life = LifeCycle.UNSET.with(Setting.EXIT_CODE, "1").with(Setting.START_DELAY, "1s");

    Plan plan = plan(view, "main", rule("r", Map.of(), life));

    assertThat(plan.runFor()).isEqualTo(8000);
    assertThat(plan.exitCode()).isEqualTo(2);
    assertThat(plan.startDelay()).isEqualTo(1000);
  }

  @Test
  void aShareOfPodsIsTakenAndStaysTaken() {
    SimulatedRule tenth =
        new SimulatedRule(
            "bad",
            null,
            Map.of(),
            null,
            List.of(),
            0.1,
            LifeCycle.UNSET.with(Setting.EXIT_CODE, "1"));

    List<Integer> first = exitCodes(tenth);

    assertThat(first.stream().filter(code -> code == 1).count()).isBetween(70L, 130L);
    assertThat(exitCodes(tenth)).isEqualTo(first);
  }

  @Test
  void drawsDifferAmongPodsContainersAttemptsAndSeedsOnly() {
    SimulatedRule spread =
        rule("r", Map.of(), LifeCycle.UNSET.with(Setting.START_DELAY, "0s..1000h"));
    Planner planner = new Planner(1, List.of(spread));
    PodView a = pod("a").view();
    long drawn = planner.plan(a, "main", 0).startDelay();

    assertThat(new Planner(1, List.of(spread)).plan(a, "main", 0).startDelay()).isEqualTo(drawn);
    assertThat(planner.plan(a, "main", 1).startDelay()).isNotEqualTo(drawn);
    assertThat(planner.plan(a, "other", 0).startDelay()).isNotEqualTo(drawn);
    assertThat(planner.plan(pod("b").view(), "main", 0).startDelay()).isNotEqualTo(drawn);
    assertThat(new Planner(2, List.of(spread)).plan(a, "main", 0).startDelay()).isNotEqualTo(drawn);
  }

  /** Adopted pods rely on it across releases: a changed hash would change every life. */
  @Test
  void drawsWhatItAlwaysDrew() {
    SimulatedRule spread =
        rule("r", Map.of(), LifeCycle.UNSET.with(Setting.RUN_FOR, "normal(10m,1m)"));

    assertThat(new Planner(42, List.of(spread)).plan(pod("a").view(), "main", 3).runFor())
        .isEqualTo(617_120);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "run-for     | soon   | \"soon\" is not a duration",
        "exit-code   | 256    | \"256\" is no exit code: want a number from 0 to 255",
        "exit-code   | -1     | \"-1\" is no exit code",
        "runfor      | 1s     | unknown setting, want one of pull-delay, start-delay,",
        "gone.run-for| 1s     | the pod has no container \"gone\"",
        "main.oops   | 1s     | unknown setting"
      })
  void wrongAnnotationsAreNamed(String key, String value, String message) {
    PodView view = pod("a").annotate(key.strip(), value).view();

    assertThatThrownBy(() -> Annotations.check(view))
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("annotation simulated.vertlet.dev/" + key + "=\"" + value + "\": ")
        .hasMessageContaining(message)
        .matches(e -> ProviderException.kindOf(e) == ProviderException.Kind.INVALID);
  }

  @Test
  void wrongAnnotationsOfAPodThatRunsAreOverlooked() {
    PodView view =
        pod("a")
            .annotate("run-for", "soon")
            .annotate("oops", "1")
            .annotate("exit-code", "4")
            .view();

    assertThat(plan(view, "main").runFor()).isEqualTo(NEVER_MILLIS);
    assertThat(plan(view, "main").exitCode()).isEqualTo(4);
  }

  @Test
  void refusesARuleThatTakesNoPods() {
    assertThatThrownBy(
            () -> new SimulatedRule("none", null, Map.of(), null, List.of(), 0, LifeCycle.UNSET))
        .hasMessage("share of rule \"none\" must be above 0 and at most 1, got 0.0");
  }

  private static SimulatedRule rule(String name, Map<String, String> labels, LifeCycle lifeCycle) {
    return new SimulatedRule(name, null, labels, null, List.of(), 1, lifeCycle);
  }

  private static Plan plan(PodView view, String container, SimulatedRule... rules) {
    return new Planner(42, List.of(rules)).plan(view, container, 0);
  }

  private static List<Long> delays(PodView view, SimulatedRule rule) {
    return List.of(plan(view, "main", rule).startDelay(), plan(view, "helper", rule).startDelay());
  }

  private static List<Integer> exitCodes(SimulatedRule rule) {
    return IntStream.range(0, 1000)
        .mapToObj(i -> plan(pod("pod-" + i).view(), "main", rule).exitCode())
        .toList();
  }
}
