package dev.vertlet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSettings;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class LabTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static Lab lab() {
    ProviderFactory none =
        ProviderFactory.of(
            "none",
            setup -> {
              throw new UnsupportedOperationException();
            });
    return new Lab(none, ProviderSettings.NONE, PATIENCE);
  }

  @Test
  void aCallThatHoldsTheEventLoopFails() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    try (Lab lab = lab();
        Ticks ticks = new Ticks()) {
      Future<String> answer =
          lab.begin(
              () -> {
                await(held);
                return Future.succeededFuture("late");
              });
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> ticks.elapsed().compareTo(Lab.LONGEST_CALL.multipliedBy(2)) > 0);

      held.countDown();

      assertThatThrownBy(() -> lab.call(() -> answer))
          .hasMessageStartingWith("a call held the event loop for PT");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aCallThatReturnsAtOnceMayAnswerLater() {
    try (Lab lab = lab()) {
      assertThat(lab.call(() -> lab.vertx().timer(1).map("later"))).isEqualTo("later");
    }
  }
}
