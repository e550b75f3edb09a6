package dev.vertlet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSettings;
import io.vertx.core.Future;
import java.time.Duration;
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
  void aCallThatHoldsTheEventLoopFails() {
    try (Lab lab = lab()) {
      assertThatThrownBy(() -> lab.call(LabTest::blocks))
          .hasMessageStartingWith("a call held the event loop for PT");
    }
  }

  private static Future<Void> blocks() {
    try {
      Thread.sleep(Lab.LONGEST_CALL.multipliedBy(2).toMillis());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return Future.succeededFuture();
  }

  @Test
  void aCallThatReturnsAtOnceMayAnswerLater() {
    try (Lab lab = lab()) {
      assertThat(lab.call(() -> lab.vertx().timer(1).map("later"))).isEqualTo("later");
    }
  }
}
