package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.GoDuration;
import dev.vertlet.testing.Pods;
import java.time.Duration;
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
        .hasMessage("syncFrequency must be from 1s to 24h0m0s, got 0s");
    assertThatThrownBy(
            () -> new PodTimes(Duration.ofHours(24).plusMillis(1), Duration.ofSeconds(10), minute))
        .hasMessageStartingWith("syncFrequency must be from 1s to 24h0m0s, got 24h");
    assertThatThrownBy(() -> new PodTimes(minute, Duration.ofSeconds(10), Duration.ofSeconds(301)))
        .hasMessage("maxContainerBackOff must be from 1s to 5m0s, got 5m1s");
    assertThatThrownBy(
            () -> new KubeletOptions(KubeletOptions.Profile.FAST, Duration.ofSeconds(61)))
        .hasMessage("relistPeriod must be from 1s to 1m0s, got 1m1s");
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
