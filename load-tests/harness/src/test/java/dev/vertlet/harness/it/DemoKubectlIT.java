package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as its users meet it: with kubectl, which the control plane's programs bring along. */
@ClusterTest
class DemoKubectlIT {

  @TempDir private Path dir;

  private Process demo;
  private Path program;
  private Path kubeconfig;

  @BeforeEach
  void startDemo(TestCluster cluster) throws IOException {
    program = cluster.controlPlane().kubectlProgram();
    demo = Launcher.serve(dir, "demo", "--nodes", "2", "--pods", "4");
    kubeconfig = Launcher.kubeconfig(dir);
  }

  @AfterEach
  void endDemo() throws Exception {
    demo.destroy();
    Launcher.await(demo, dir);
  }

  /** Starts kubectl; its output goes to files of {@code folder}. */
  private Process start(Path folder, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(program.toString(), "--kubeconfig", kubeconfig.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = Launcher.process(folder, command);
    // neither what the user prefers for kubectl nor discovery of another cluster on this port
    builder.environment().put("KUBERC", "off");
    builder.environment().put("KUBECACHEDIR", dir.resolve("cache").toString());
    return builder.start();
  }

  private Launcher.Outcome run(String... arguments) throws Exception {
    Path folder = Files.createTempDirectory(dir, "kubectl-");
    return Launcher.await(start(folder, arguments), folder);
  }

  /** Runs a command that has to succeed. Returns its standard output. */
  private String kubectl(String... arguments) throws Exception {
    Launcher.Outcome outcome = run(arguments);
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome.out();
  }

  @Test
  void showsWhatRunsAndRunsMore() throws Exception {
    assertThat(kubectl("get", "nodes,pods", "-o", "wide").lines())
        .anyMatch(line -> line.matches("node/demo-node-0 +Ready .*"))
        .anyMatch(line -> line.matches("node/demo-node-1 +Ready .*"))
        .filteredOn(line -> line.matches("pod/demo-pod-[0-3] +1/1 +Running .* demo-node-[01] .*"))
        .hasSize(4);

    assertThat(kubectl("run", "web", "--image=nginx")).isEqualTo("pod/web created\n");
    assertThat(kubectl("wait", "--for=condition=Ready", "pod/web", KubectlRuns.LIMIT))
        .isEqualTo("pod/web condition met\n");
    assertThat(kubectl("describe", "pod", "web"))
        .containsPattern("Node: +demo-node-[01]/")
        .containsPattern("Image: +nginx")
        .containsPattern("Ready +True")
        .contains("Successfully assigned default/web to demo-node-");
  }

  @Test
  void appliesOnTheClientsSideOnly() throws Exception {
    Path file = Files.writeString(dir.resolve("app.yaml"), app("blue"));
    String name = file.toString();

    assertThat(kubectl("apply", "-f", name).lines())
        .containsExactly("configmap/settings created", "pod/app created");
    assertThat(kubectl("apply", "-f", name).lines())
        .containsExactly("configmap/settings unchanged", "pod/app unchanged");
    Files.writeString(file, app("red"));
    assertThat(kubectl("apply", "-f", name).lines())
        .containsExactly("configmap/settings configured", "pod/app configured");
    assertThat(kubectl("get", "configmap", "settings", "-o", "jsonpath={.data.colour}"))
        .isEqualTo("red");

    Launcher.Outcome refused = run("apply", "--server-side", "-f", name);
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err())
        .contains("this server has no server-side apply", "without --server-side");
  }

  private static String app(String colour) {
    return """
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: settings
    data:
      colour: %1$s
    ---
    apiVersion: v1
    kind: Pod
    metadata:
      name: app
      labels:
        colour: %1$s
    spec:
      containers:
        - name: app
          image: nginx
          envFrom:
            - configMapRef:
                name: settings
    """
        .formatted(colour);
  }

  /** The demo's API server serves the metrics itself, of what the nodes tell it. */
  @Test
  void topTellsWhatPodsAndNodesTake() throws Exception {
    Path file = Files.writeString(dir.resolve("steady.yaml"), TopSteps.manifest("demo-node-0"));
    kubectl("apply", "-f", file.toString());

    new TopSteps(this::kubectl).check("demo-node-0", "demo-node-1");
  }

  @Test
  void watchesDrainsAndDeletes() throws Exception {
    Path watched = Files.createDirectory(dir.resolve("watch"));
    Process watch = start(watched, "get", "pods", "-w");
    try {
      await().until(() -> out(watched).contains("demo-pod-3"));
      kubectl("run", "web", "--image=nginx");
      eventually(() -> assertThat(out(watched)).containsPattern("web +1/1 +Running"));
      assertThat(watch.isAlive()).isTrue();
    } finally {
      watch.destroyForcibly().waitFor();
    }

    String drained = kubectl("drain", "demo-node-0", "--force");
    assertThat(drained).contains("node/demo-node-0 cordoned", "node/demo-node-0 drained");
    assertThat(kubectl("get", "nodes"))
        .containsPattern("demo-node-0 +Ready,SchedulingDisabled ")
        .containsPattern("demo-node-1 +Ready ");
    assertThat(kubectl("get", "pods", "--field-selector=spec.nodeName=demo-node-0")).isEmpty();

    assertThat(kubectl("delete", "pods", "--all"))
        .containsPattern("pod \"demo-pod-[0-3]\" deleted");
    Launcher.Outcome rest = run("get", "pods");
    assertThat(rest.exitCode()).isZero();
    assertThat(rest.out()).isEmpty();
    assertThat(rest.err()).contains("No resources found in default namespace");
  }

  private static String out(Path folder) throws IOException {
    return Files.readString(folder.resolve("out"));
  }
}
