package dev.vertlet.harness.it;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Streams through the demo's API server. */
@ClusterTest
class DemoStreamsIT extends StreamTests {
  @TempDir private static Path dir;

  private static Process demo;
  private static KubectlRuns kubectl;

  @BeforeAll
  static void startDemo(TestCluster cluster) throws Exception {
    demo = Launcher.serve(dir, "demo", "--nodes", "1", "--pods", "1");
    kubectl =
        new KubectlRuns(
            cluster.controlPlane().kubectlProgram(), Launcher.kubeconfig(dir), "default", dir);
    apply(kubectl, dir, "demo-node-0");
  }

  @AfterAll
  static void endDemo() throws Exception {
    demo.destroy();
    Launcher.await(demo, dir);
  }

  @Override
  KubectlRuns kubectl() {
    return kubectl;
  }

  @Override
  Path dir() {
    return dir;
  }
}
