package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.agent.Vertlet;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.ContainerMount;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.container.ForwardingRuntime;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.simulated.SimulatedRuntime;
import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens and updates of volumes as files, on a real API server. */
@ClusterTest
class ContentIT {
  private static final String NODE = "files0";

  @TempDir private Path folder;

  private final Map<String, ContainerStart> starts = new ConcurrentHashMap<>();

  /** The simulated runtime, which asks for files. */
  private final class Writing extends ForwardingRuntime {
    Writing(ProviderSetup setup) {
      super(
          SimulatedRuntime.create(
              setup.vertx(),
              setup.clock(),
              1,
              node -> List.of(),
              node -> setup.node(node).podCidr(),
              node -> setup.node(node).capacity()));
    }

    @Override
    public PodInput input() {
      return PodInput.FILES;
    }

    @Override
    public boolean usesEnvironment() {
      return true;
    }

    @Override
    public Future<ContainerRecord> startContainer(ContainerStart start) {
      starts.put(start.view().name(), start);
      return super.startContainer(start);
    }
  }

  private void start(TestCluster cluster) throws InterruptedException {
    JsonObject config =
        new JsonObject()
            .put(
                "nodes",
                new JsonArray().add(new JsonObject().put("name", NODE).put("provider", "own")))
            .put("kubernetes", new JsonObject().put("kubeconfig", cluster.kubeconfig().toString()))
            .put("agent", new JsonObject().put("dataDir", folder.resolve("data").toString()))
            .put("server", new JsonObject().put("port", 0).put("enableServer", false));
    cluster.closeAfterTest(
        Vertlet.start(
            config.encode(),
            ProviderFactory.of("own", setup -> new Backend.Containers(new Writing(setup)))));
  }

  private Path mounted(String pod, String path) {
    ContainerStart start = Objects.requireNonNull(starts.get(pod));
    return start.mounts().stream()
        .filter(mount -> mount.containerPath().equals(path))
        .map(ContainerMount::hostPath)
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing at " + path + " in " + start.mounts()));
  }

  @Test
  void aTokenIsValidAndBoundToItsPod(TestCluster cluster) throws Exception {
    start(cluster);
    cluster.kubectl("create", "serviceaccount", "runner");
    // as the admission of a cluster adds it, which the control plane of tests does without
    cluster.create(
        "p",
        NODE,
        spec(
            "{serviceAccountName: runner, volumes: [{name: access, projected: {sources:"
                + " [{serviceAccountToken: {path: token}}, {downwardAPI: {items: [{path:"
                + " namespace, fieldRef: {fieldPath: metadata.namespace}}]}}]}}], containers:"
                + " [{name: main, image: img, volumeMounts: [{name: access, mountPath:"
                + " /var/run/secrets/kubernetes.io/serviceaccount}]}]}"));
    cluster.kubectl("wait", "--for=condition=Ready", "pod/p", KubectlRuns.LIMIT);

    Path account = mounted("p", "/var/run/secrets/kubernetes.io/serviceaccount");

    String token = Files.readString(account.resolve("token"));
    TokenReview review =
        cluster
            .client()
            .resource(new TokenReviewBuilder().withNewSpec().withToken(token).endSpec().build())
            .create();
    assertThat(review.getStatus().getAuthenticated()).isTrue();
    assertThat(review.getStatus().getUser().getUsername())
        .isEqualTo("system:serviceaccount:" + cluster.namespace() + ":runner");
    JsonObject claims =
        new JsonObject(
            new String(
                Base64.getUrlDecoder().decode(token.split("\\.")[1]), StandardCharsets.UTF_8));
    assertThat(claims.getJsonObject("kubernetes.io").getJsonObject("pod").getString("uid"))
        .isEqualTo(cluster.field("pod", "p", "{.metadata.uid}"));
    assertThat(account.resolve("namespace")).hasContent(cluster.namespace());
    Path directory = Objects.requireNonNull(Objects.requireNonNull(starts.get("p")).directory());
    cluster.kubectl("delete", "pod", "p", "--wait=true");
    eventually(() -> assertThat(directory).doesNotExist());
  }

  @Test
  void aChangedConfigMapReachesARunningContainer(TestCluster cluster) throws Exception {
    start(cluster);
    cluster.kubectl("create", "configmap", "settings", "--from-literal=colour=red");
    cluster.create(
        "p",
        NODE,
        spec(
            "{volumes: [{name: config, configMap: {name: settings}}], containers: [{name: main,"
                + " image: img, volumeMounts: [{name: config, mountPath: /c}, {name: config,"
                + " mountPath: /one, subPath: colour}]}]}"));
    cluster.kubectl("wait", "--for=condition=Ready", "pod/p", KubectlRuns.LIMIT);
    assertThat(mounted("p", "/c").resolve("colour")).hasContent("red");

    cluster.kubectl(
        "patch", "configmap", "settings", "--patch", "{\"data\": {\"colour\": \"blue\"}}");

    eventually(() -> assertThat(mounted("p", "/c").resolve("colour")).hasContent("blue"));
    assertThat(mounted("p", "/one")).hasContent("red");
  }

  @Test
  void aVolumeBeyondItsLimitEvictsItsPod(TestCluster cluster) throws Exception {
    start(cluster);
    cluster.create("p", NODE, scratch("{sizeLimit: 1Mi}"));
    cluster.create("sparse", NODE, scratch("{sizeLimit: 1Mi}"));
    cluster.kubectl("wait", "--for=condition=Ready", "pod/p", "pod/sparse", KubectlRuns.LIMIT);

    try (RandomAccessFile hole =
        new RandomAccessFile(mounted("sparse", "/s").resolve("f").toFile(), "rw")) {
      hole.setLength(2 << 20);
    }
    Files.write(mounted("p", "/s").resolve("f"), new byte[2 << 20]);

    eventually(
        () -> assertThat(cluster.field("pod", "p", "{.status.reason}")).isEqualTo("Evicted"));
    assertThat(cluster.field("pod", "p", "{.status.message}"))
        .isEqualTo("Usage of EmptyDir volume \"s\" exceeds the limit \"1Mi\". ");
    assertThat(cluster.field("pod", "sparse", "{.status.phase}")).isEqualTo("Running");
  }

  /** On a machine that lets the agent mount; on others the volume is on disk, with an event. */
  @Test
  void aVolumeInMemoryHasItsLimitAndGoesWithItsPod(TestCluster cluster) throws Exception {
    start(cluster);
    cluster.create("p", NODE, scratch("{medium: Memory, sizeLimit: 1Mi}"));
    cluster.kubectl("wait", "--for=condition=Ready", "pod/p", KubectlRuns.LIMIT);
    Path volume = mounted("p", "/s");

    if (mayMount()) {
      assertThat(Files.getFileStore(volume).type()).isEqualTo("tmpfs");
      assertThatThrownBy(() -> Files.write(volume.resolve("f"), new byte[2 << 20]))
          .isInstanceOf(IOException.class);
    } else {
      eventually(
          () ->
              assertThat(cluster.kubectl("get", "events", "-o", "jsonpath={.items[*].reason}"))
                  .contains("EmptyDirNotInMemory"));
    }
    cluster.kubectl("delete", "pod", "p", "--wait=true");
    eventually(() -> assertThat(volume).doesNotExist());
    assertThat(Files.readString(Path.of("/proc/self/mountinfo"), ISO_8859_1))
        .doesNotContain(folder.toString());
  }

  private static UnaryOperator<PodBuilder> scratch(String source) {
    return spec(
        "{volumes: [{name: s, emptyDir: %s}], containers: [{name: main, image: img,"
                .formatted(source)
            + " volumeMounts: [{name: s, mountPath: /s}]}]}");
  }

  private boolean mayMount() throws Exception {
    String probe = Files.createDirectory(folder.resolve("probe")).toString();
    boolean mounted = run("mount", "-t", "tmpfs", "tmpfs", probe);
    return mounted && run("umount", probe);
  }

  private static boolean run(String... command) throws Exception {
    return Waits.exit(new ProcessBuilder(command).start()) == 0;
  }
}
