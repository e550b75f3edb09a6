package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent that gets no memory for buffers, which are outside of the heap. The JVM's option for the
 * end of the heap does not hear of it.
 */
@ClusterTest
class BufferMemoryIT {

  /** Less than one piece of what buffers are cut from. */
  private static final String OPTIONS = "-XX:+ExitOnOutOfMemoryError -XX:MaxDirectMemorySize=1m";

  @TempDir private Path folder;

  @Test
  void itIsNotReadyAndSaysThatNothingGetsThrough(TestCluster cluster) {
    AgentProcess agent =
        cluster.closeAfterTest(
            cluster
                .agentSetup(folder, "buffers")
                .with("--set", "server.portRange=0", "--set", "server.healthzPort=0")
                .withEnvironment(Map.of("JAVA_TOOL_OPTIONS", OPTIONS))
                .start());

    eventually(
        () ->
            assertThat(agent.log())
                .containsPattern("is unreachable for [1-9][0-9]* s .*; trying again"));

    assertThat(agent.alive()).isTrue();
    assertThat(agent.status("/readyz")).isEqualTo(503);
    eventually(
        () -> assertThat(agent.status("/healthz")).as(agent.body("/healthz")).isEqualTo(200));
  }
}
