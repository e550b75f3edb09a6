package dev.vertlet.sources;

import static dev.vertlet.bus.Addresses.NODE_CONFIGURED;
import static dev.vertlet.bus.Addresses.NODE_REGISTERED;
import static dev.vertlet.bus.Addresses.OBJECT_EVENT;
import static dev.vertlet.bus.Addresses.POD_QUERY;
import static dev.vertlet.bus.Addresses.SOURCES_READY;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.bus.NodeConfigured;
import dev.vertlet.bus.NodeRegistered;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodQuery;
import dev.vertlet.bus.PodReport;
import dev.vertlet.bus.SourcesReady;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.pods.PodSyncVerticle;
import dev.vertlet.status.StatusVerticle;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.LogLines;
import dev.vertlet.testing.QuietProvider;
import dev.vertlet.testing.TestPods;
import dev.vertlet.testsupport.ManualClock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manifests, the shard that runs their pods, and their mirrors in an API server. */
class SourceVerticleTest {
  private static final String NODE = "node";
  private static final URI URL = URI.create("http://pods.example.com/list");

  @TempDir private Path folder;

  private volatile NodeSources sources = NodeSources.none(NODE); // read by the verticle
  private final QuietProvider provider = new QuietProvider(true);
  private final ManualClock clock = new ManualClock();
  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private final List<ObjectEvent> events = cluster.hear(OBJECT_EVENT);
  private final List<SourcesReady> seen = cluster.hear(SOURCES_READY.shard(0));

  /** What is behind the URL. */
  private volatile Future<Buffer> page = Future.failedFuture("connection refused");

  /**
   * @param url null for none
   */
  private void serve(@Nullable URI url) {
    sources = new NodeSources(NODE, folder, url);
    Context loop = cluster.vertx().getOrCreateContext();
    cluster.deployOn(
        loop, new StatusVerticle(0, false, 8, cluster.kube(), cluster.bus(), cluster.env(clock)));
    cluster.deployOn(
        loop,
        new PodSyncVerticle(
            0,
            List.of(NODE),
            List.of(NODE),
            provider,
            cluster.kube(),
            cluster.bus(),
            cluster.env(clock, clock::nanos)));
    cluster.deployOn(
        loop,
        new SourceVerticle(
            0,
            new SourceSettings(
                List.of(NODE),
                node -> sources,
                // directories are watched; URLs have to be asked
                node -> new SourceOptions(Duration.ofMinutes(1), Duration.ofMillis(20))),
            (at, maxBytes) -> page,
            cluster.kube(),
            cluster.bus(),
            cluster.env(clock)));
    cluster.watchPods(NODE);
    ObjectNode node =
        cluster.create(
            "nodes",
            "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"node\"}}");
    String uid = node.path("metadata").path("uid").asText();
    cluster.publish(NODE_REGISTERED, new NodeRegistered(NODE, uid));
    cluster.acquire(NODE);
  }

  private void write(String file, String text) {
    try {
      Files.writeString(folder.resolve(file), text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void delete(String file) {
    try {
      Files.delete(folder.resolve(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String manifest(String name, String image) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s}
    spec: {containers: [{name: main, image: %s}]}
    """
        .formatted(name, image);
  }

  /** Empty while there is none. */
  private String mirrorUid(String pod) {
    return get(cluster.objects().find("pods", "default", pod))
        .map(mirror -> mirror.at("/metadata/uid").asText())
        .orElse("");
  }

  private void awaitMirror(String pod, String image) {
    eventually(
        () ->
            assertThat(get(cluster.objects().find("pods", "default", pod)))
                .hasValueSatisfying(
                    mirror -> {
                      assertThat(mirror.at("/spec/containers/0/image").asText()).isEqualTo(image);
                      assertThat(mirror.at("/status/phase").asText()).isEqualTo("Running");
                      assertThat(mirror.at("/metadata/deletionTimestamp").isMissingNode()).isTrue();
                    }));
  }

  @Test
  @Tag("C68")
  void c68AStaticPodRunsIsReplacedKeepsItsMirrorAndGoesWithItsFile() {
    serve(null);
    write("web.yaml", manifest("web", "nginx:1"));
    awaitMirror("web-node", "nginx:1");
    ObjectNode mirror = cluster.pod("web-node");
    String hash = mirror.at("/metadata/annotations/kubernetes.io~1config.hash").asText();
    assertThat(hash).isNotEmpty();
    assertThat(mirror.at("/metadata/annotations/kubernetes.io~1config.mirror").asText())
        .isEqualTo(hash);
    assertThat(mirror.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("Node");
    assertThat(provider.calls()).containsExactly("create web-node");

    write("web.yaml", manifest("web", "nginx:2"));
    awaitMirror("web-node", "nginx:2");
    assertThat(provider.calls())
        .containsExactly("create web-node", "delete web-node", "kill web-node", "create web-node");

    String second = mirrorUid("web-node");
    cluster.delete("pods", "default", "web-node");
    eventually(() -> assertThat(mirrorUid("web-node")).isNotIn(second, ""));
    awaitMirror("web-node", "nginx:2");
    assertThat(provider.calls()).hasSize(4);

    delete("web.yaml");
    eventually(
        () -> {
          assertThat(cluster.exists("pods", "default", "web-node")).isFalse();
          assertThat(provider.calls()).endsWith("delete web-node", "kill web-node");
        });
  }

  @Test
  @Tag("C69")
  @Tag("C70")
  void whatCannotBeUsedIsToldOnceAndTheOthersRun() {
    write("bad.yaml", "a: [");
    write("secret.yaml", manifest("secret", "x, envFrom: [{secretRef: {name: s}}]"));
    write(".hidden.yaml", manifest("hidden", "x"));
    write(
        "web.json",
        "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"web\"},"
            + " \"spec\": {\"containers\": [{\"name\": \"main\", \"image\": \"nginx:1\"}]}}");
    try (LogLines lines = LogLines.of(Complaints.class)) {
      serve(null);
      awaitMirror("web-node", "nginx:1");
      write("later.yaml", manifest("later", "nginx:1"));
      awaitMirror("later-node", "nginx:1");

      assertThat(lines.withKey("manifest"))
          .containsExactly(
              folder.resolve("bad.yaml").toString(), folder.resolve("secret.yaml").toString());
      assertThat(lines.withKey("error"))
          .satisfiesExactly(
              bad -> assertThat(bad).startsWith("is neither YAML nor JSON at line 1"),
              secret -> assertThat(secret).isEqualTo("static pods may not reference secrets"));
    }
    assertThat(provider.calls()).containsExactly("create web-node", "create later-node");
    eventually(
        () ->
            assertThat(events)
                .filteredOn(event -> event.reason().equals("FailedValidation"))
                .singleElement()
                .satisfies(
                    event -> {
                      assertThat(event.name()).isEqualTo("secret-node");
                      assertThat(event.message())
                          .startsWith("Error validating pod secret-node_default(")
                          .endsWith("from file, ignoring: static pods may not reference secrets");
                    }));
  }

  @Test
  @Tag("C46")
  void c46AnUnreadSourceEndsNoPod() {
    PodRef unknown = new PodRef("default", "unknown-node", "uid-unknown");
    provider.has(new PodReport(unknown, NODE, TestPods.status(PodPhase.RUNNING), false));
    serve(URL);
    cluster.createPod("a", NODE);
    write("web.yaml", manifest("web", "nginx:1"));
    awaitMirror("web-node", "nginx:1");
    eventually(() -> assertThat(provider.calls()).contains("create a"));
    assertThat(provider.calls()).doesNotContain("kill unknown-node");
    assertThat(seen).isEmpty();

    page = Future.succeededFuture(Buffer.buffer());

    eventually(() -> assertThat(provider.calls()).contains("kill unknown-node"));
    eventually(() -> assertThat(seen).containsExactly(new SourcesReady(NODE)));
  }

  @Test
  void aUrlIsAListWhoseChangesAreFollowed() {
    page = Future.succeededFuture(Buffer.buffer(manifest("web", "nginx:1")));
    serve(URL);
    awaitMirror("web-node", "nginx:1");
    page =
        Future.succeededFuture(
            Buffer.buffer(
                "{apiVersion: v1, kind: PodList, items: [{metadata: {name: a}, spec: {containers:"
                    + " [{name: main, image: x}]}}]}"));
    awaitMirror("a-node", "x");
    eventually(() -> assertThat(cluster.exists("pods", "default", "web-node")).isFalse());
    page = Future.failedFuture("no route to host");
    cluster.settle();
    page = Future.succeededFuture(Buffer.buffer());
    eventually(() -> assertThat(cluster.exists("pods", "default", "a-node")).isFalse());
    assertThat(provider.calls()).containsSubsequence("create a-node", "delete a-node");
  }

  @Test
  void aPodOfAUidThatIsKeptRunsUnderItsNewNameAndEnds() {
    write("web.yaml", manifest("web, uid: mine", "nginx:1"));
    serve(null);
    awaitMirror("web-node", "nginx:1");

    write("web.yaml", manifest("site, uid: mine", "nginx:1"));
    awaitMirror("site-node", "nginx:1");
    assertThat(cluster.exists("pods", "default", "web-node")).isFalse();
    assertThat(known("web-node")).isEmpty();
    assertThat(known("site-node")).containsExactly("mine");

    delete("web.yaml");
    eventually(() -> assertThat(cluster.exists("pods", "default", "site-node")).isFalse());
    eventually(() -> assertThat(known("site-node")).isEmpty());
  }

  private List<String> known(String pod) {
    return get(cluster.bus().ask(POD_QUERY.shard(0), new PodQuery(NODE, "default", pod)))
        .pods()
        .stream()
        .map(known -> known.pod().uid())
        .toList();
  }

  /** A mirror that an agent before this one left. */
  private void leave(String name, String hash) {
    ObjectNode mirror = Manifests.pod(name, NODE);
    ((ObjectNode) mirror.path("metadata"))
        .putObject("annotations")
        .put("kubernetes.io/config.mirror", hash);
    cluster.create("pods", mirror);
  }

  /** As a kubelet, which does not remember why it ended a pod. */
  @Test
  void aPodThatWasEndedWithItsAgentIsTriedAndShownAnew() {
    leave("web-node", "mine");
    cluster.patchStatus(
        "pods",
        "default",
        "web-node",
        "{\"status\": {\"phase\": \"Failed\", \"reason\": \"Terminated\"}}");
    String before = mirrorUid("web-node");
    write("web.yaml", manifest("web, uid: mine", "nginx:1"));
    serve(null);
    awaitMirror("web-node", "nginx:1");
    assertThat(mirrorUid("web-node")).isNotEqualTo(before);
    assertThat(provider.calls()).containsExactly("create web-node");
  }

  /** kubelet C68: the file was taken away while no agent ran. */
  @Test
  @Tag("C68")
  void anOrphanOfAnEarlierAgentIsRemovedAndNotRun() {
    leave("old-node", "hash");
    serve(null);
    eventually(() -> assertThat(cluster.exists("pods", "default", "old-node")).isFalse());
    assertThat(provider.calls()).isEmpty();
  }

  /** As configuration that changes while the agent runs. */
  @Test
  void aNodeTakesItsPodsFromWhereItIsConfiguredTo(@TempDir Path other) throws IOException {
    write("web.yaml", manifest("web", "nginx:1"));
    Files.writeString(other.resolve("api.yaml"), manifest("api", "nginx:1"));
    serve(null);
    awaitMirror("web-node", "nginx:1");

    sources = new NodeSources(NODE, other, null);
    cluster.publish(NODE_CONFIGURED.shard(0), new NodeConfigured(NODE));

    awaitMirror("api-node", "nginx:1");
    eventually(() -> assertThat(cluster.exists("pods", "default", "web-node")).isFalse());
    Files.writeString(other.resolve("api.yaml"), manifest("api", "nginx:2"));
    awaitMirror("api-node", "nginx:2");

    sources = NodeSources.none(NODE);
    cluster.publish(NODE_CONFIGURED.shard(0), new NodeConfigured(NODE));
    eventually(() -> assertThat(cluster.exists("pods", "default", "api-node")).isFalse());

    write("web.yaml", manifest("web", "nginx:3"));
    sources = new NodeSources(NODE, folder, null);
    cluster.publish(NODE_CONFIGURED.shard(0), new NodeConfigured(NODE));
    awaitMirror("web-node", "nginx:3");
  }

  @Test
  void aUidThatAManifestGivesBelongsToOneNode() {
    write("web.yaml", manifest("web, uid: mine", "nginx:1"));
    try (LogLines lines = LogLines.of(Complaints.class)) {
      cluster.deploy(
          new SourceVerticle(
              0,
              new SourceSettings(
                  List.of("a", "b"),
                  node -> new NodeSources(node, folder, null),
                  node -> new SourceOptions(Duration.ofMinutes(1), Duration.ofMinutes(1))),
              (at, maxBytes) -> page,
              cluster.kube(),
              cluster.bus(),
              cluster.env(clock)));
      eventually(
          () ->
              assertThat(lines.withKey("error"))
                  .singleElement()
                  .asString()
                  .startsWith("metadata.uid \"mine\" is that of a pod of node"));
    }
  }
}
