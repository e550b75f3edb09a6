package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
