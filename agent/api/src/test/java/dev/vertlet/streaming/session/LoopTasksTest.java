package dev.vertlet.streaming.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.testsupport.Waits;
import io.netty.channel.DefaultEventLoop;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopTasksTest {
  private final DefaultEventLoop loop = new DefaultEventLoop();
  private final LoopTasks tasks = new LoopTasks(loop);
  private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void stop() {
    loop.shutdownGracefully();
  }

  private <T> T onLoop(Callable<T> work) throws Exception {
    return Waits.get(loop.submit(work));
  }

  @Test
  void aTaskOfTheLoopRunsAtOnce() throws Exception {
    boolean atOnce =
        onLoop(
            () -> {
              tasks.run(() -> ran.add("first"));
              return ran.equals(List.of("first"));
            });

    assertThat(atOnce).isTrue();
  }

  /** What one thread writes after another must not overtake it. */
  @Test
  void aTaskOfTheLoopRunsAfterOnesGivenBefore() throws Exception {
    onLoop(
        () -> {
          CompletableFuture.runAsync(() -> tasks.run(() -> ran.add("other"))).join();
          tasks.run(() -> ran.add("own"));
          return null;
        });

    assertThat(ran).containsExactly("other", "own");
  }

  @Test
  void aTaskThatFailsKeepsNoOtherFromRunning() throws Exception {
    onLoop(
        () -> {
          CompletableFuture.runAsync(
                  () -> {
                    tasks.run(
                        () -> {
                          throw new IllegalStateException("a fault");
                        });
                    tasks.run(() -> ran.add("second"));
                  })
              .join();
          assertThatThrownBy(() -> tasks.run(() -> ran.add("own")))
              .isInstanceOf(IllegalStateException.class);
          return null;
        });
    onLoop(() -> null);

    assertThat(ran).containsExactly("second", "own");
  }
}
