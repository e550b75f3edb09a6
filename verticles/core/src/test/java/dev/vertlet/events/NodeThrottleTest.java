package dev.vertlet.events;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeThrottleTest {
  private final NodeThrottle<Integer> throttle = new NodeThrottle<>(new EventLimit(10, 3), 0);

  private void add(int from, int to) {
    for (int i = from; i < to; i++) {
      throttle.add(i);
    }
  }

  @Test
  void aBurstGoesAtOnceAndTheRestAsFastAsItMay() {
    add(0, 5);

    assertThat(throttle.due(0)).containsExactly(0, 1, 2);
    assertThat(throttle.waitMillis()).isEqualTo(100);
    assertThat(throttle.due(99)).isEmpty();
    assertThat(throttle.waitMillis()).isEqualTo(1);
    assertThat(throttle.due(100)).containsExactly(3);
    assertThat(throttle.due(200)).containsExactly(4);
    assertThat(throttle.size()).isZero();
  }

  @Test
  void nothingIsEarnedBeyondTheBurstNorByAClockThatIsSetBack() {
    assertThat(throttle.due(0)).isEmpty();
    add(0, 9);

    assertThat(throttle.due(3_600_000)).hasSize(3);
    assertThat(throttle.due(0)).isEmpty();
    assertThat(throttle.due(100)).hasSize(1);
  }

  @Test
  void anotherLimitCountsFromNowOn() {
    add(0, 9);
    throttle.due(0);

    throttle.limit(new EventLimit(1000, 2), 0);

    assertThat(throttle.due(100)).containsExactly(3, 4);
    assertThat(throttle.due(101)).containsExactly(5);
    throttle.dropOldest();
    assertThat(throttle.all()).containsExactly(7, 8);
    assertThat(throttle.size()).isZero();
  }

  /** A kubelet's client takes no burst of none, either. */
  @Test
  void withoutABurstOneGoesAtATime() {
    NodeThrottle<Integer> one = new NodeThrottle<>(new EventLimit(1, 0), 0);
    one.add(1);
    one.add(2);

    assertThat(one.due(0)).containsExactly(1);
    assertThat(one.due(1000)).containsExactly(2);
  }
}
