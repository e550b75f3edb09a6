package dev.vertlet.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestBudgetTest {
  private static final long HOUR = Duration.ofHours(1).toNanos();

  @Test
  void afterTheBurstEachHasItsPlaceInTheQueue() {
    RequestBudget budget = new RequestBudget(1, 2);

    assertThat(budget.reserve()).isZero();
    assertThat(budget.reserve()).isZero();

    long third = budget.reserve();
    long fourth = budget.reserve();
    assertThat(third).isBetween(1L, Duration.ofSeconds(1).toNanos());
    assertThat(fourth).isBetween(third, Duration.ofSeconds(2).toNanos());
  }

  @Test
  void withoutABurstItIsThatOfASecond() {
    RequestBudget budget = new RequestBudget(3, 0);

    for (int i = 0; i < 3; i++) {
      assertThat(budget.reserve()).isZero();
    }

    assertThat(budget.reserve()).isBetween(1L, HOUR);
    assertThat(budget.is(3, 0)).isTrue();
    assertThat(budget.is(3, 1)).isFalse();
  }
}
