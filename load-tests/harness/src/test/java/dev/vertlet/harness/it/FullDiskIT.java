package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.LoopbackPorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent on a machine whose disks take not one byte more. The shell's {@code ulimit -f 0} does
 * what a full disk does, to one process and without root: files are made, and writes to them fail.
 */
@ClusterTest
class FullDiskIT {
  private static final String NODE = "full0";

  @TempDir private Path folder;

  @Test
  void nodesAndPodsAreServedAllTheSame(TestCluster cluster) throws Exception {
    AgentProcess agent = cluster.closeAfterTest(start(cluster));

    agent.awaitReady();
    cluster.create("p", NODE);
    cluster.kubectl("wait", "--for=condition=Ready", "pod/p", KubectlRuns.LIMIT);
    cluster.kubectl("delete", "pod", "p");

    assertThat(agent.terminate()).isZero();
    eventually(
        () ->
            assertThat(agent.log())
                .contains(
                    "whose the data directory is cannot be written into it", "File too large"));
  }

  private AgentProcess start(TestCluster cluster) throws Exception {
    AgentProcess.Setup setup =
        cluster
            .agentSetup(folder, "full")
            .with("--set", "server.portRange=0", "--set", "server.healthzPort=0");
    int port = LoopbackPorts.next();
    List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -f 0; exec \"$0\" \"$@\""));
    command.addAll(AgentProcess.command(setup, port));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("NODE_NAME");
    // its log is written by another process, which may
    Path log = Files.createFile(folder.resolve("log"));
    List<Process> both =
        ProcessBuilder.startPipeline(
            List.of(builder, new ProcessBuilder("cat").redirectOutput(log.toFile())));
    return AgentProcess.of(both.get(0), log, port);
  }
}
