package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Agents whose data directories are on bad disks: small file systems in memory, in user and mount
 * namespaces of their own.
 */
@ClusterTest
class ProcessDisksIT {
  private static final String NODE = ProcessNode.NAME;

  @TempDir private Path folder;

  private ProcessNode node(TestCluster cluster) throws Exception {
    Process probe =
        new ProcessBuilder("unshare", "--user", "--map-root-user", "--mount", "true").start();
    Assumptions.assumeTrue(Waits.exit(probe) == 0, "no user namespaces for this user");
    ProcessNode node = new ProcessNode(cluster, folder);
    // what is below data is in the agent's mount namespace alone
    return node.with("directory", folder.resolve("data/run").toString());
  }

  /** Starts an agent whose data directory is a file system with these options. */
  private AgentProcess start(TestCluster cluster, ProcessNode node, String options)
      throws IOException {
    JsonObject config = node.config();
    // a pod that fills the disk would be evicted
    config.getJsonArray("nodes").getJsonObject(0).put("evictionHard", new JsonObject());
    Path file = Files.writeString(folder.resolve("vertlet.json"), config.encodePrettily());
    Path data = Files.createDirectory(folder.resolve("data"));
    String script = "mount -t tmpfs -o " + options + " tmpfs " + data + " && exec \"$0\" \"$@\"";
    List<String> command =
        new ArrayList<>(
            List.of("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script));
    int port = LoopbackPorts.next();
    command.addAll(
        AgentProcess.command(
            AgentProcess.Setup.of(folder, file, cluster.kubeconfig())
                .with("--set", "server.portRange=0", "--set", "server.healthzPort=0"),
            port));
    Path log = Files.createFile(folder.resolve("log"));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().remove("NODE_NAME");
    return cluster.closeAfterTest(AgentProcess.of(builder.start(), log, port));
  }

  @Test
  void aNodeWhoseDiskRunsNoProgramsIsNotReadyAndSaysWhy(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster, node(cluster), "size=16m,noexec");

    eventually(
        () ->
            assertThat(
                    cluster.kubectl(
                        "get",
                        "node",
                        NODE,
                        "--ignore-not-found",
                        "-o",
                        "jsonpath={.status.conditions[?(@.type==\"Ready\")]['status','reason','message']}"))
                .contains(
                    "False KubeletNotReady",
                    "the shim cannot be run in " + folder.resolve("data/run"),
                    "maybe because its file system is mounted noexec: "));
    assertThat(agent.alive()).isTrue();
  }

  @Test
  void aLogThatFillsTheDiskLosesLinesAndNotItsPodsEnd(TestCluster cluster) throws Exception {
    ProcessNode node = node(cluster);
    AgentProcess agent = start(cluster, node, "size=8m");
    agent.awaitReady();

    node.script("full", "seq 1 1000000; exit 5", "", "Never");

    eventually(
        () ->
            assertThat(
                    cluster.field(
                        "pod", "full", "{.status.containerStatuses[0].state.terminated.exitCode}"))
                .isEqualTo("5"));
    List<String> lines = cluster.kubectl("logs", "full").lines().toList();
    assertThat(lines).startsWith("1", "2", "3").hasSizeLessThan(1_000_000);
    // where room is made meanwhile, later lines are written again
    assertThat(lines.stream().map(Integer::valueOf).toList()).isSorted().doesNotHaveDuplicates();
    eventually(() -> assertThat(agent.log()).contains("droppedLogLines="));
    // the agent goes on; whether the node takes pods at once depends on its pressure condition
    cluster.kubectl("delete", "pod", "full", "--wait=true");
  }
}
