package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Rings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many pods that come and go on a real container runtime. */
@ClusterTest(controllers = true)
@Needs(Tool.CONTAINERS)
@Tag("containers")
class CriCyclesIT {
  private static final String NODE = "cri-cycles";
  private static final int SIDE_BY_SIDE = 5;

  /** 500 pods in the full ring. */
  private static final int ROUNDS = Rings.isFull() ? 100 : 2;

  @TempDir private Path folder;

  private final ContainerLab lab = new ContainerLab();

  private static void create(TestCluster cluster, String name) {
    cluster.create(
        name,
        NODE,
        spec(
            """
            {terminationGracePeriodSeconds: 1,
             volumes: [{name: m, emptyDir: {medium: Memory}}],
             containers: [{name: main, image: '%s', command: [sh, -c, 'echo up; exec sleep 3600'],
               resources: {limits: {memory: 32Mi}, requests: {cpu: 10m}},
               volumeMounts: [{name: m, mountPath: /m}]}]}
            """
                .formatted(ContainerLab.BUSYBOX)));
  }

  @Test
  @Tag("X05")
  void ofManyPodsNothingStays(TestCluster cluster) throws Exception {
    lab.start(cluster, lab.config(NODE, folder.resolve("data")));
    var before = lab.traces();
    var descriptors = descriptors();

    for (int round = 0; round < ROUNDS; round++) {
      List<String> pods = new ArrayList<>();
      for (int i = 0; i < SIDE_BY_SIDE; i++) {
        String name = "pod-" + round + "-" + i;
        create(cluster, name);
        pods.add("pod/" + name);
      }
      List<String> wait = new ArrayList<>(List.of("wait", "--for=condition=Ready"));
      wait.addAll(pods);
      wait.add(KubectlRuns.LIMIT);
      cluster.kubectl(wait.toArray(String[]::new));
      List<String> delete = new ArrayList<>(List.of("delete", "--wait=true"));
      delete.addAll(pods);
      cluster.kubectl(delete.toArray(String[]::new));
    }

    eventually(() -> assertThat(before).containsAll(lab.traces()));
    eventually(() -> assertThat(folder.resolve("data/pods")).isEmptyDirectory());
    eventually(() -> assertThat(folder.resolve("data/logs")).isEmptyDirectory());
    // connections to the control plane come and go; a leak is one for each pod at least
    eventually(
        () ->
            assertThat(descriptors())
                .isLessThan(descriptors + Math.max(40, ROUNDS * SIDE_BY_SIDE)));
  }

  /** Number of files that this process has open. */
  private static int descriptors() {
    String[] open = Path.of("/proc/self/fd").toFile().list();
    return open == null ? 0 : open.length;
  }
}
