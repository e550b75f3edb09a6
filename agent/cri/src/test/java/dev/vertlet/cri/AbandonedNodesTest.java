package dev.vertlet.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods of a node that was served before the agent got another configuration. */
final class AbandonedNodesTest {
  private static final Predicate<String> FORMER = "node-1"::equals;

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path directory;

  @SuppressWarnings("NullAway.Init") // set before each test
  private FaultLab lab;

  @BeforeEach
  void runPod() throws IOException {
    lab = new FaultLab(directory);
    lab.start();
    lab.run();
  }

  @AfterEach
  void close() {
    lab.close();
  }

  @Test
  void theyAreListedAndCanBeRemoved() throws IOException {
    CriRuntime next = lab.startAnother("node-2", lab.pods(), FORMER);

    assertThat(lab.call(next::list))
        .extracting(RuntimePod::pod, RuntimePod::node)
        .containsExactly(tuple(lab.ref(), "node-1"));
    lab.call(() -> next.removeSandbox(lab.ref()));
    Files.delete(lab.directory().resolve("cri-sandbox"));
    Files.delete(lab.directory());

    Waits.eventually(
        () -> {
          lab.timers().advance(Duration.ofSeconds(2));
          assertThat(lab.fake().sandboxCount()).isZero();
        });
  }

  @Test
  void thoseOfOtherShardsAndOfOtherAgentsAreLeftAlone() {
    CriRuntime shard = lab.startAnother("node-2", lab.pods(), node -> false);
    CriRuntime agent = lab.startAnother("node-2", directory.resolve("others"), FORMER);

    assertThat(lab.call(shard::list)).isEmpty();
    assertThat(lab.call(agent::list)).isEmpty();
    assertThat(lab.fake().sandboxCount()).isEqualTo(1);
  }
}
