package dev.vertlet.harness.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
  private static final ApiRequest PATCH =
      ApiRequest.of("PATCH", "/api/v1/namespaces/ns/pods/p/status");
  private static final ApiRequest LIST = ApiRequest.of("GET", "/api/v1/pods");

  private final FaultPlan plan = new FaultPlan(new Random(1));

  @Test
  void withoutFaultsEverythingPassesAtOnce() {
    assertThat(plan.judge(LIST)).isEqualTo(new FaultPlan.Verdict(Duration.ZERO, null));
  }

  @Test
  void delaysAddUpAndTheFirstOtherEffectWins() {
    plan.add(Fault.delay(Duration.ofMillis(10)));
    plan.add(Fault.delay(Duration.ofMillis(5)).on("patch", "pods/*"));
    plan.add(Fault.answer(500).on("patch", "pods/status"));
    plan.add(Fault.cut());

    assertThat(plan.judge(PATCH))
        .isEqualTo(new FaultPlan.Verdict(Duration.ofMillis(15), new Fault.Answer(500, null)));
    assertThat(plan.judge(LIST))
        .isEqualTo(new FaultPlan.Verdict(Duration.ofMillis(10), new Fault.Cut()));
  }

  @Test
  void aFaultIsOverAfterAsManyTimesAsItSays() {
    InjectedFault fault = plan.add(Fault.answer(409).times(2));

    assertThat(IntStream.range(0, 4).mapToObj(i -> plan.judge(LIST).effect() != null))
        .containsExactly(true, true, false, false);
    assertThat(fault.hits()).isEqualTo(2);
  }

  @Test
  void aRemovedFaultIsOver() {
    InjectedFault fault = plan.add(Fault.hang());

    fault.remove();

    assertThat(plan.judge(LIST).effect()).isNull();
    assertThat(fault.hits()).isZero();
  }

  @Test
  void aProbabilityHitsThatShare() {
    InjectedFault fault = plan.add(Fault.answer(503).withProbability(0.3));

    IntStream.range(0, 10_000).forEach(i -> assertThat(plan.judge(LIST)).isNotNull());

    assertThat(fault.hits()).isBetween(2_800L, 3_200L);
  }

  @Test
  void nonsenseIsRefusedByName() {
    assertThatThrownBy(() -> Fault.answer(200))
        .hasMessage("code=200: must be an error, 400 to 599");
    assertThatThrownBy(() -> Fault.cut().times(0)).hasMessage("times=0: must be at least 1");
    assertThatThrownBy(() -> Fault.cut().withProbability(1.5))
        .hasMessage("probability=1.5: must be above 0 and at most 1");
  }
}
