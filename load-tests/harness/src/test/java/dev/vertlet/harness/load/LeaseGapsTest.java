package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vertlet.harness.result.Latencies;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaseGapsTest {
  private static final long SECOND = 1_000_000_000;

  private final LeaseGaps gaps = new LeaseGaps();

  @BeforeEach
  void count() {
    gaps.count();
  }

  private void renewed(String lease, long nanos) {
    gaps.renewed(lease, nanos, Duration.ofSeconds(40));
  }

  @Test
  void aGapIsBetweenTwoRenewalsOfOneLease() {
    renewed("a", 0);
    renewed("b", 5 * SECOND);
    renewed("a", 10 * SECOND);
    renewed("b", 16 * SECOND);

    Latencies result = gaps.result(16 * SECOND);

    assertThat(result.count()).isEqualTo(2);
    assertThat(result.p50()).isCloseTo(10_000, within(10.0));
    assertThat(result.max()).isCloseTo(11_000, within(10.0));
  }

  @Test
  void aLeaseThatIsRenewedNoMoreIsTheLongestGap() {
    renewed("a", 0);
    renewed("a", 10 * SECOND);

    assertThat(gaps.result(60 * SECOND).max()).isEqualTo(50_000);
  }

  @Test
  void oneThatIsGoneHasNoGap() {
    renewed("a", 0);
    gaps.gone("a");

    assertThat(gaps.result(60 * SECOND)).isEqualTo(Latencies.NONE);
  }

  @Test
  void aGapThatHasNotEndedIsTheLongestAlsoWhenNoneHas() {
    renewed("a", 0);

    assertThat(gaps.result(60 * SECOND).count()).isZero();
    assertThat(gaps.result(60 * SECOND).max()).isEqualTo(60_000);
  }

  @Test
  void aRunThatIsOverBeforeTheFirstRenewalIsDueHasNoGaps() {
    renewed("a", 0);

    assertThat(gaps.result(9 * SECOND)).isEqualTo(Latencies.NONE);

    gaps.pause(9 * SECOND);
    assertThat(gaps.result(60 * SECOND)).isEqualTo(Latencies.NONE);
  }

  @Test
  void whatEndsWhileNothingCountsDoesNotCountButAGapGoesOn() {
    renewed("a", 0);
    gaps.pause(0);
    renewed("a", 40 * SECOND);
    gaps.count();
    renewed("a", 50 * SECOND);

    Latencies result = gaps.result(50 * SECOND);

    assertThat(result.count()).isEqualTo(1);
    assertThat(result.max()).isCloseTo(10_000, within(10.0));
  }

  @Test
  void whatWasMeasuredStaysWhenNothingCountsAnyMore() {
    renewed("a", 0);
    renewed("a", 10 * SECOND);
    gaps.pause(30 * SECOND);
    renewed("a", 90 * SECOND);

    Latencies result = gaps.result(200 * SECOND);

    assertThat(result.count()).isEqualTo(1);
    assertThat(result.p50()).isCloseTo(10_000, within(10.0));
    assertThat(result.max()).isCloseTo(20_000, within(10.0));
  }

  @Test
  void aReadyNodeThatNeverGetsALeaseHasAGapWhereOthersHaveLeases() {
    gaps.ready("a", 5 * SECOND);
    gaps.ready("a", 7 * SECOND);
    gaps.ready("b", 0);

    assertThat(gaps.result(60 * SECOND)).isEqualTo(Latencies.NONE);

    renewed("b", 50 * SECOND);
    assertThat(gaps.result(60 * SECOND).max()).isEqualTo(55_000);

    gaps.gone("a");
    assertThat(gaps.result(60 * SECOND).max()).isEqualTo(10_000);
  }
}
