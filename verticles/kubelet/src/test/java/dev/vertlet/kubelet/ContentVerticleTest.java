package dev.vertlet.kubelet;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.content.ContentCore;
import dev.vertlet.content.ContentRuntime;
import dev.vertlet.content.VolumeManager;
import dev.vertlet.content.file.ContentOptions;
import dev.vertlet.content.file.MemoryVolumes;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.env.ResolvConf;
import dev.vertlet.env.SharedReferences;
import dev.vertlet.kubelet.podworker.EnvironmentInputs;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.nodes.NodeOptions;
import dev.vertlet.provider.container.ContainerMount;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.container.ForwardingRuntime;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.container.SandboxStart;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.references.BusReferences;
import dev.vertlet.references.ReferenceWatchVerticle;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.NodeSpecs;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What containers see, from the API server's objects to the files of a runtime that asks. */
class ContentVerticleTest {
  private static final String VOLUMES =
      """
      [{"name": "map", "configMap": {"name": "m"}},
       {"name": "secret", "secret": {"secretName": "s", "defaultMode": 256}},
       {"name": "down", "downwardAPI": {"items": [
         {"path": "labels", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.labels"}}]}},
       {"name": "all", "projected": {"sources": [
         {"serviceAccountToken": {"expirationSeconds": 600, "path": "token"}},
         {"configMap": {"name": "m", "items": [{"key": "k", "path": "copy"}]}}]}},
       {"name": "empty", "emptyDir": {}}]
      """;
  private static final String MOUNTS =
      """
      [{"name": "map", "mountPath": "/map"}, {"name": "secret", "mountPath": "/secret"},
       {"name": "down", "mountPath": "/down"}, {"name": "all", "mountPath": "/all"},
       {"name": "empty", "mountPath": "/empty"},
       {"name": "map", "mountPath": "/one", "subPath": "k"},
       {"name": "empty", "mountPath": "/sub", "subPathExpr": "$(WHO)/x"}]
      """;

  @TempDir private Path dir;
  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private final FakeRuntime containers = new FakeRuntime(new FakeLoop());
  private final Context shard = cluster.vertx().getOrCreateContext();
  private final Mounts memory = new Mounts();

  @SuppressWarnings("NullAway.Init") // set by serve
  private PodProvider provider;

  /** File systems in memory that are none: what is mounted, with its size in bytes. */
  private static final class Mounts implements MemoryVolumes {
    private final Map<Path, Long> mounted = new ConcurrentHashMap<>();

    @Override
    public boolean mount(Path directory, long bytes) {
      mounted.put(directory, bytes);
      return true;
    }

    @Override
    public List<Path> mounted(Path directory) {
      return mounted.keySet().stream().filter(path -> path.startsWith(directory)).toList();
    }

    @Override
    public void unmount(Path directory) {
      mounted.remove(directory);
    }
  }

  /** A runtime that asks for files, and keeps what it receives. */
  private final class Writing extends ForwardingRuntime {
    private final Map<String, ContainerStart> starts = new ConcurrentHashMap<>();
    private final List<SandboxStart> sandboxes = new CopyOnWriteArrayList<>();
    private final List<String> pulls = new CopyOnWriteArrayList<>();
    private final PodInput input;
    private Future<Void> removal = Future.succeededFuture();

    Writing(PodInput input) {
      super(containers);
      this.input = input;
    }

    @Override
    public PodInput input() {
      return input;
    }

    @Override
    public boolean usesEnvironment() {
      return true;
    }

    @Override
    public Future<SandboxRecord> runSandbox(SandboxStart start) {
      sandboxes.add(start);
      return super.runSandbox(start);
    }

    @Override
    public Future<Void> removeSandbox(PodRef pod) {
      return removal.compose(due -> super.removeSandbox(pod));
    }

    @Override
    public Future<ContainerRecord> startContainer(ContainerStart start) {
      starts.put(start.container().name() + start.attempt(), start);
      return super.startContainer(start);
    }

    @Override
    public Future<String> pull(
        PodView pod, ContainerView container, @Nullable RegistryCredential credential) {
      pulls.add(credential == null ? "" : credential.username() + ":" + credential.password());
      return "bad".equals(credential == null ? "" : credential.username())
          ? Future.failedFuture("unauthorized")
          : super.pull(pod, container, credential);
    }

    ContainerStart start(String instance) {
      eventually(() -> assertThat(starts).containsKey(instance));
      return Objects.requireNonNull(starts.get(instance));
    }
  }

  private Writing serve(PodInput input) {
    cluster.create("nodes", Manifests.node("node"));
    cluster.patchStatus(
        "nodes",
        "",
        "node",
        "{\"status\": {\"allocatable\": {\"pods\": \"100\", \"cpu\": \"4\", \"memory\":"
            + " \"8Gi\"}}}");
    cluster.deploy(
        new ReferenceWatchVerticle(
            cluster.kube(),
            cluster.bus(),
            new Random(1),
            true,
            ReferenceWatchVerticle.SERVICES_REST));
    Writing runtime = new Writing(input);
    provider = core(runtime);
    cluster.servePods(shard, provider, "node");
    return runtime;
  }

  /** From now on usage is measured. */
  private void serveNode() {
    Duration often = Duration.ofMillis(20);
    cluster.deployOn(
        shard,
        cluster.nodes(
            0,
            new NodeOptions("me", Duration.ofMinutes(5), often, often),
            List.of(NodeSpecs.having("node", NodeSpecs.CAPACITY)),
            provider.nodes(),
            Clock.systemUTC()));
    cluster.acquire("node");
  }

  private PodProvider core(Writing runtime) {
    if (!runtime.input().hasDefinition()) {
      return new KubeletCore(
          runtime,
          KubeletOptions.DEFAULTS,
          new KubeletNodes(node -> List.of("192.168.0.1")),
          new EnvironmentInputs(new BusReferences(cluster.bus(), 0), node -> Map.of()));
    }
    SharedReferences shared = new SharedReferences(new BusReferences(cluster.bus(), 0));
    VolumeManager contents =
        new VolumeManager(
            runtime.input(),
            new ContentOptions(dir, List.of(), dir.resolve("hosts"), memory),
            shared.user(),
            node -> Map.of("memory", "8Gi"),
            node -> DnsSettings.DEFAULTS);
    DnsSettings dns = new DnsSettings("cluster.local", List.of("10.0.0.10"), ResolvConf.EMPTY);
    return new ContentCore(
        new KubeletCore(
            new ContentRuntime(runtime, contents),
            KubeletOptions.DEFAULTS,
            new KubeletNodes(node -> List.of("192.168.0.1")),
            new EnvironmentInputs(
                shared.user(), true, node -> Map.of("memory", "8Gi"), node -> dns, contents)),
        runtime,
        contents);
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }

  private void map(String value) {
    cluster.create(
        "configmaps",
        "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"m\","
            + " \"namespace\": \"default\"}, \"data\": {\"k\": \""
            + value
            + "\"},"
            + " \"binaryData\": {\"b\": \"/wA=\"}}");
  }

  private void secret(String name, String type, String data) {
    cluster.create(
        "secrets",
        "{\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"type\": \"%s\", \"metadata\": {\"name\":"
                .formatted(type)
            + " \"%s\", \"namespace\": \"default\"}, \"data\": %s}".formatted(name, data));
  }

  private String create(String volumes, String mounts) {
    ObjectNode pod = Manifests.pod("p", "node");
    ObjectNode spec = (ObjectNode) pod.get("spec");
    spec.set("volumes", json(volumes));
    spec.put("serviceAccountName", "default");
    ((ObjectNode) pod.get("metadata")).putObject("labels").put("a", "1");
    ObjectNode container = (ObjectNode) pod.at("/spec/containers/0");
    container.put("workingDir", "/w");
    container.put("terminationMessagePath", "/dev/termination-log");
    container.set("env", json("[{\"name\": \"WHO\", \"value\": \"me\"}]"));
    container.set("volumeMounts", json(mounts));
    return cluster.create("pods", pod).at("/metadata/uid").asText();
  }

  private void account() {
    if (!cluster.exists("serviceaccounts", "default", "default")) {
      cluster.create(
          "serviceaccounts",
          "{\"apiVersion\": \"v1\", \"kind\": \"ServiceAccount\", \"metadata\": {\"name\":"
              + " \"default\", \"namespace\": \"default\"}}");
    }
  }

  private static Path mounted(ContainerStart start, String path) {
    return start.mounts().stream()
        .filter(mount -> mount.containerPath().equals(path))
        .map(ContainerMount::hostPath)
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing at " + path + " in " + start.mounts()));
  }

  private void awaitRunning() {
    eventually(
        () -> assertThat(cluster.pod("p").at("/status/phase").asText()).isEqualTo("Running"));
  }

  @Test
  void aContainerSeesItsVolumesAndFiles() throws Exception {
    Writing runtime = serve(PodInput.FILES);
    account();
    map("1");
    secret("s", "Opaque", "{\"k\": \"aHVzaA==\"}");
    String uid = create(VOLUMES, MOUNTS);

    ContainerStart start = runtime.start("main0");

    assertThat(start.directory()).isEqualTo(dir.resolve(uid));
    assertThat(start.definition().workingDirectory()).isEqualTo("/w");
    assertThat(start.environment()).containsEntry("WHO", "me");
    assertThat(mounted(start, "/map").resolve("k")).hasContent("1");
    assertThat(mounted(start, "/map").resolve("b")).hasBinaryContent(new byte[] {(byte) 0xff, 0});
    assertThat(mounted(start, "/secret").resolve("k")).hasContent("hush");
    assertThat((int) Files.getAttribute(mounted(start, "/secret").resolve("k"), "unix:mode") & 0777)
        .isEqualTo(0400);
    assertThat(mounted(start, "/down").resolve("labels")).hasContent("a=\"1\"");
    assertThat(mounted(start, "/all").resolve("copy")).hasContent("1");
    assertThat(Files.readString(mounted(start, "/all").resolve("token"))).hasSizeGreaterThan(20);
    assertThat(mounted(start, "/empty")).isDirectory().isWritable();
    assertThat(mounted(start, "/one")).hasContent("1");
    assertThat(mounted(start, "/sub"))
        .isDirectory()
        .satisfies(path -> assertThat(path.endsWith("me/x")).isTrue());
    assertThat(Files.readString(mounted(start, "/etc/hosts"))).contains("\tp\n");
    assertThat(Files.readString(mounted(start, "/etc/resolv.conf")))
        .startsWith("search default.svc.cluster.local ")
        .contains("nameserver 10.0.0.10\n");
    assertThat(mounted(start, "/dev/termination-log")).isEmptyFile();
    awaitRunning();
  }

  @Test
  void changesReachRunningContainersButNotASubPath() throws Exception {
    Writing runtime = serve(PodInput.FILES);
    account();
    map("1");
    secret("s", "Opaque", "{}");
    create(VOLUMES, MOUNTS);
    ContainerStart start = runtime.start("main0");
    awaitRunning();

    cluster.patch("configmaps", "default", "m", "{\"data\": {\"k\": \"2\", \"new\": \"3\"}}");
    cluster.label("p", "b", "2");

    eventually(() -> assertThat(mounted(start, "/map").resolve("k")).hasContent("2"));
    eventually(() -> assertThat(mounted(start, "/all").resolve("copy")).hasContent("2"));
    eventually(
        () -> assertThat(mounted(start, "/down").resolve("labels")).hasContent("a=\"1\"\nb=\"2\""));
    assertThat(mounted(start, "/map").resolve("new")).hasContent("3");
    assertThat(mounted(start, "/one")).hasContent("1");
    PodRef ref = cluster.view("p").ref();
    cluster.vertx().runOnContext(v -> containers.exit(ref, "main", 1));
    ContainerStart next = runtime.start("main1");
    assertThat(mounted(next, "/one")).hasContent("2");
  }

  @Test
  void aPodWaitsForTheObjectThatEveryPodIsGiven() {
    Writing runtime = serve(PodInput.FILES);
    create(
        "[{\"name\": \"api\", \"projected\": {\"sources\": [{\"configMap\": {\"name\":"
            + " \"kube-root-ca.crt\"}}]}}]",
        "[{\"name\": \"api\", \"mountPath\": \"/api\"}]");
    eventually(() -> assertThat(runtime.sandboxes).isEmpty());

    if (!cluster.exists("configmaps", "default", "kube-root-ca.crt")) {
      cluster.create(
          "configmaps",
          "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\":"
              + " \"kube-root-ca.crt\", \"namespace\": \"default\"}, \"data\": {\"ca.crt\":"
              + " \"x\"}}");
    }

    assertThat(mounted(runtime.start("main0"), "/api").resolve("ca.crt")).isNotEmptyFile();
  }

  @Test
  void theEndOfAContainerHasItsMessage() throws Exception {
    Writing runtime = serve(PodInput.FILES);
    create("[]", "[]");
    ContainerStart start = runtime.start("main0");
    awaitRunning();
    Files.writeString(mounted(start, "/dev/termination-log"), "out of cheese");

    PodRef ref = cluster.view("p").ref();
    cluster.vertx().runOnContext(v -> containers.exit(ref, "main", 3));

    eventually(
        () ->
            assertThat(
                    cluster
                        .pod("p")
                        .at("/status/containerStatuses/0/lastState/terminated/message")
                        .asText())
                .isEqualTo("out of cheese"));
    assertThat(mounted(runtime.start("main1"), "/dev/termination-log")).isEmptyFile();
  }

  @Test
  void theDirectoryOfAPodGoesWithIt() {
    Writing runtime = serve(PodInput.FILES);
    map("1");
    String uid =
        create(
            "[{\"name\": \"map\", \"configMap\": {\"name\": \"m\"}}]",
            "[{\"name\": \"map\", \"mountPath\": \"/map\"}]");
    awaitRunning();
    assertThat(runtime.start("main0").mounts()).isNotEmpty();
    assertThat(dir.resolve(uid)).exists();

    cluster.delete("pods", "default", "p");

    eventually(() -> assertThat(cluster.exists("pods", "default", "p")).isFalse());
    eventually(() -> assertThat(dir.resolve(uid)).doesNotExist());
  }

  /** Its end is written first, and comes back as that of a pod whose containers have to end. */
  @Test
  void aPodThatHasEndedKeepsItsDirectoryHoweverSlowlyItsSandboxGoes() {
    Writing runtime = serve(PodInput.FILES);
    Promise<Void> removal = Promise.promise();
    runtime.removal = removal.future();
    ObjectNode pod = Manifests.pod("p", "node");
    ((ObjectNode) pod.get("spec")).put("restartPolicy", "Never");
    Path directory = dir.resolve(cluster.create("pods", pod).at("/metadata/uid").asText());
    awaitRunning();
    PodRef ref = cluster.view("p").ref();
    cluster.vertx().runOnContext(v -> containers.exit(ref, "main", 0));
    eventually(
        () -> assertThat(cluster.pod("p").at("/status/phase").asText()).isEqualTo("Succeeded"));
    PodView ended = cluster.view("p");
    shard.runOnContext(
        v -> {
          var unused = provider.delete(ended, Duration.ofSeconds(30));
          removal.complete();
        });

    eventually(() -> assertThat(directory.resolve("etc-hosts")).doesNotExist());

    assertThat(directory.resolve("pod.json")).exists();
    eventually(
        () -> assertThat(provider.get(ref).result()).as("its logs are asked for").isPresent());
    cluster.delete("pods", "default", "p");
    eventually(() -> assertThat(directory).doesNotExist());
  }

  @Test
  void directoriesOfPodsThatAreGoneAreRemovedAtTheStart() throws Exception {
    Path orphan = Files.createDirectory(dir.resolve("uid-gone"));
    Files.writeString(
        orphan.resolve("pod.json"),
        "{\"namespace\": \"default\", \"name\": \"gone\", \"uid\": \"uid-gone\", \"node\":"
            + " \"node\"}");
    Path elsewhere = Files.createDirectory(dir.resolve("uid-other"));
    Files.writeString(
        elsewhere.resolve("pod.json"),
        "{\"namespace\": \"default\", \"name\": \"o\", \"uid\": \"uid-other\", \"node\":"
            + " \"another\"}");

    Writing runtime = serve(PodInput.FILES);

    eventually(() -> assertThat(orphan).doesNotExist());
    assertThat(elsewhere).as("a pod of a node that is not served here").exists();
    assertThat(runtime.sandboxes).isEmpty();
  }

  @Test
  void aPodIsEvictedForAVolumeBeyondItsLimit() throws Exception {
    Writing runtime = serve(PodInput.FILES);
    create(
        "[{\"name\": \"empty\", \"emptyDir\": {\"sizeLimit\": \"1Mi\"}}]",
        "[{\"name\": \"empty\", \"mountPath\": \"/empty\"}]");
    Path volume = mounted(runtime.start("main0"), "/empty");
    awaitRunning();

    Files.write(volume.resolve("big"), new byte[2 << 20]);
    serveNode();

    eventually(
        () -> assertThat(cluster.pod("p").at("/status/reason").asText()).isEqualTo("Evicted"));
    assertThat(cluster.pod("p").at("/status/message").asText())
        .isEqualTo("Usage of EmptyDir volume \"empty\" exceeds the limit \"1Mi\". ");
  }

  @Test
  void aVolumeInMemoryIsMountedWithItsLimitAndUnmountedWithThePod() {
    Writing runtime = serve(PodInput.FILES);
    create(
        "[{\"name\": \"fast\", \"emptyDir\": {\"medium\": \"Memory\", \"sizeLimit\": \"1Mi\"}},"
            + "{\"name\": \"all\", \"emptyDir\": {\"medium\": \"Memory\"}}]",
        "[{\"name\": \"fast\", \"mountPath\": \"/fast\"}, {\"name\": \"all\", \"mountPath\":"
            + " \"/all\"}]");

    ContainerStart start = runtime.start("main0");

    assertThat(memory.mounted)
        .isEqualTo(Map.of(mounted(start, "/fast"), 1L << 20, mounted(start, "/all"), 8L << 30));
    awaitRunning();
    cluster.delete("pods", "default", "p");
    eventually(() -> assertThat(memory.mounted).isEmpty());
    eventually(() -> assertThat(mounted(start, "/fast")).doesNotExist());
  }

  @Test
  void pullSecretsAreTriedOneAfterTheOther() {
    Writing runtime = serve(PodInput.FILES);
    secret("bad", "kubernetes.io/dockerconfigjson", config("bad"));
    secret("good", "kubernetes.io/dockerconfigjson", config("good"));
    ObjectNode pod = Manifests.pod("p", "node");
    ObjectNode spec = (ObjectNode) pod.get("spec");
    spec.set("imagePullSecrets", json("[{\"name\": \"bad\"}, {\"name\": \"good\"}]"));
    cluster.create("pods", pod);

    awaitRunning();

    assertThat(runtime.pulls).containsExactly("bad:p", "good:p");
  }

  private static String config(String user) {
    String json =
        "{\"auths\": {\"example.com\": {\"username\": \"%s\", \"password\": \"p\"}}}"
            .formatted(user);
    return "{\".dockerconfigjson\": \"%s\"}"
        .formatted(Base64.getEncoder().encodeToString(Buffer.buffer(json).getBytes()));
  }

  @Test
  void aRuntimeThatDoesNotAskCostsNoRequest() {
    Writing runtime = serve(PodInput.VIEW);
    map("1");
    create(
        "[{\"name\": \"map\", \"configMap\": {\"name\": \"m\"}}]",
        "[{\"name\": \"map\", \"mountPath\": \"/map\"}]");

    awaitRunning();

    assertThat(runtime.starts).isEmpty();
    assertThat(
            cluster.server().requests().stream()
                .filter(request -> request.resource().equals("pods") && request.name().equals("p"))
                .filter(request -> !request.isWrite()))
        .isEmpty();
    assertThat(dir).isEmptyDirectory();
  }
}
