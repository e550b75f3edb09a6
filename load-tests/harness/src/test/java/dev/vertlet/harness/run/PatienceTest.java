package dev.vertlet.harness.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.cli.FailedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final CompletableFuture<String> work = new CompletableFuture<>();

  private Patience patience(Duration timeout) {
    return Patience.begin(ended, timeout);
  }

  @Test
  void givesWhatTheWorkGives() throws Exception {
    work.complete("done");

    assertThat(patience(Duration.ofMinutes(1)).await(work, () -> "")).isEqualTo("done");
  }

  @Test
  void saysWhatIsMissingWhenTimeIsUp() {
    assertThatThrownBy(() -> patience(Duration.ofMillis(1)).await(work, () -> "3 of 4 are there"))
        .isInstanceOf(FailedException.class)
        .hasMessage("not done within the --timeout of 1ms: 3 of 4 are there");
  }

  @Test
  void endsWhenSomebodyWantsItTo() {
    ended.complete(null);

    assertThatThrownBy(() -> patience(Duration.ofMinutes(1)).await(work, () -> ""))
        .isInstanceOf(StoppedException.class);
  }

  @Test
  void tellsTheFailureOfTheWork() {
    work.completeExceptionally(new IllegalStateException("refused"));

    assertThatThrownBy(() -> patience(Duration.ofMinutes(1)).await(work, () -> ""))
        .isInstanceOf(FailedException.class)
        .hasMessage("refused");
  }

  @Test
  void countsNotTheTimeOfWhatIsDoneOnce() {
    AtomicLong nanos = new AtomicLong();
    Patience patience = Patience.begin(ended, Duration.ofNanos(10), nanos::get);
    nanos.addAndGet(4);

    assertThat(patience.notCounting(() -> nanos.addAndGet(400))).isEqualTo(404);
    nanos.addAndGet(5);

    assertThat(patience.over()).isFalse();
    nanos.addAndGet(1);
    assertThat(patience.over()).isTrue();
  }

  @Test
  void ticksWhileItWaits() throws Exception {
    assertThat(
            patience(Duration.ofMinutes(1))
                .await(work, () -> "", () -> work.complete("done by a tick")))
        .isEqualTo("done by a tick");
  }
}
