package dev.vertlet.configsync;

import static dev.vertlet.bus.Addresses.NODE_PINGED;
import static dev.vertlet.bus.Addresses.OBJECT_EVENT;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.bus.NodePinged;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.Shards;
import dev.vertlet.configsync.source.DeclaredSources;
import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.configsync.store.CheckpointStore;
import dev.vertlet.configsync.store.DiskFiles;
import dev.vertlet.configsync.store.KilledProcess;
import dev.vertlet.configsync.store.LoadMarks;
import dev.vertlet.configsync.store.StoreFiles;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.lease.LeaseOptions;
import dev.vertlet.lease.LeaseSettings;
import dev.vertlet.lease.LeaseVerticle;
import dev.vertlet.loop.Env;
import dev.vertlet.nodes.NodeOptions;
import dev.vertlet.nodes.NodeWatchVerticle;
import dev.vertlet.problem.IgnoredField;
import dev.vertlet.references.BusReferences;
import dev.vertlet.references.ReferenceWatchVerticle;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testsupport.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

class ConfigSyncVerticleTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SHARD = 7;

  @TempDir private Path directory;

  private final ManualClock clock = new ManualClock();
  private final Target target = new Target();
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  @AutoClose private FakeCluster cluster;
  private List<ObjectEvent> events;

  /** Takes payloads for what they say, but for bad ones. */
  private static final class Target implements ConfigTarget<String> {
    final List<String> applied = new CopyOnWriteArrayList<>();
    final Map<String, String> running = new ConcurrentHashMap<>();
    volatile boolean exited;

    @Override
    public String load(String node, String source, byte[] payload, Path directory) {
      String text = new String(payload, UTF_8);
      if (text.startsWith("garbage")) {
        throw ConfigRefusedException.load("is garbage");
      }
      if (text.startsWith("invalid")) {
        throw ConfigRefusedException.validate("kubeAPIQPS: -1 must be at least 0");
      }
      return text;
    }

    @Override
    public Future<Change> apply(String node, @Nullable String config) {
      String now = config == null ? "local" : config;
      if (now.startsWith("unservable")) {
        return Future.failedFuture(ConfigRefusedException.internal("cannot listen"));
      }
      applied.add(node + " " + now);
      running.put(node, now);
      return Future.succeededFuture(
          new Change(List.of("lease"), List.of(new IgnoredField("/cgroupDriver", "no use"))));
    }

    @Override
    public void exit() {
      exited = true;
    }
  }

  private static final String KEEPS_NODE_CONFIGS = "keeps-node-configs";
  private static final String IMPATIENT = "impatient";

  @BeforeEach
  void start(TestInfo test) {
    ApiServerOptions server = ApiServerOptions.defaults();
    KubeClientOptions client = KubeClientOptions.defaults();
    Duration second = Duration.ofSeconds(1);
    cluster =
        FakeCluster.start(
            test.getTags().contains(KEEPS_NODE_CONFIGS) ? server.withNodeConfigs() : server,
            test.getTags().contains(IMPATIENT)
                ? client.withTimeouts(second, second, second)
                : client);
    events = cluster.hear(OBJECT_EVENT);
  }

  private String deployment = "";

  /** The verticle alone: it knows what is on disk, and hears of no Node. */
  private ConfigSyncVerticle<String> boot(String... nodes) {
    ConfigSyncVerticle<String> verticle = verticle(nodes);
    deployment = cluster.deploy(verticle);
    return verticle;
  }

  private ConfigSyncVerticle<String> deploy(String... nodes) {
    NodeOptions own =
        new NodeOptions(
            "me", Duration.ofMinutes(5), Duration.ofSeconds(10), Duration.ofSeconds(10));
    cluster.deploy(new ReferenceWatchVerticle(cluster.kube(), cluster.bus(), new Random(1)));
    ConfigSyncVerticle<String> verticle = boot(nodes);
    get(verticle.follow(new Shards(1), new BusReferences(cluster.bus(), SHARD), cluster.kube()));
    cluster.deploy(
        new NodeWatchVerticle(own, new Shards(1), cluster.kube(), cluster.bus(), new Random(1)));
    for (String node : nodes) {
      cluster.acquire(node);
    }
    return verticle;
  }

  private StoreFiles files = new DiskFiles();

  private ConfigSyncVerticle<String> verticle(String... nodes) {
    return new ConfigSyncVerticle<>(
        new ConfigSyncVerticle.Settings(
            directory, List.of(nodes), Set.of(Sources.NAMESPACE), TestNode.TRIAL, false, 5),
        target,
        cluster.bus(),
        new Env(clock, System::nanoTime, new Random(1), metrics),
        files);
  }

  private void node(String name) {
    cluster.create(
        "nodes",
        "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"%s\","
                .formatted(name)
            + " \"labels\": {\"vertlet.dev/agent\": \"me\"}}}");
  }

  private void annotate(String node, @Nullable String source) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").putObject("annotations").put(DeclaredSources.ANNOTATION, source);
    cluster.patch("nodes", "", node, patch.toString());
  }

  private static String source(String name) {
    return source(name, "kubelet");
  }

  private static String source(String name, String key) {
    return "{\"configMap\":{\"namespace\":\"kube-system\",\"name\":\"%s\",\"kubeletConfigKey\":\"%s\"}}"
        .formatted(name, key);
  }

  /** Creates it, or edits it. */
  private void configMap(String name, String payload) {
    ObjectNode map = JsonNodeFactory.instance.objectNode();
    map.put("apiVersion", "v1").put("kind", "ConfigMap");
    map.putObject("metadata").put("name", name).put("namespace", Sources.NAMESPACE);
    map.putObject("data").put("kubelet", payload);
    if (cluster.exists("configmaps", Sources.NAMESPACE, name)) {
      cluster.patch("configmaps", Sources.NAMESPACE, name, map.toString());
    } else {
      cluster.create("configmaps", map.toString());
    }
  }

  private JsonNode status(String node) throws IOException {
    return JSON.readTree(
        cluster.node(node).at("/metadata/annotations").path(StatusWrites.STATUS).asText("null"));
  }

  private String condition(String node) {
    JsonNode all = cluster.node(node).at("/status/conditions");
    JsonNode found = FakeCluster.find(all, "type", ConfigOk.TYPE);
    return found.path("status").asText() + " " + found.path("reason").asText();
  }

  private void eventuallyRuns(String node, String config, String condition) {
    eventually(() -> assertThat(condition(node)).isEqualTo(condition));
    assertThat(target.running).containsEntry(node, config);
  }

  private void runLocally() {
    node("a");
    deploy("a");
    eventuallyRuns("a", "local", "True LocalConfig");
  }

  private void runRemotely() {
    configMap("c1", "one");
    node("a");
    deploy("a");
    annotate("a", source("c1"));
    eventuallyRuns("a", "one", "True RemoteConfig");
  }

  private void eventuallyShows(ConfigError error) {
    eventually(() -> assertThat(status("a").path("error").asText()).isEqualTo(error.text()));
  }

  @Test
  @Tag("A01")
  void aNodeThatAsksForNothingRunsTheLocalConfigAndSaysSo() throws IOException {
    node("a");
    deploy("a");

    eventuallyRuns("a", "local", "True LocalConfig");
    assertThat(status("a")).hasToString("{}");
    assertThat(directory.resolve("meta/assigned")).isEmptyFile();
    assertThat(events).isEmpty();
  }

  @Test
  @Tag("A02")
  void aNodeRunsTheConfigMapThatItIsAnnotatedWith() throws IOException {
    configMap("c1", "one");
    runLocally();

    annotate("a", source("c1"));

    eventuallyRuns("a", "one", "True RemoteConfig");
    JsonNode told = status("a");
    assertThat(told.at("/assigned/configMap/name").asText()).isEqualTo("c1");
    assertThat(told.path("active")).isEqualTo(told.path("assigned"));
    assertThat(told.has("lastKnownGood")).isFalse();
    assertThat(told.has("error")).isFalse();
    String uid = told.at("/assigned/configMap/uid").asText();
    String version = told.at("/assigned/configMap/resourceVersion").asText();
    assertThat(directory.resolve("checkpoints").resolve(uid).resolve(version).resolve("kubelet"))
        .hasContent("one");
    assertThat(Files.readString(directory.resolve("meta/assigned"))).contains(uid);
    assertThat(events)
        .extracting(ObjectEvent::reason, ObjectEvent::message)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                "KubeletConfigChanged",
                "vertlet now uses /api/v1/namespaces/kube-system/configmaps/c1, UID: %s, ResourceVersion: %s, KubeletConfigKey: kubelet"
                    .formatted(uid, version)));
    assertThat(
            JSON.readTree(
                cluster.node("a").at("/metadata/annotations").path(StatusWrites.DETAIL).asText()))
        .hasToString(
            "{\"channel\":\"annotation\",\"trialEndsAt\":\"%s\",\"ignoredFields\":[\"/cgroupDriver\"],\"ignoredBecause\":{\"no use\":[\"/cgroupDriver\"]},\"restartedVerticles\":[\"lease\"],\"lastChange\":\"hot\",\"observedSourceHash\":\"%s\"}"
                .formatted(
                    JSON.readTree(
                            cluster
                                .node("a")
                                .at("/metadata/annotations")
                                .path(StatusWrites.DETAIL)
                                .asText())
                        .path("trialEndsAt")
                        .asText(),
                    ConfigDetail.hash(Sources.wanted("c1"))));
  }

  @Test
  @Tag("A07")
  void anEditOfLabelsIsAnotherVersion() throws IOException {
    runRemotely();
    String before = status("a").at("/assigned/configMap/resourceVersion").asText();

    cluster.patch(
        "configmaps", Sources.NAMESPACE, "c1", "{\"metadata\": {\"labels\": {\"team\": \"a\"}}}");

    eventually(() -> assertThat(events).hasSize(2));
    eventually(
        () ->
            assertThat(status("a").at("/active/configMap/resourceVersion").asText())
                .isNotEqualTo(before)
                .isEqualTo(status("a").at("/assigned/configMap/resourceVersion").asText()));
    Path versions =
        directory
            .resolve("checkpoints")
            .resolve(status("a").at("/assigned/configMap/uid").asText());
    try (Stream<Path> kept = Files.list(versions)) {
      assertThat(kept).hasSize(2);
    }
    assertThat(condition("a")).isEqualTo("True RemoteConfig");
  }

  @Test
  @Tag(KEEPS_NODE_CONFIGS)
  @Tag("A43")
  void aServerThatKeepsTheNativeStatusHasBoth() throws IOException {
    configMap("c1", "one");
    runLocally();
    assertThat(cluster.node("a").at("/status/config")).isEmpty();

    annotate("a", source("c1"));

    eventuallyRuns("a", "one", "True RemoteConfig");
    assertThat(cluster.node("a").at("/status/config")).isEqualTo(status("a")).hasSize(2);
    configMap("c1", "garbage");
    eventuallyRuns("a", "local", "False RolledBack");
    assertThat(cluster.node("a").at("/status/config")).isEqualTo(status("a"));
    annotate("a", null);
    eventuallyRuns("a", "local", "True LocalConfig");
    assertThat(cluster.node("a").at("/status/config")).isEmpty();
  }

  /** Row 29 of the table. */
  @Test
  void aServerThatDropsTheNativeStatusIsAskedOnce() {
    runRemotely();
    assertThat(cluster.node("a").at("/status").has("config")).isFalse();

    configMap("c1", "garbage");

    eventuallyRuns("a", "local", "False RolledBack");
    assertThat(
            cluster.server().requests().stream()
                .filter(request -> request.subresource().equals("status"))
                .filter(request -> request.body().toString().contains("\"config\":{\"")))
        .hasSize(1);
  }

  @Test
  @Tag(IMPATIENT)
  @Tag("A31")
  void aServerThatHangsCostsNoLease() throws IOException {
    configMap("c1", "one");
    runLocally();
    cluster.faults().on(request -> request.resource().equals("configmaps")).hang();
    cluster.deploy(
        new LeaseVerticle(
            new LeaseSettings(
                "me",
                new LeaseOptions(true, Duration.ofSeconds(40), Duration.ofMillis(100)),
                Duration.ofMinutes(9)),
            List.of("a"),
            false,
            cluster.kube(),
            cluster.bus(),
            cluster.env(clock)));
    cluster.publish(NODE_PINGED, new NodePinged("a", true, ""));

    annotate("a", source("c1"));

    eventuallyShows(ConfigError.DOWNLOAD);
    long renewed = leases();
    eventually(() -> assertThat(leases()).isGreaterThan(renewed + 5));
    assertThat(target.running).containsEntry("a", "local");
  }

  private long leases() {
    return cluster.server().count(request -> request.resource().equals("leases"));
  }

  @Test
  @Tag("A64")
  void aHundredChangesLeaveNothingBehind() throws Exception {
    configMap("c1", "one");
    configMap("c2", "two");
    node("a");
    deploy("a");
    change(4);
    Left before = left();

    change(100);

    eventually(() -> assertThat(left()).isEqualTo(before));
    assertThat(before.checkpoints()).isEqualTo(2);
    assertThat(before.watches()).isLessThanOrEqualTo(3);
  }

  private void change(int times) {
    for (int i = 0; i < times; i++) {
      boolean odd = i % 2 == 1;
      annotate("a", source(odd ? "c2" : "c1"));
      eventually(() -> assertThat(target.running).containsEntry("a", odd ? "two" : "one"));
    }
    eventually(() -> assertThat(condition("a")).isEqualTo("True RemoteConfig"));
  }

  /** What there is of everything that could become more and more. */
  private record Left(int verticles, int meters, int watches, long checkpoints) {}

  private Left left() throws IOException {
    try (Stream<Path> kept = Files.find(directory, 9, (path, is) -> path.endsWith("kubelet"))) {
      return new Left(
          cluster.vertx().deploymentIDs().size(),
          metrics.getMeters().size(),
          get(cluster.server().openWatches()),
          kept.count());
    }
  }

  /** Nothing is wrong with the config as such. */
  @Test
  void aServerThatCannotServeByAConfigIsNoMistakeOfTheConfig() throws IOException {
    runRemotely();

    configMap("c1", "unservable");

    eventuallyShows(ConfigError.INTERNAL);
  }

  @Test
  void anEditIsFollowedAndABadOneRolledBack() throws IOException {
    runRemotely();

    configMap("c1", "two");
    eventually(() -> assertThat(target.running).containsEntry("a", "two"));
    configMap("c1", "invalid");

    eventuallyRuns("a", "local", "False RolledBack");
    eventuallyShows(ConfigError.VALIDATE);
    configMap("c1", "three");
    eventuallyRuns("a", "three", "True RemoteConfig");
  }

  @Test
  @Tag("A25")
  @Tag("A26")
  @Tag("A28")
  void aConfigMapThatIsNotThereIsWaitedForAndOneThatGoesRunsOn() throws IOException {
    node("a");
    deploy("a");
    annotate("a", source("c1"));
    eventuallyRuns("a", "local", "False SyncFailed");
    eventuallyShows(ConfigError.DOWNLOAD);
    assertThat(status("a").has("assigned")).isFalse();

    configMap("c1", "one");
    eventuallyRuns("a", "one", "True RemoteConfig");
    cluster.delete("configmaps", Sources.NAMESPACE, "c1");

    eventuallyRuns("a", "one", "False SyncFailed");
    assertThat(status("a").path("active")).isEqualTo(status("a").path("assigned"));
  }

  /** A32, A34, A37: nobody asks the server. */
  @Test
  @Tag("A32")
  @Tag("A34")
  @Tag("A37")
  void whatIsNoSourceChangesNothing() throws IOException {
    runLocally();

    annotate("a", "{}");
    eventuallyShows(ConfigError.ALL_NIL);
    annotate("a", "{\"configMap\":");
    eventuallyRuns("a", "local", "False SourceInvalid");
    annotate("a", source("c1").replace("kube-system", "secret-ns"));
    eventuallyShows(ConfigError.DOWNLOAD);

    assertThat(cluster.server().count(request -> request.resource().equals("configmaps"))).isZero();
  }

  @Test
  @Tag("A38")
  void withoutTheAnnotationTheLocalConfigRunsAgain() throws IOException {
    runRemotely();

    annotate("a", null);

    eventuallyRuns("a", "local", "True LocalConfig");
    assertThat(status("a")).hasToString("{}");
    assertThat(events).extracting(ObjectEvent::message).endsWith("vertlet now uses local config");
  }

  /** A49: before any API server has answered. */
  @Test
  @Tag("A49")
  void afterARestartTheDiskSaysWhatRuns() {
    runRemotely();
    cluster.undeploy(deployment);
    target.running.clear();
    get(cluster.server().suspend());

    ConfigSyncVerticle<String> next = boot("a");

    assertThat(get(next.booted()).serving()).containsExactly("a");
    assertThat(target.running).containsEntry("a", "one");
    get(cluster.server().resume());
  }

  @Test
  @Tag("A50")
  void aNodeWithoutAnyUsableConfigIsWithheldAndTheOthersServe() throws IOException {
    Path store = directory.resolve("nodes/b");
    CheckpointStore kept = KilledProcess.store(new DiskFiles(), store, "b");
    kept.open(clock.instant());
    kept.writeAssigned(Sources.resolved("c2", 1));
    kept.writeLastKnownGood(Sources.resolved("c1", 1));

    ConfigSyncVerticle<String> verticle = boot("a", "b");

    assertThat(get(verticle.booted()).serving()).containsExactly("a");
    assertThat(get(verticle.booted()).withheld())
        .hasEntrySatisfying(
            "b", why -> assertThat(why).startsWith("the last known good config cannot be used: "));
  }

  @Test
  void aConfigInWhoseLoadAProcessEndedIsNotLoadedAgain() throws IOException {
    configMap("c1", "one");
    node("a");
    annotate("a", source("c1"));
    JsonNode object = cluster.object("configmaps", Sources.NAMESPACE, "c1").path("metadata");
    ResolvedSource source =
        Sources.source("c1")
            .at(object.path("uid").asText(), object.path("resourceVersion").asText());
    CheckpointStore kept = KilledProcess.store(new DiskFiles(), directory, "a");
    kept.open(clock.instant());
    kept.save(source, Map.of("kubelet", "one"));
    kept.writeAssigned(source);
    kept.loading(source);

    deploy("a");

    eventuallyRuns("a", "local", "False RolledBack");
    eventuallyShows(ConfigError.LOAD);
    assertThat(target.applied).containsOnly("a local");
    configMap("c1", "two");
    eventuallyRuns("a", "two", "True RemoteConfig");
    assertThat(marks()).hasSize(1);
  }

  private List<Path> marks() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("meta"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(LoadMarks.PREFIX))
          .toList();
    }
  }

  @Test
  void whatWasLoadedOrRefusedLeavesNoMark() throws IOException {
    node("a");
    deploy("a");
    for (String payload : List.of("one", "garbage", "invalid")) {
      configMap("c1", payload);
      annotate("a", source("c1"));
      eventuallyRuns(
          "a",
          payload.equals("one") ? "one" : "local",
          payload.equals("one") ? "True RemoteConfig" : "False RolledBack");
    }

    eventually(() -> assertThat(marks()).isEmpty());
  }

  @Test
  void aDiskThatHangsHoldsUpNoOtherNode() {
    HangingFiles disk = new HangingFiles(directory.resolve("nodes"));
    files = disk.files();
    node("a");
    node("b");
    deploy("a", "b");
    eventuallyRuns("a", "local", "True LocalConfig");
    eventuallyRuns("b", "local", "True LocalConfig");
    configMap("c1", "one");

    disk.hang();
    annotate("b", source("c1"));
    annotate("a", source("c1"));
    eventuallyRuns("a", "one", "True RemoteConfig");
    assertThat(target.running).containsEntry("b", "local");

    disk.goOn();
    eventuallyRuns("b", "one", "True RemoteConfig");
  }

  @Test
  void aDiskThatHangsForManyNodesLeavesOtherWorkersAlone() {
    HangingFiles disk = new HangingFiles(directory.resolve("nodes"));
    files = disk.files();
    String[] nodes = IntStream.range(0, 50).mapToObj(i -> "n" + i).toArray(String[]::new);
    disk.hang();
    Future<String> start = cluster.vertx().deployVerticle(verticle(nodes));

    assertThat(get(cluster.vertx().executeBlocking(() -> "free"))).isEqualTo("free");
    assertThat(start.isComplete()).isFalse();

    disk.goOn();
    assertThat(get(start)).isNotEmpty();
  }

  @Test
  void aStoreThatCannotBeUsedStopsTheStart() throws IOException {
    Files.writeString(directory.resolve("meta"), "");

    Future<String> start = cluster.vertx().deployVerticle(verticle("a"));

    await().until(start::isComplete);
    assertThat(start.cause()).isInstanceOf(IOException.class);
  }

  private List<String> sources(String metric) {
    return metrics.find("kubelet_node_config_" + metric).gauges().stream()
        .map(gauge -> gauge.value() + " " + gauge.getId().getTag("node_config_source"))
        .toList();
  }

  @Test
  void metricsShowWhatRunsAndNothingThatDid() {
    runLocally();
    assertThat(sources("active")).containsExactly("1.0 local");
    configMap("c1", "garbage");

    annotate("a", source("c1"));

    eventuallyRuns("a", "local", "False RolledBack");
    assertThat(sources("assigned"))
        .containsExactly("1.0 /api/v1/namespaces/kube-system/configmaps/c1");
    assertThat(sources("active")).containsExactly("1.0 local");
    assertThat(sources("last_known_good")).containsExactly("1.0 local");
    assertThat(metrics.get("kubelet_node_config_error").tag("node", "a").gauge().value()).isOne();
  }

  /** A63, with fewer. */
  @Test
  @Tag("A63")
  void manyNodesShareOneWatchAndOneRequest() {
    String[] names = IntStream.range(0, 50).mapToObj(i -> "n" + i).toArray(String[]::new);
    configMap("c1", "one");
    List.of(names).forEach(this::node);
    deploy(names);
    for (String name : names) {
      annotate(name, source("c1"));
    }
    eventually(() -> assertThat(target.running.values()).containsOnly("one"));
    long before = cluster.server().count(request -> request.resource().equals("configmaps"));

    configMap("c1", "two");

    eventually(() -> assertThat(target.running.values()).containsOnly("two"));
    assertThat(before).isLessThanOrEqualTo(3);
    assertThat(cluster.server().count(request -> request.resource().equals("configmaps")))
        .isEqualTo(before);
    assertThat(directory.resolve("nodes/n49/meta/assigned")).isNotEmptyFile();
  }
}
