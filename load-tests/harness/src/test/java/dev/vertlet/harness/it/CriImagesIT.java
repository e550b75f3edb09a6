package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.FullRing;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pulls of real images from a registry that refuses, fails or sends something else. */
@ClusterTest(controllers = true)
@Needs(Tool.CONTAINERS)
@Tag("containers")
@Tag("X09")
@FullRing // back-offs last a minute; RuntimeFaultsTest has failing pulls
class CriImagesIT {
  private static final String NODE = "cri-images";

  @TempDir private Path folder;

  private final ContainerLab lab = new ContainerLab();
  private FaultyRegistry registry;

  @BeforeEach
  void start(TestCluster cluster) throws Exception {
    registry = cluster.closeAfterTest(FaultyRegistry.start());
    lab.start(cluster, lab.config(NODE, folder.resolve("data")));
  }

  /** An image that only the registry has. */
  private OciImage image(String author) throws IOException, InterruptedException {
    return lab.image(ContainerLab.BUSYBOX).by(author);
  }

  private static void create(TestCluster cluster, String name, String image, String more) {
    cluster.create(
        name,
        NODE,
        spec(
            "{terminationGracePeriodSeconds: 1, %s containers: [{name: main, image: '%s', command: [sleep, '1000']}]}"
                .formatted(more, image)));
  }

  /** Waits until a pod is in back-off because of a failure. */
  private static void isRefused(TestCluster cluster, String pod, String image, String failure) {
    String waiting = "{.status.containerStatuses[0].state.waiting['reason','message']}";
    eventually(
        () ->
            assertThat(cluster.field("pod", pod, waiting))
                .startsWith(
                    "ImagePullBackOff Back-off pulling image \"%s\": ErrImagePull: rpc error: code = "
                        .formatted(image))
                .contains(failure));
    assertThat(cluster.kubectl("get", "events", "--field-selector=involvedObject.name=" + pod))
        .contains("Failed to pull image \"" + image + "\": rpc error: code = ")
        .contains("Error: ErrImagePull", "Error: ImagePullBackOff");
  }

  private static void runs(TestCluster cluster, String pod) {
    cluster.kubectl("wait", "--for=condition=Ready", "pod/" + pod, KubectlRuns.LIMIT);
  }

  @Test
  void aRegistryThatFailsIsAskedAgainUntilItAnswers(TestCluster cluster) throws Exception {
    String image = registry.add("down", image("down"));
    registry.available(false);
    create(cluster, "down", image, "");
    isRefused(cluster, "down", image, "503 Service Unavailable");

    registry.available(true);

    runs(cluster, "down");
  }

  @Test
  void anImageThatTheRegistryGetsLaterIsPulledThen(TestCluster cluster) throws Exception {
    String image = registry.host() + "/absent:1";
    create(cluster, "absent", image, "");
    isRefused(cluster, "absent", image, "code = NotFound desc = ");

    assertThat(registry.add("absent", image("absent"))).isEqualTo(image);

    runs(cluster, "absent");
  }

  @Test
  void anImageIsPulledWithThePodsSecretAlone(TestCluster cluster) throws Exception {
    String image = registry.add("guarded", image("guarded"));
    registry.require("reader", "right");
    secret(cluster, "wrong", "wrong");
    secret(cluster, "right", "right");
    create(cluster, "without", image, "");
    create(cluster, "wrong", image, "imagePullSecrets: [{name: wrong}],");
    create(cluster, "missing", image, "imagePullSecrets: [{name: missing}],");
    isRefused(cluster, "without", image, "no basic auth credentials");
    isRefused(cluster, "wrong", image, "401 Unauthorized");
    isRefused(cluster, "missing", image, "no basic auth credentials");
    assertThat(registry.wasAskedBy("reader", "wrong")).isTrue();
    assertThat(registry.wasAskedBy("reader", "right")).isFalse();

    create(cluster, "right", image, "imagePullSecrets: [{name: right}],");
    runs(cluster, "right");
    cluster.kubectl("delete", "secret", "wrong");
    secret(cluster, "wrong", "right");

    runs(cluster, "wrong");
  }

  private void secret(TestCluster cluster, String name, String password) {
    cluster.kubectl(
        "create",
        "secret",
        "docker-registry",
        name,
        "--docker-server=" + registry.host(),
        "--docker-username=reader",
        "--docker-password=" + password);
  }

  @Test
  void contentOfAnotherDigestIsRefused(TestCluster cluster) throws Exception {
    OciImage asked = image("asked");
    registry.putManifest("other", asked.digest(), image("other"));
    String other = registry.host() + "/other@" + asked.digest();
    OciImage whole = image("spoilt");
    String spoilt = registry.add("spoilt", whole);
    registry.spoilConfig("spoilt", whole);
    create(cluster, "other", other, "");
    create(cluster, "spoilt", spoilt, "");

    isRefused(cluster, "other", other, "expected " + asked.digest());
    isRefused(cluster, "spoilt", spoilt, "unexpected commit digest sha256:");

    registry.add("spoilt", whole);
    runs(cluster, "spoilt");
  }
}
