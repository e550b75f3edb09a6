package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vertlet.harness.result.Latencies;
import org.junit.jupiter.api.Test;

class LeaseGapsTest {
  private static final long SECOND = 1_000_000_000;

  private final LeaseGaps gaps = new LeaseGaps();

  @Test
  void aGapIsBetweenTwoRenewalsOfOneLease() {
    gaps.renewed("a", 0);
    gaps.renewed("b", 5 * SECOND);
    gaps.renewed("a", 10 * SECOND);
    gaps.renewed("b", 16 * SECOND);

    Latencies result = gaps.result(16 * SECOND);

    assertThat(result.count()).isEqualTo(2);
    assertThat(result.p50()).isCloseTo(10_000, within(10.0));
    assertThat(result.max()).isCloseTo(11_000, within(10.0));
  }

  @Test
  void aLeaseThatIsRenewedNoMoreIsTheLongestGap() {
    gaps.renewed("a", 0);
    gaps.renewed("a", 10 * SECOND);

    assertThat(gaps.result(60 * SECOND).max()).isEqualTo(50_000);
  }

  @Test
  void oneThatIsGoneHasNoGap() {
    gaps.renewed("a", 0);
    gaps.gone("a");

    assertThat(gaps.result(60 * SECOND)).isEqualTo(Latencies.NONE);
  }

  @Test
  void whatIsForgottenDoesNotCountButAGapGoesOn() {
    gaps.renewed("a", 0);
    gaps.renewed("a", 40 * SECOND);
    gaps.forget();
    gaps.renewed("a", 50 * SECOND);

    Latencies result = gaps.result(50 * SECOND);

    assertThat(result.count()).isEqualTo(1);
    assertThat(result.max()).isCloseTo(10_000, within(10.0));
  }
}
