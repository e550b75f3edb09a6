package dev.vertlet.kubelet.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimerWheelTest {
  private static final class Owned<T> extends TimerWheel.Entry<T> {
    private final T owner;

    Owned(T owner) {
      this.owner = owner;
    }

    @Override
    T owner() {
      return owner;
    }
  }

  @Test
  void theWheelWakesEachOwnerOnceAtItsTime() {
    SplittableRandom random = new SplittableRandom(7);
    TimerWheel<int[]> wheel = new TimerWheel<>(0);
    List<TimerWheel.Entry<int[]>> entries = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      int[] owner = {0, random.nextInt(600_000)};
      TimerWheel.Entry<int[]> entry = new Owned<>(owner);
      wheel.schedule(entry, 1);
      wheel.schedule(entry, owner[1]);
      entries.add(entry);
    }
    assertThat(wheel.size()).isEqualTo(500);

    for (long now = wheel.nextTick(); now != Long.MAX_VALUE; now = wheel.nextTick()) {
      long at = now;
      wheel.advance(
          at,
          owner -> {
            owner[0]++;
            assertThat(at).isBetween((long) owner[1], owner[1] + TimerWheel.TICK);
          });
    }
    assertThat(entries).noneMatch(TimerWheel.Entry::scheduled);
    assertThat(wheel.size()).isZero();
  }

  @Test
  void theWheelSurvivesALongPause() {
    TimerWheel<String> wheel = new TimerWheel<>(0);
    TimerWheel.Entry<String> early = new Owned<>("early");
    TimerWheel.Entry<String> late = new Owned<>("late");
    TimerWheel.Entry<String> gone = new Owned<>("gone");
    wheel.schedule(early, 1_000);
    wheel.schedule(late, 50_000_000);
    wheel.schedule(gone, 1_000);
    wheel.cancel(gone);
    wheel.cancel(gone);
    List<String> woken = new ArrayList<>();

    wheel.advance(40_000_000, woken::add);
    assertThat(woken).containsExactly("early");
    assertThat(late.at()).isEqualTo(50_000_000);
    assertThat(wheel.nextTick()).isLessThanOrEqualTo(50_000_000);

    wheel.schedule(early, 0);
    wheel.advance(40_000_000, woken::add);
    assertThat(woken).containsExactly("early", "early");
  }
}
