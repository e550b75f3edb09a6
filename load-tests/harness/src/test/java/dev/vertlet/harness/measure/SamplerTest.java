package dev.vertlet.harness.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.harness.result.Resources.Sample;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SamplerTest {
  @Test
  void timeCountsFromItsBeginning() {
    AtomicLong nanos = new AtomicLong(7_000_000_000L);
    ProcessUsage usage = new ProcessUsage(Duration.ofMillis(40), 100, 120);
    try (Sampler sampler = new Sampler(() -> usage, nanos::get)) {
      nanos.addAndGet(1_500_000_000L);

      assertThat(sampler.sample()).isEqualTo(usage);

      assertThat(sampler.samples()).containsExactly(new Sample(1.5, 40, 100));
    }
  }

  @Test
  void looksByItselfAndAgainAfterALookThatFailed() {
    AtomicInteger looks = new AtomicInteger();
    try (Sampler sampler =
        Sampler.start(
            () -> {
              if (looks.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
              }
              return ProcessUsage.NONE;
            })) {
      await().until(() -> !sampler.samples().isEmpty());
    }
  }
}
