package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.FullRing;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Streams through the demo's API server. */
@ClusterTest
@FullRing
class DemoStreamsIT extends StreamTests {
  private Optional<Process> demo = Optional.empty();

  @Override
  Place open(TestCluster cluster, Path dir) throws Exception {
    demo = Optional.of(Launcher.serve(dir, "demo", "--nodes", "1", "--pods", "1"));
    Path kubeconfig = Launcher.kubeconfig(dir);
    return new Place(kubeconfig, kubeconfig, "default", "demo-node-0");
  }

  @AfterAll
  void endDemo() throws Exception {
    if (demo.isPresent()) {
      demo.get().destroy();
      Launcher.await(demo.get(), dir());
    }
  }

  @Test
  void thereAreNoWorkloadsToTakeLogsOf() throws Exception {
    assertThat(kubectl().error("logs", "deployment/talkers"))
        .contains("the server doesn't have a resource type \"deployment\"");
  }
}
