package dev.vertlet.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.provider.NodeProvider;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuntimeHealthTest {
  private final FakeLoop loop = new FakeLoop();
  private final FakeRuntime runtime = new FakeRuntime(loop);
  private final List<String> forgotten = new ArrayList<>();
  private final RuntimeHealth health =
      new RuntimeHealth(
          runtime,
          loop,
          loop,
          new NetworkState(),
          node -> {},
          forgotten::add,
          node -> List.of(),
          () -> Duration.ZERO);
  private final List<String> changes = new ArrayList<>();

  RuntimeHealthTest() {
    health.onChange(changes::add);
    assertThat(health.health("n").message())
        .isEqualTo("container runtime status check may not have completed yet");
  }

  @Test
  void aNodeThatIsForgottenIsToldOfNothingMore() {
    health.forget("n");
    health.start();

    assertThat(forgotten).containsExactly("n");
    assertThat(changes).isEmpty();
  }

  private void advance(long seconds) {
    loop.advance(Duration.ofSeconds(seconds));
  }

  @Test
  void isHealthyFromTheFirstGoodAnswer() {
    // when
    health.start();
    // then
    assertThat(health.health("n")).isEqualTo(NodeProvider.NodeHealth.HEALTHY);
    assertThat(changes).containsExactly("n");
    assertThat(health.ping("n").succeeded()).isTrue();
  }

  @Test
  void passesTheRuntimesComplaintOnAndRecovers() {
    // given
    health.start();
    runtime.fail("status", new RuntimeException("no socket"));
    // when
    advance(5);
    // then
    assertThat(health.health("n").ready()).isFalse();
    assertThat(health.health("n").message()).isEqualTo("no socket");
    // when
    advance(5);
    // then
    assertThat(health.health("n").ready()).isTrue();
    assertThat(changes).containsExactly("n", "n", "n");
  }

  @Test
  void aRuntimeThatHangsIsDownAfterHalfAMinute() {
    // given
    health.start();
    Promise<Object> hung = runtime.hang("status");
    // when
    advance(30);
    assertThat(health.health("n").ready()).isTrue();
    advance(10);
    // then
    assertThat(health.health("n").message()).isEqualTo("container runtime is down");
    // when
    hung.complete(null);
    // then
    assertThat(health.health("n").ready()).isTrue();
  }

  @Test
  void aRuntimeThatNeverAnsweredIsNotSaidToBeDown() {
    // given
    runtime.hang("status");
    health.start();
    // when
    advance(60);
    // then
    assertThat(health.health("n").message()).contains("may not have completed yet");
  }

  @Test
  void aRuntimeThatThrowsComplains() {
    // given
    runtime.script(
        "status",
        () -> {
          throw new IllegalStateException("bug");
        });
    // when
    health.start();
    // then
    assertThat(health.health("n").message()).isEqualTo("bug");
  }

  @Test
  void asksNoMoreOnceClosed() {
    // given
    health.start();
    // when
    health.close();
    health.start();
    // then
    assertThat(loop.timers()).isZero();
  }
}
