package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoIT {

  @TempDir private Path dir;

  @Test
  void onceEndsWithOneLineOfJson() throws Exception {
    Launcher.Outcome outcome = Launcher.run(dir, "demo", "--once", "--nodes", "2", "--pods", "20");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    JsonObject result = new JsonObject(outcome.lastLine());
    assertThat(result.getInteger("ready")).isEqualTo(20);
    assertThat(result.getInteger("gone")).isEqualTo(20);
    assertThat(result.getDouble("rss_mb")).isPositive();
    assertThat(outcome.err()).contains("pods Ready 20/20").doesNotContain("ERROR");
  }

  @Test
  void itServesUntilItIsToldToStopAndLeavesNoKubeconfig() throws Exception {
    Process demo = Launcher.serve(dir, "demo", "--nodes", "1", "--pods", "3");
    try {
      Path kubeconfig = Launcher.kubeconfig(dir);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kubeconfig)))
          .isEqualTo("rw-------");
      try (var client = TestCluster.connect(kubeconfig)) {
        assertThat(client.pods().inNamespace("default").list().getItems()).hasSize(3);
        Pod web = aUsersPod();
        client.pods().resource(web).create();
        await().until(() -> Readiness.isPodReady(client.pods().resource(web).get()));
      }

      demo.destroy();

      assertThat(Launcher.await(demo, dir).exitCode()).isZero();
      assertThat(kubeconfig.getParent()).doesNotExist();
    } finally {
      demo.destroyForcibly();
    }
  }

  @Test
  void podsOfProviderProcessArePrograms() throws Exception {
    Process demo = Launcher.serve(dir, "demo", "--provider", "process");
    try (var client = TestCluster.connect(Launcher.kubeconfig(dir))) {
      List<URI> pages = pages();
      assertThat(pages).hasSize(3);
      List<ProcessHandle> programs = new ArrayList<>();
      for (int i = 0; i < pages.size(); i++) {
        assertThat(page(pages.get(i))).startsWith("Hello from pod demo-pod-" + i + " on node ");
        programs.add(program(pages.get(i)));
      }

      programs.get(1).destroyForcibly();

      await().until(() -> restarts(client, "demo-pod-1") == 1 && ready(client, "demo-pod-1"));
      assertThat(lastExitCode(client, "demo-pod-1")).isEqualTo(137);
      assertThat(program(pages.get(1))).isNotEqualTo(programs.get(1));
      programs.set(1, program(pages.get(1)));
      Pod failing = aUsersPod();
      failing.getSpec().getContainers().get(0).setImage("host");
      failing.getSpec().getContainers().get(0).setCommand(List.of("sh", "-c", "exit 3"));
      client.pods().resource(failing).create();
      await().until(() -> restarts(client, "web") > 0);
      assertThat(lastExitCode(client, "web")).isEqualTo(3);

      demo.destroy();

      assertThat(Launcher.await(demo, dir).exitCode()).isZero();
      assertThat(programs).noneMatch(ProcessHandle::isAlive);
      assertThat(Launcher.kubeconfig(dir).getParent()).doesNotExist();
    } finally {
      demo.destroyForcibly();
    }
  }

  @Test
  void programsOfAKilledDemoEnd() throws Exception {
    // which leaves its directory behind
    Map<String, String> environment = Map.of("VERTLET_JAVA_OPTS", "-Djava.io.tmpdir=" + dir);
    Process demo = Launcher.serve(dir, environment, "demo", "--provider", "process", "--pods", "1");
    ProcessHandle program = program(pages().get(0));
    ProcessHandle shim = program.parent().orElseThrow();

    demo.destroyForcibly();

    await().until(() -> !program.isAlive() && !shim.isAlive());
  }

  /** Addresses that the demo prints. */
  private List<URI> pages() throws IOException {
    return Files.readAllLines(dir.resolve("out")).stream()
        .map(String::strip)
        .filter(line -> line.startsWith("http:"))
        .map(URI::create)
        .toList();
  }

  private static String page(URI address) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
        .body();
  }

  /** The process that a page says it is. */
  private static ProcessHandle program(URI address) throws Exception {
    Matcher pid = Pattern.compile("I am process (\\d+) ").matcher(page(address));
    assertThat(pid.find()).isTrue();
    return ProcessHandle.of(Long.parseLong(pid.group(1))).orElseThrow();
  }

  private static Pod pod(KubernetesClient client, String name) {
    return client.pods().inNamespace("default").withName(name).get();
  }

  private static boolean ready(KubernetesClient client, String pod) {
    return Readiness.isPodReady(pod(client, pod));
  }

  /** Restarts of a pod's containers; 0 before they have a status. */
  private static int restarts(KubernetesClient client, String pod) {
    return pod(client, pod).getStatus().getContainerStatuses().stream()
        .mapToInt(ContainerStatus::getRestartCount)
        .sum();
  }

  private static int lastExitCode(KubernetesClient client, String pod) {
    return pod(client, pod)
        .getStatus()
        .getContainerStatuses()
        .get(0)
        .getLastState()
        .getTerminated()
        .getExitCode();
  }

  /** What {@code kubectl run web --image=nginx} makes. */
  private static Pod aUsersPod() {
    return new PodBuilder()
        .withNewMetadata()
        .withName("web")
        .withNamespace("default")
        .addToLabels("run", "web")
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("web")
        .withImage("nginx")
        .endContainer()
        .endSpec()
        .build();
  }
}
