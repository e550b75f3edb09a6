package dev.vertlet.harness.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Waits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/dynamic-configuration.md, one after another as they stand there. */
@ClusterTest
@FullRing // what the commands do is in DynamicConfigIT
class DynamicConfigDocIT {
  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\n(.*?)^```$");
  private static final Pattern FENCE = Pattern.compile("(?m)^```");

  @TempDir private Path folder;

  @Test
  void eachCommandOfTheDocumentDoesWhatItSays(TestCluster cluster) throws Exception {
    Files.writeString(
        folder.resolve("vertlet.json"),
        """
        {"nodes": [{"name": "walk{i}", "count": 2}],
         "configSync": {"enabled": true, "allowedNamespaces": ["vertlet-system"], "trialDuration": "1s"}}
        """);
    AgentProcess agent =
        cluster.closeAfterTest(
            AgentProcess.Setup.of(folder, folder.resolve("vertlet.json"), cluster.agentKubeconfig())
                .with("--set", "server.healthzPort=0")
                .start());
    cluster.closeAfterTest(
        () ->
            cluster
                .client()
                .configMaps()
                .inNamespace("vertlet-system")
                .withName("my-node-config")
                .delete());
    agent.awaitReady();
    String document = Files.readString(ROOT.resolve("docs/dynamic-configuration.md"));
    String commands =
        BLOCK
            .matcher(document)
            .results()
            .map(block -> block.group(1))
            .collect(Collectors.joining());
    assertThat(FENCE.matcher(document).results().count())
        .as("blocks without commands")
        .isEqualTo(2 * BLOCK.matcher(document).results().count());
    Path script = folder.resolve("commands.sh");
    Files.writeString(script, "set -euxo pipefail\n" + commands);
    Path launcher = folder.resolve("vertlet");
    Files.writeString(
        launcher, "#!/bin/sh\nexec \"%s\" \"$@\"\n".formatted(ROOT.resolve("vertlet")));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();

    ProcessBuilder builder =
        new ProcessBuilder("bash", script.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile());
    builder.environment().put("NODE", "walk1");
    builder.environment().put("KUBECONFIG", cluster.kubeconfig().toString());
    builder
        .environment()
        .merge(
            "PATH",
            cluster.controlPlane().kubectlProgram().resolveSibling("").toString(),
            (path, own) -> own + ":" + path);
    Process bash = builder.start();
    cluster.closeAfterTest(bash::destroyForcibly);
    boolean ended = bash.waitFor(Waits.LONG.multipliedBy(4).toMillis(), MILLISECONDS);
    String said = Files.readString(folder.resolve("said"), UTF_8);

    assertThat(ended).as(said).isTrue();
    assertThat(bash.exitValue()).as(said).isZero();
    assertThat(said)
        .contains("\"assigned\"", "vertlet now uses ", "1 of 1 nodes run by ")
        .contains(
            "/maxPods: 10000 -> 42", "would change that", "1 nodes have their previous configs");
    assertThat(agent.log())
        .contains("/maxPods: invalid configuration: maxPods (--max-pods) -1 must not be");
    assertThat(agent.alive()).isTrue();
  }
}
