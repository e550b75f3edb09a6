package dev.vertlet.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmallPartsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "12, 12ms",
    "1000, 1s",
    "1250, 1.25s",
    "40000, 40s",
    "80000, 1m20s",
    "300000, 5m0s",
    "3600000, 1h0m0s",
    "5025007, 1h23m45.007s"
  })
  void durationsReadAsGoPrintsThem(long millis, String text) {
    assertThat(GoDuration.format(Duration.ofMillis(millis))).isEqualTo(text);
  }

  @Test
  void optionsNameTheKeyThatIsWrong() {
    Duration minute = Duration.ofMinutes(1);
    assertThatThrownBy(() -> new PodTimes(Duration.ZERO, Duration.ofSeconds(10), minute))
        .hasMessage("kubelet.syncFrequency must be from 1s to 24h0m0s, got 0s");
    assertThatThrownBy(
            () -> new PodTimes(Duration.ofHours(24).plusMillis(1), Duration.ofSeconds(10), minute))
        .hasMessageStartingWith("kubelet.syncFrequency must be from 1s to 24h0m0s, got 24h");
    assertThatThrownBy(() -> new PodTimes(minute, Duration.ofSeconds(10), Duration.ofSeconds(301)))
        .hasMessage("kubelet.maxContainerBackOff must be from 1s to 5m0s, got 5m1s");
    assertThatThrownBy(
            () -> new KubeletOptions(KubeletOptions.Profile.FAST, Duration.ofSeconds(61)))
        .hasMessage("kubelet.relistPeriod must be from 1s to 1m0s, got 1m1s");
  }

  @Test
  void theWheelWakesEachOwnerOnceAtItsTime() {
    SplittableRandom random = new SplittableRandom(7);
    TimerWheel<int[]> wheel = new TimerWheel<>(0);
    List<TimerWheel.Entry<int[]>> entries = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      int[] owner = {0, random.nextInt(600_000)};
      TimerWheel.Entry<int[]> entry = new TimerWheel.Entry<>(owner);
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
    TimerWheel.Entry<String> early = new TimerWheel.Entry<>("early");
    TimerWheel.Entry<String> late = new TimerWheel.Entry<>("late");
    TimerWheel.Entry<String> gone = new TimerWheel.Entry<>("gone");
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

  @Test
  void backOffAfterARestartOfTheAgentGoesOnWhereItWas() {
    SlotBackOff backOff = new SlotBackOff();
    BackOffRange range = new BackOffRange(10_000, 300_000);
    backOff.restored(3, 100_000, range);
    assertThat(backOff.restartAfter(4, 120_000)).isEqualTo(160_000);
    backOff.restarting(4, 120_000, 160_000, range);
    assertThat(backOff.restartStep()).isEqualTo(80_000);
    backOff.restored(50, 100_000, range);
    assertThat(backOff.restartStep()).isEqualTo(300_000);
  }

  @Test
  void imageBackOffIsForgottenAfterTenMinutes() {
    SlotBackOff backOff = new SlotBackOff();
    assertThat(backOff.pullFailed(0)).isEqualTo(10_000);
    assertThat(backOff.pullFailed(10_000)).isEqualTo(30_000);
    assertThat(backOff.pullFailed(700_000)).isEqualTo(710_000);
    for (int i = 1; i < 10; i++) {
      backOff.pullFailed(700_000L + i);
    }
    assertThat(backOff.imageStep()).isEqualTo(300_000);
  }

  @Test
  void aCoreStartsOnceAndWorksOnlyWhenStarted() {
    Kubelet kubelet = new Kubelet();
    assertThat(kubelet.core.start(kubelet).cause())
        .hasMessage("the kubelet core is started already");

    Kubelet.done(kubelet.core.stop());
    Kubelet.done(kubelet.core.stop());
    assertThatThrownBy(() -> kubelet.core.create(Pods.pod().build()))
        .hasMessage("the kubelet core is not started");
  }
}
