package dev.vertlet.agent;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.bus.PodReport;
import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.PodStatuses;
import dev.vertlet.provider.pod.ProviderContext;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A whole agent that serves nodes of others, over an embedded API server. */
@ExtendWith(VertxExtension.class)
class AdoptTest {
  private static final Host HOST =
      new Host("host-1", "192.0.2.7", "Debian", "6.1", 4, Path.of("/home/me"), false);

  private static final String LABELS = "{\"type\": \"kwok\"}";

  @TempDir private Path folder;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private Vertx vertx;
  private EmbeddedApiServer server;
  private @Nullable Agent agent;

  @BeforeEach
  void start(Vertx given) {
    vertx = given;
    server = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    get(server.writeKubeconfig(folder.resolve("kubeconfig")));
  }

  @AfterEach
  void stop() {
    if (agent != null) {
      get(agent.stop());
    }
    get(server.stop());
  }

  private void agent() {
    agent("");
  }

  private void agent(String more) {
    agent("\"adopt\": {\"labelSelector\": \"type=kwok\"}", more);
  }

  private void agent(String item, String more, ProviderFactory... providers) {
    String config =
        """
        {"nodes": [{%s, "capacity": {"cpu": 8, "pods": 50}}],
         "agent": {"identity": "me", "dataDir": "%s"},
         "kubernetes": {"kubeconfig": "%s"%s},
         "lease": {"duration": "4s", "renewInterval": "1s"},
         "server": {"port": 0, "portRange": 0, "healthzPort": 0, "address": "127.0.0.1",
                    "kubeletAddress": "127.0.0.1"}}
        """
            .formatted(item, folder.resolve("data"), folder.resolve("kubeconfig"), more);
    LoadedConfig loaded =
        new ConfigLoader(new Environment(Map.of(), HOST), ProviderCatalog.of(List.of(providers)))
            .parse("test", config, List.of());
    agent = get(Agent.start(loaded, vertx, metrics, () -> {}));
  }

  private void node(String name, String labels, String spec, String status) {
    get(
        server
            .objects()
            .create(
                "nodes",
                """
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s", "labels": %s},
                 "spec": %s, "status": %s}
                """
                    .formatted(name, labels, spec, status)));
  }

  private void node(String name) {
    node(name, LABELS, "{}", "{}");
  }

  private void pod(String name, String node) {
    get(server.objects().create("pods", Manifests.pod(name, node)));
  }

  private Optional<ObjectNode> find(String plural, String namespace, String name) {
    return get(server.objects().find(plural, namespace, name));
  }

  private JsonNode object(String plural, String namespace, String name) {
    return find(plural, namespace, name).orElseThrow();
  }

  private JsonNode lease(String node) {
    return object("leases", "kube-node-lease", node);
  }

  private static String condition(JsonNode object, String type) {
    for (JsonNode condition : object.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText();
      }
    }
    return "";
  }

  private void ready(String node) {
    eventually(() -> assertThat(condition(object("nodes", "", node), "Ready")).isEqualTo("True"));
  }

  private void runs(String pod) {
    eventually(
        () -> {
          JsonNode found = object("pods", "default", pod);
          assertThat(found.at("/status/phase").asText()).isEqualTo("Running");
          assertThat(condition(found, "Ready")).isEqualTo("True");
        });
  }

  private double running() {
    return metrics.get("kubelet_running_pods").gauge().value();
  }

  @Test
  @Tag("K04")
  @Tag("K05")
  @Tag("K22")
  void aBareNodeBecomesReadyAndRunsWhatWasBoundBefore() {
    node("a");
    pod("before", "a");
    agent();
    ready("a");
    runs("before");
    pod("after", "a");
    runs("after");

    JsonNode node = object("nodes", "", "a");
    assertThat(node.at("/status/capacity/cpu").asText()).isEqualTo("8");
    assertThat(node.at("/status/capacity/memory").asText()).isEqualTo("64Gi");
    assertThat(node.at("/status/nodeInfo/kubeletVersion").asText()).startsWith("v1.36");
    assertThat(node.at("/metadata/labels").size()).isEqualTo(1);
    assertThat(node.at("/metadata/annotations").isMissingNode()).isTrue();
    assertThat(node.at("/spec").toString()).doesNotContain("virtual-kubelet");
    JsonNode status = object("pods", "default", "before").path("status");
    assertThat(status.path("hostIP").asText()).isEqualTo("192.0.2.7");
    assertThat(status.path("podIP").asText()).startsWith("100.");
    JsonNode owner = lease("a").at("/metadata/ownerReferences/0");
    assertThat(owner.path("kind").asText()).isEqualTo("Node");
    assertThat(owner.path("uid").asText()).isEqualTo(node.at("/metadata/uid").asText());
    assertThat(lease("a").at("/spec/holderIdentity").asText()).isEqualTo("a");
  }

  @Test
  @Tag("K03")
  @Tag("K05")
  @Tag("K06")
  @Tag("K10")
  void whatTheNodeSaysIsKept() {
    node(
        "a",
        LABELS,
        "{\"podCIDR\": \"10.9.8.0/24\", \"podCIDRs\": [\"10.9.8.0/24\"]}",
        """
        {"capacity": {"cpu": "4", "memory": "1Gi", "pods": "7"},
         "allocatable": {"cpu": "3", "memory": "1Gi", "pods": "7"},
         "addresses": [{"type": "InternalIP", "address": "10.1.2.3"}],
         "daemonEndpoints": {"kubeletEndpoint": {"Port": 1234}},
         "nodeInfo": {"kubeletVersion": "fake"}}
        """);
    pod("p", "a");
    agent();
    ready("a");
    runs("p");

    JsonNode status = object("nodes", "", "a").path("status");
    assertThat(status.at("/capacity/cpu").asText()).isEqualTo("4");
    assertThat(status.at("/allocatable/cpu").asText()).isEqualTo("3");
    assertThat(status.at("/addresses").toString()).contains("10.1.2.3").doesNotContain("192.0.2");
    assertThat(status.at("/nodeInfo/kubeletVersion").asText()).isEqualTo("fake");
    assertThat(status.at("/daemonEndpoints/kubeletEndpoint/Port").asInt()).isEqualTo(1234);
    JsonNode pod = object("pods", "default", "p").path("status");
    assertThat(pod.path("hostIP").asText()).isEqualTo("10.1.2.3");
    assertThat(pod.path("podIP").asText()).startsWith("10.9.8.");

    // and so is what somebody edits
    get(
        server
            .objects()
            .patchStatus("nodes", "", "a", "{\"status\": {\"capacity\": {\"cpu\": \"16\"}}}"));
    pod("q", "a");
    runs("q");
    assertThat(object("nodes", "", "a").at("/status/capacity/cpu").asText()).isEqualTo("16");
  }

  @Test
  void aNodeThatIsDeletedIsNotMadeAnewAndNothingOfItIsKept() {
    agent();
    node("a");
    pod("p", "a");
    runs("p");
    assertThat(running()).isEqualTo(1);

    get(server.objects().deleteNow("nodes", "", "a"));
    eventually(() -> assertThat(running()).isZero());
    eventually(
        () ->
            assertThat(
                    find("leases", "kube-node-lease", "a")
                        .map(lease -> lease.at("/spec/holderIdentity").asText(""))
                        .orElse(""))
                .isEmpty());
    assertThat(find("nodes", "", "a")).isEmpty();
    assertThat(find("pods", "default", "p")).isPresent();

    // under its name again, with the pod that is bound to it still
    node("a");
    ready("a");
    eventually(() -> assertThat(running()).isEqualTo(1));
    assertThat(lease("a").at("/metadata/ownerReferences/0/uid").asText())
        .isEqualTo(object("nodes", "", "a").at("/metadata/uid").asText());
    get(server.objects().delete("pods", "default", "p"));
    eventually(() -> assertThat(find("pods", "default", "p")).isEmpty());
    eventually(() -> assertThat(running()).isZero());
  }

  @Test
  void aNodeThatComesAndGoesUnderLoadEndsAsItLastIs() {
    agent();
    for (int i = 0; i < 5; i++) {
      node("a");
      for (int n = 0; n < 10; n++) {
        pod("p" + i + "-" + n, "a");
      }
      get(server.objects().deleteNow("nodes", "", "a"));
    }
    node("a");
    ready("a");
    eventually(() -> assertThat(running()).isEqualTo(50));
    runs("p4-9");
  }

  @Test
  void aNodeWithoutItsLabelIsLeftAlone() {
    agent();
    node("a");
    pod("p", "a");
    runs("p");

    get(server.objects().patch("nodes", "", "a", "{\"metadata\": {\"labels\": {\"type\": null}}}"));
    eventually(() -> assertThat(running()).isZero());
    eventually(() -> assertThat(lease("a").at("/spec/holderIdentity").isMissingNode()).isTrue());
    assertThat(find("pods", "default", "p")).isPresent();
    long writes = server.count(request -> request.isWrite() && request.resource().equals("nodes"));

    // neither a deletion of its pod nor time is ours any more
    get(server.objects().delete("pods", "default", "p"));
    node("b");
    ready("b");
    assertThat(find("pods", "default", "p")).isPresent();

    get(
        server
            .objects()
            .patch("nodes", "", "a", "{\"metadata\": {\"labels\": {\"type\": \"kwok\"}}}"));
    eventually(() -> assertThat(find("pods", "default", "p")).isEmpty());
    assertThat(writes).isPositive();
  }

  private int port(String node) {
    return object("nodes", "", node).at("/status/daemonEndpoints/kubeletEndpoint/Port").asInt();
  }

  @Test
  void theKubeletsOfNodesThatComeAndGoAreReachedEachOnAPortOfItsOwn() {
    agent();
    node("a");
    node("b");
    eventually(() -> assertThat(port("a")).isPositive());
    eventually(() -> assertThat(port("b")).isPositive().isNotEqualTo(port("a")));

    get(server.objects().deleteNow("nodes", "", "a"));
    node("a");
    eventually(() -> assertThat(port("a")).isPositive().isNotEqualTo(port("b")));
  }

  @Test
  @Tag("K07")
  void podsOfADualStackNodeHaveAnAddressOfEachFamily() {
    node(
        "a",
        LABELS,
        "{\"podCIDR\": \"10.9.8.0/24\", \"podCIDRs\": [\"10.9.8.0/24\", \"fd00:9::/64\"]}",
        """
        {"addresses": [{"type": "InternalIP", "address": "10.1.2.3"},
                       {"type": "InternalIP", "address": "fd00:1::3"}]}
        """);
    pod("p", "a");
    agent();
    runs("p");

    JsonNode status = object("pods", "default", "p").path("status");
    assertThat(status.path("podIPs").toString()).contains("10.9.8.", "fd00:9::");
    assertThat(status.path("hostIPs").toString()).contains("10.1.2.3", "fd00:1::3");
  }

  @Test
  @Tag("K20")
  void aLeaseThatSomebodyDeletesIsMadeAnew() {
    agent();
    node("a");
    ready("a");
    String before = lease("a").at("/metadata/uid").asText();

    get(server.objects().deleteNow("leases", "kube-node-lease", "a"));
    eventually(
        () -> {
          assertThat(find("leases", "kube-node-lease", "a")).isPresent();
          assertThat(lease("a").at("/metadata/uid").asText()).isNotEqualTo(before);
          assertThat(lease("a").at("/spec/holderIdentity").asText()).isEqualTo("a");
        });
  }

  @Test
  @Tag("K18")
  @Tag("K19")
  void aLeaseOfSomebodyElseIsWaitedForUntilItHasRunOut() {
    Instant renewed = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    lease("fresh", renewed, 3);
    lease("old", renewed.minusSeconds(60), 3);
    node("fresh");
    node("old");
    agent();
    ready("old");
    assertThat(lease("old").at("/spec/leaseTransitions").asInt()).isEqualTo(1);

    ready("fresh");
    assertThat(Instant.now()).isAfter(renewed.plusSeconds(3));
    assertThat(lease("fresh").at("/spec/leaseTransitions").asInt()).isEqualTo(1);
  }

  private void lease(String node, Instant renewed, int seconds) {
    get(
        server
            .objects()
            .create(
                "leases",
                """
                {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
                 "metadata": {"name": "%s", "namespace": "kube-node-lease"},
                 "spec": {"holderIdentity": "kwok-1", "leaseDurationSeconds": %d,
                          "renewTime": "%s"}}
                """
                    .formatted(node, seconds, renewed.toString().replace("Z", ".000000Z"))));
  }

  /** Its creator writes its status and its Lease; the agent runs its pods alone. */
  @Test
  void ofASelfManagedNodeOnlyThePodsAreWritten() {
    node("a");
    pod("before", "a");
    agent("\"adopt\": {\"labelSelector\": \"type=kwok\", \"selfManaged\": true}", "");
    runs("before");
    pod("after", "a");
    runs("after");
    get(server.objects().delete("pods", "default", "before"));
    eventually(() -> assertThat(find("pods", "default", "before")).isEmpty());

    assertThat(server.count(request -> request.isWrite() && request.resource().equals("nodes")))
        .isZero();
    assertThat(server.count(request -> request.resource().equals("leases"))).isZero();
    assertThat(condition(object("nodes", "", "a"), "Ready")).isEmpty();

    get(server.objects().deleteNow("nodes", "", "a"));
    eventually(() -> assertThat(running()).isZero());
  }

  @Test
  void leasedAndSelfManagedNodesLiveSideBySide() {
    node("leased");
    node("free", "{\"managed\": \"elsewhere\"}", "{}", "{}");
    pod("p", "leased");
    pod("q", "free");
    agent(
        "\"adopt\": {\"labelSelector\": \"managed\", \"selfManaged\": true}},"
            + " {\"adopt\": {\"labelSelector\": \"type=kwok\"}",
        "");
    runs("p");
    runs("q");

    ready("leased");
    assertThat(find("leases", "kube-node-lease", "leased")).isPresent();
    assertThat(find("leases", "kube-node-lease", "free")).isEmpty();
  }

  /** A back end without nodes of its own, which are described to it as they come. */
  private static final class Pods implements PodProvider, NodeProvider {
    private final Map<PodRef, PodReport> pods = new ConcurrentHashMap<>();
    private final Set<String> nodes = ConcurrentHashMap.newKeySet();
    private @Nullable ProviderContext context;

    @Override
    public Future<Void> start(ProviderContext given) {
      context = given;
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> create(PodView pod) {
      PodStatusView status =
          PodStatuses.running(pod, "192.0.2.7", List.of("192.0.2.9"), Instant.now());
      pods.put(pod.ref(), new PodReport(pod.ref(), pod.nodeName(), status, false));
      Objects.requireNonNull(context).report(pods.get(pod.ref()));
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> update(PodView pod) {
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> delete(PodView pod, Duration grace) {
      return kill(pod.ref());
    }

    @Override
    public Future<Void> kill(PodRef pod) {
      pods.remove(pod);
      return Future.succeededFuture();
    }

    @Override
    public Future<Optional<PodReport>> get(PodRef pod) {
      return Future.succeededFuture(Optional.ofNullable(pods.get(pod)));
    }

    @Override
    public Future<List<PodReport>> list() {
      return Future.succeededFuture(List.copyOf(pods.values()));
    }

    @Override
    public NodeProvider nodes() {
      return this;
    }

    @Override
    public Future<Void> ping(String node) {
      return Future.succeededFuture();
    }

    @Override
    public NodeHealth health(String node) {
      return NodeHealth.HEALTHY;
    }

    @Override
    public void onChange(Consumer<String> listener) {}

    @Override
    public NodeSpec configure(NodeSpec spec) {
      nodes.add(spec.name());
      return spec;
    }

    @Override
    public void forget(String node) {
      nodes.remove(node);
    }
  }

  @Test
  void aLoadedProviderRunsThePodsOfNodesThatComeAndGo() {
    Pods mine = new Pods();
    agent(
        "\"provider\": \"mine\", \"adopt\": {\"labelSelector\": \"type=kwok\"}",
        "",
        ProviderFactory.of("mine", setup -> new Backend.Pods(mine)));
    node("a");
    ready("a");
    pod("p", "a");
    runs("p");
    assertThat(mine.nodes).containsExactly("a");

    get(server.objects().deleteNow("nodes", "", "a"));

    eventually(() -> assertThat(mine.nodes).isEmpty());
    node("b");
    ready("b");
    pod("q", "b");
    runs("q");
  }

  /** KWOK never heals these. */
  @Test
  void aPodThatTheControlPlaneMarkedNotReadyIsHealed() {
    agent();
    node("a");
    pod("p", "a");
    runs("p");

    get(
        server
            .objects()
            .editStatus(
                "pods",
                "default",
                "p",
                pod -> {
                  for (JsonNode condition : pod.at("/status/conditions")) {
                    if (condition.path("type").asText().equals("Ready")) {
                      ((ObjectNode) condition).put("status", "False");
                    }
                  }
                }));
    runs("p");
  }

  @Test
  @Tag("K01")
  @Tag("K08")
  void aPodOnANodeThatIsNotSelectedIsUntouched() {
    agent();
    node("real", "{}", "{}", "{}");
    pod("foreign", "real");
    node("a");
    pod("p", "a");
    runs("p");

    assertThat(object("pods", "default", "foreign").at("/status/phase").asText())
        .isEqualTo("Pending");
    assertThat(find("leases", "kube-node-lease", "real")).isEmpty();
    assertThat(condition(object("nodes", "", "real"), "Ready")).isEmpty();
  }

  @Test
  void oneWatchPerNodeDoesAsWell() {
    node("a");
    pod("before", "a");
    agent(", \"watch\": \"per-node\"");
    runs("before");

    get(server.objects().deleteNow("nodes", "", "a"));
    eventually(() -> assertThat(running()).isZero());
    node("a");
    eventually(() -> assertThat(running()).isEqualTo(1));
    pod("after", "a");
    runs("after");
  }
}
