package dev.vertlet.simulated;

import static dev.vertlet.simulated.Pods.pod;
import static dev.vertlet.simulated.rule.DurationRule.NEVER_MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.simulated.rule.Annotations;
import dev.vertlet.simulated.rule.Checks;
import dev.vertlet.simulated.rule.Consumption;
import dev.vertlet.simulated.rule.Glob;
import dev.vertlet.simulated.rule.LifeCycle;
import dev.vertlet.simulated.rule.ListeningPorts;
import dev.vertlet.simulated.rule.PodSelector;
import dev.vertlet.simulated.rule.RuleKey;
import dev.vertlet.simulated.rule.SimulatedRule;
import dev.vertlet.simulated.rule.StartErrors;
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
            new Plan(
                0,
                0,
                0,
                0,
                NEVER_MILLIS,
                Plan.End.DONE,
                Plan.Stop.AT_ONCE,
                StartErrors.UNSET,
                Checks.UNSET,
                Consumption.UNSET,
                ListeningPorts.ANY));
  }

  @Test
  void theFirstMatchingRuleCountsAlone() {
    PodView view = pod("a").label("app", "web").view();

    Plan plan =
        plan(
            view,
            "main",
            rule("other", Map.of("app", "db"), LifeCycle.UNSET.with(RuleKey.EXIT_CODE, "1")),
            rule("first", Map.of("app", "web"), LifeCycle.UNSET.with(RuleKey.START_DELAY, "2s")),
            rule("second", Map.of(), LifeCycle.UNSET.with(RuleKey.READY_DELAY, "9s")));

    assertThat(plan.startDelay()).isEqualTo(2000);
    assertThat(plan.readyDelay()).isZero();
    assertThat(plan.end().exitCode()).isZero();
  }

  @Test
  void selectsByNamespaceControllerAndContainer() {
    LifeCycle slow = LifeCycle.UNSET.with(RuleKey.START_DELAY, "1s");
    PodView view = pod("a").ownedBy("DaemonSet").containers("main", "helper").view();

    assertThat(delays(view, rule(new PodSelector("default", Map.of(), Map.of(), null, null), slow)))
        .containsExactly(1000L, 1000L);
    assertThat(delays(view, rule(new PodSelector("kube", Map.of(), Map.of(), null, null), slow)))
        .containsExactly(0L, 0L);
    assertThat(delays(view, rule(new PodSelector(null, Map.of(), Map.of(), "Job", null), slow)))
        .containsExactly(0L, 0L);
    assertThat(
            delays(
                view,
                new SimulatedRule(
                    "r",
                    new PodSelector(null, Map.of(), Map.of(), "DaemonSet", null),
                    List.of("helper"),
                    1,
                    slow)))
        .containsExactly(0L, 1000L);
  }

  @Test
  void aRuleForAllContainersEndsOnlyRegularOnes() {
    PodView view = pod("a").init("setup").sidecar("proxy").view();
    LifeCycle crash =
        LifeCycle.UNSET
            .with(RuleKey.RUN_FOR, "5s")
            .with(RuleKey.EXIT_CODE, "1")
            .with(RuleKey.START_DELAY, "1s");

    Plan regular = plan(view, "main", rule("crash", Map.of(), crash));
    Plan init = plan(view, "setup", rule("crash", Map.of(), crash));
    Plan sidecar = plan(view, "proxy", rule("crash", Map.of(), crash));
    Plan named =
        plan(view, "setup", new SimulatedRule("r", PodSelector.ALL, List.of("setup"), 1, crash));

    assertThat(regular.runFor()).isEqualTo(5000);
    assertThat(regular.end().exitCode()).isEqualTo(1);
    assertThat(init.runFor()).isZero();
    assertThat(init.end().exitCode()).isZero();
    assertThat(init.startDelay()).isEqualTo(1000);
    assertThat(sidecar.runFor()).isEqualTo(NEVER_MILLIS);
    assertThat(named.runFor()).isEqualTo(5000);
    assertThat(named.end().exitCode()).isEqualTo(1);
  }

  @Test
  void selectsByAnnotationAndImage() {
    LifeCycle slow = LifeCycle.UNSET.with(RuleKey.START_DELAY, "1s");
    PodView view = pod("a").annotations(Map.of("team", "web")).containers("main", "helper").view();

    assertThat(
            delays(
                view,
                rule(new PodSelector(null, Map.of(), Map.of("team", "web"), null, null), slow)))
        .containsExactly(1000L, 1000L);
    assertThat(
            delays(
                view,
                rule(new PodSelector(null, Map.of(), Map.of("team", "db"), null, null), slow)))
        .containsExactly(0L, 0L);
    assertThat(delays(view, rule(image("*/app:*"), slow))).containsExactly(1000L, 1000L);
    assertThat(delays(view, rule(image("app:*"), slow))).containsExactly(0L, 0L);
  }

  @Test
  void exitCodesAreDrawnByTheirWeightsForEachAttempt() {
    LifeCycle flaky =
        LifeCycle.UNSET.with(RuleKey.RUN_FOR, "1s").with(RuleKey.EXIT_CODE, "0:9,1:1");
    Planner planner = new Planner(7, List.of(rule("flaky", Map.of(), flaky)));
    PodView view = pod("a").view();

    List<Integer> codes =
        IntStream.range(0, 1000)
            .mapToObj(attempt -> planner.plan(view, "main", attempt).end().exitCode())
            .toList();

    assertThat(codes).containsOnly(0, 1);
    assertThat(codes.stream().filter(code -> code == 1).count()).isBetween(70L, 130L);
  }

  @Test
  void whatComesFirstEndsTheContainer() {
    Plan leaking =
        plan(pod("a").annotate("oom-after", "5s").annotate("run-for", "6s").view(), "main");
    Plan shortLived =
        plan(pod("a").annotate("oom-after", "5s").annotate("run-for", "4s").view(), "main");
    Plan init = plan(pod("a").init("setup").annotate("oom-after", "0").view(), "setup");

    assertThat(leaking.runFor()).isEqualTo(5000);
    assertThat(leaking.end()).isEqualTo(Plan.End.OOM_KILLED);
    assertThat(shortLived.runFor()).isEqualTo(4000);
    assertThat(shortLived.end()).isEqualTo(Plan.End.DONE);
    assertThat(init.end())
        .as("the pod's annotation is for regular containers")
        .isEqualTo(Plan.End.DONE);
  }

  @Test
  void annotationsWinSettingBySettingAndTheContainersOwnWinMost() {
    PodView view =
        pod("a")
            .annotate("run-for", "7s")
            .annotate("main.run-for", "8s")
            .annotate("exit-code", "2")
            .view();
    LifeCycle life = LifeCycle.UNSET.with(RuleKey.EXIT_CODE, "1").with(RuleKey.START_DELAY, "1s");

    Plan plan = plan(view, "main", rule("r", Map.of(), life));

    assertThat(plan.runFor()).isEqualTo(8000);
    assertThat(plan.end().exitCode()).isEqualTo(2);
    assertThat(plan.startDelay()).isEqualTo(1000);
  }

  @Test
  void aShareOfPodsIsTakenAndStaysTaken() {
    SimulatedRule tenth =
        new SimulatedRule(
            "bad", PodSelector.ALL, List.of(), 0.1, LifeCycle.UNSET.with(RuleKey.EXIT_CODE, "1"));

    List<Integer> first = exitCodes(tenth);

    assertThat(first.stream().filter(code -> code == 1).count()).isBetween(70L, 130L);
    assertThat(exitCodes(tenth)).isEqualTo(first);
  }

  @Test
  void drawsDifferAmongPodsContainersAttemptsAndSeedsOnly() {
    SimulatedRule spread =
        rule("r", Map.of(), LifeCycle.UNSET.with(RuleKey.START_DELAY, "0s..1000h"));
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
        rule("r", Map.of(), LifeCycle.UNSET.with(RuleKey.RUN_FOR, "normal(10m,1m)"));

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
        "runfor      | 1s     | unknown setting, want one of sandbox-delay, pull-delay,",
        "gone.run-for| 1s     | the pod has no container \"gone\"",
        "main.oops   | 1s     | unknown setting",
        "exit-code   | 0:0    | a weight must be above 0 and at most 1e9, got 0.0",
        "run-for     | lognormal(2s,1s) | p50 must be at least 1ms and p99 not below it",
        "main.sandbox-delay | 1s | want it without a container"
      })
  void wrongAnnotationsAreNamed(String key, String value, String message) {
    PodView view = pod("a").annotate(key.strip(), value).view();

    assertThatThrownBy(() -> Annotations.check(view))
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("annotation sim.vertlet.dev/" + key + "=\"" + value + "\": ")
        .hasMessageContaining(message)
        .matches(e -> ProviderException.kindOf(e) == ProviderException.Kind.INVALID);
  }

  @Test
  void theLongPrefixMeansTheSameUnlessTheShortOneSaysOtherwise() {
    Map<String, String> annotations =
        Map.of(
            "simulated.vertlet.dev/exit-code", "4",
            "simulated.vertlet.dev/run-for", "4s",
            "sim.vertlet.dev/run-for", "7s");

    Plan plan = plan(pod("a").annotations(annotations).view(), "main");

    assertThat(plan.end().exitCode()).isEqualTo(4);
    assertThat(plan.runFor()).isEqualTo(7000);
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
    assertThat(plan(view, "main").end().exitCode()).isEqualTo(4);
  }

  @Test
  void refusesARuleThatTakesNoPods() {
    assertThatThrownBy(
            () -> new SimulatedRule("none", PodSelector.ALL, List.of(), 0, LifeCycle.UNSET))
        .hasMessage("share of rule \"none\" must be above 0 and at most 1, got 0.0");
  }

  private static SimulatedRule rule(String name, Map<String, String> labels, LifeCycle lifeCycle) {
    return new SimulatedRule(
        name, new PodSelector(null, labels, Map.of(), null, null), List.of(), 1, lifeCycle);
  }

  private static SimulatedRule rule(PodSelector selector, LifeCycle lifeCycle) {
    return new SimulatedRule("r", selector, List.of(), 1, lifeCycle);
  }

  private static PodSelector image(String pattern) {
    return new PodSelector(null, Map.of(), Map.of(), null, new Glob(pattern));
  }

  private static Plan plan(PodView view, String container, SimulatedRule... rules) {
    return new Planner(42, List.of(rules)).plan(view, container, 0);
  }

  private static List<Long> delays(PodView view, SimulatedRule rule) {
    return List.of(plan(view, "main", rule).startDelay(), plan(view, "helper", rule).startDelay());
  }

  private static List<Integer> exitCodes(SimulatedRule rule) {
    return IntStream.range(0, 1000)
        .mapToObj(i -> plan(pod("pod-" + i).view(), "main", rule).end().exitCode())
        .toList();
  }
}
