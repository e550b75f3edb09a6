package dev.vertlet.dynamicconfig;

import static dev.vertlet.bus.Addresses.LEASE_CONFIGURED;
import static dev.vertlet.bus.Addresses.NODE_CONFIGURED;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.api.route.NodeServer;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseConfigured;
import dev.vertlet.bus.NodeConfigured;
import dev.vertlet.bus.Shards;
import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.LogConfig;
import dev.vertlet.config.LogConfig.Format;
import dev.vertlet.config.LogConfig.Level;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import dev.vertlet.configsync.ConfigRefusedException;
import dev.vertlet.configsync.ConfigTarget.Change;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.events.EventLimit;
import dev.vertlet.nodeconfig.ActiveConfigs;
import dev.vertlet.nodes.KubeletEndpoint;
import dev.vertlet.problem.IgnoredField;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class PayloadTargetTest {
  private static final String HEADER =
      "{kind: KubeletConfiguration, apiVersion: kubelet.config.k8s.io/v1beta1, ";

  private final List<NodeConfigured> configured = new CopyOnWriteArrayList<>();
  private final List<LeaseConfigured> leases = new CopyOnWriteArrayList<>();
  private final List<LogConfig> logs = new CopyOnWriteArrayList<>();
  private final List<String> ended = new CopyOnWriteArrayList<>();
  private final Map<String, String> limits = new HashMap<>();
  private final Moving kubelets = new Moving();
  private ActiveConfigs book;
  private PayloadTarget target;

  @BeforeEach
  void start(Vertx vertx) throws Exception {
    LoadedConfig loaded =
        new ConfigLoader(new Environment(Map.of(), Host.detect()))
            .parse("test", "{\"nodes\": [{\"name\": \"v{i}\", \"count\": 2}]}", List.of());
    Bus bus = Bus.install(vertx);
    get(bus.consume(NODE_CONFIGURED.shard(0), configured::add).completion());
    get(bus.consume(LEASE_CONFIGURED, leases::add).completion());
    book = ActiveConfigs.local(loaded, DnsSettings.DEFAULTS);
    target = new PayloadTarget("v0", book, bus, logs::add, () -> ended.add("exit"));
  }

  /** On ports from 10250 on, and on the ones that are asked for, but for those below 10000. */
  private static final class Moving implements KubeletEndpoints {
    private final Map<String, KubeletEndpoint> reached = new HashMap<>();

    /** What a move waits for. */
    private Future<Void> before = Future.succeededFuture();

    Moving() {
      reached.put("v0", new KubeletEndpoint(10_250, List.of()));
      reached.put("v1", new KubeletEndpoint(10_251, List.of()));
    }

    int portOf(String node) {
      return reached.getOrDefault(node, KubeletEndpoint.NONE).port();
    }

    @Override
    public Future<Boolean> configure(String node, NodeServer how) {
      if (how.port() > 0 && how.port() < 10_000) {
        return Future.failedFuture("cannot listen on port " + how.port());
      }
      KubeletEndpoint there = new KubeletEndpoint(how.port(), List.of());
      return before.map(v -> how.port() != 0 && !there.equals(reached.put(node, there)));
    }

    @Override
    public Map<String, KubeletEndpoint> reached() {
      return reached;
    }
  }

  private ActiveConfigs.Entry load(String node, String fields) {
    return target.load(node, "source", (HEADER + fields + "}").getBytes(UTF_8), Path.of("/store"));
  }

  private Future<Change> apply(String node, String fields) {
    return target.apply(node, load(node, fields));
  }

  private void serve() {
    target.running(
        new Shards(1), kubelets, (node, second, burst) -> limits.put(node, second + " " + burst));
  }

  private String pods(String node) {
    return String.valueOf(book.config(node).node().spec().allocatable().get("pods"));
  }

  @Test
  void beforeAnybodyServesItIsWrittenDown() {
    Change change = apply("v1", "maxPods: 7, cgroupDriver: x").result();

    assertThat(pods("v1")).isEqualTo("7");
    assertThat(pods("v0")).isEqualTo("10k");
    assertThat(change)
        .isEqualTo(
            new Change(
                List.of(), List.of(new IgnoredField("/cgroupDriver", "means nothing here"))));
    assertThat(configured).isEmpty();
  }

  @Test
  void thoseWhomItConcernsAreTold() {
    serve();

    Change change = apply("v1", "maxPods: 7, nodeLeaseDurationSeconds: 20").result();

    assertThat(change.restarted()).containsExactly("lease");
    eventually(() -> assertThat(configured).containsExactly(new NodeConfigured("v1")));
    eventually(
        () ->
            assertThat(leases)
                .extracting(l -> l.node() + " " + l.duration() + " " + l.renewInterval())
                .containsExactly("v1 PT20S PT5S"));
    target.apply("v1", null);
    assertThat(pods("v1")).isEqualTo("10k");
    eventually(() -> assertThat(leases).hasSize(2));
    assertThat(ended).isEmpty();
  }

  @Test
  void whatIsTheProcessesEndsItAndNothingElse() {
    serve();

    apply("v0", "contentType: application/json, maxPods: 7");

    assertThat(ended).containsExactly("exit");
    assertThat(pods("v0")).isEqualTo("10k");
    apply("v1", "contentType: application/json, maxPods: 7");
    assertThat(ended).hasSize(1);
    assertThat(pods("v1")).isEqualTo("7");
  }

  @Test
  void theLogFollowsTheFirstNodeAtOnce() {
    serve();
    String loud = "logging: {verbosity: 4, vmodule: [{filePattern: lease, verbosity: 6}]}";

    assertThat(apply("v0", loud).result().restarted()).isEmpty();
    assertThat(apply("v1", loud).result().ignored())
        .extracting(IgnoredField::pointer)
        .containsExactly("/logging/verbosity", "/logging/vmodule");
    target.apply("v0", null);

    assertThat(logs)
        .containsExactly(
            new LogConfig(Level.DEBUG, Format.TEXT, Map.of("dev.vertlet.lease", Level.TRACE)),
            new LogConfig(Level.INFO, Format.TEXT, Map.of()));
    assertThat(ended).isEmpty();
  }

  /** A69: one that says where it is served already says nothing new. */
  @Test
  @Tag("A69")
  void thePortThatANodeHasChangesNothing() {
    serve();

    Change change = apply("v0", "port: 10250").result();

    assertThat(change).isEqualTo(new Change(List.of(), List.of()));
    assertThat(configured).isEmpty();
  }

  @Test
  void aKubeletThatIsServedAnewIsToldToWhoeverRegistersIt() {
    serve();

    Change change = apply("v1", "port: 10999").result();

    assertThat(change.restarted()).containsExactly("server");
    assertThat(kubelets.portOf("v1")).isEqualTo(10_999);
    eventually(() -> assertThat(configured).containsExactly(new NodeConfigured("v1")));
    assertThat(ended).isEmpty();
  }

  /** A07, A08: another version of the same, and what is read anew. */
  @Test
  @Tag("A07")
  @Tag("A08")
  void whatChangesNothingMakesNothingAnew() {
    serve();
    apply("v1", "maxPods: 7, nodeLeaseDurationSeconds: 20");
    eventually(() -> assertThat(leases).hasSize(1));

    Change same = apply("v1", "maxPods: 7, nodeLeaseDurationSeconds: 20").result();
    Change other =
        apply("v1", "maxPods: 7, nodeLeaseDurationSeconds: 20, eventRecordQPS: 3").result();

    assertThat(same).isEqualTo(Change.NONE);
    assertThat(other).isEqualTo(Change.NONE);
    assertThat(book.config("v1").node().events()).isEqualTo(new EventLimit(3, 100));
    assertThat(leases).hasSize(1);
  }

  @Test
  @Tag("A47")
  void whatItsServerRefusesChangesNothing() {
    serve();

    assertThat(apply("v1", "port: 1024, maxPods: 7").cause())
        .isInstanceOf(ConfigRefusedException.class)
        .hasMessage("cannot listen on port 1024");

    assertThat(pods("v1")).isEqualTo("10k");
    assertThat(configured).isEmpty();
  }

  /** A47: the next process must not end of what this one refused. */
  @Test
  @Tag("A47")
  void whatNoServerCouldBeginWithIsRefusedBeforeThereIsOne() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      assertThat(apply("v1", "port: " + taken.getLocalPort()).cause())
          .isInstanceOf(ConfigRefusedException.class)
          .hasMessageStartingWith(
              "cannot listen on address 0.0.0.0, port %d: ".formatted(taken.getLocalPort()));
    }
    assertThat(apply("v1", "address: 192.0.2.1").cause())
        .isInstanceOf(ConfigRefusedException.class)
        .hasMessageStartingWith("cannot listen on address 192.0.2.1, port 0: ");
    assertThatThrownBy(
            () -> load("v1", "tlsCertFile: /no/cert, tlsPrivateKeyFile: /no/key, maxPods: 7"))
        .isInstanceOf(ConfigRefusedException.class)
        .hasMessage(
            "server.tls.tlsCertFile /no/cert with server.tls.tlsPrivateKeyFile /no/key cannot be"
                + " used: no such file");
    assertThatThrownBy(() -> load("v1", "authentication: {x509: {clientCAFile: /no/ca}}"))
        .isInstanceOf(ConfigRefusedException.class)
        .hasMessageStartingWith("server.authentication.clientCAFile /no/ca cannot be used: ");
    assertThat(pods("v1")).isEqualTo("10k");
  }

  @Test
  void nodesThatShareAPayloadDoNotFightForItsPort() {
    serve();

    apply("v0", "port: 10999");
    Change second = apply("v1", "port: 10999, maxPods: 7").result();

    assertThat(second.ignored()).extracting(IgnoredField::pointer).containsExactly("/port");
    assertThat(kubelets.portOf("v1")).isEqualTo(10_251);
    assertThat(pods("v1")).isEqualTo("7");
    assertThat(apply("v0", "port: 10251").result().ignored())
        .as("where another one is")
        .containsExactly(new IgnoredField("/port", "another node of the agent has the port"));
  }

  @Test
  void norWhileOneOfThemMovesThere() {
    serve();
    Promise<Void> moves = Promise.promise();
    kubelets.before = moves.future();

    apply("v0", "port: 10999");
    kubelets.before = Future.succeededFuture();
    Change second = apply("v1", "port: 10999, maxPods: 7").result();

    assertThat(second.ignored()).extracting(IgnoredField::pointer).containsExactly("/port");
    moves.complete();
    assertThat(kubelets.portOf("v0")).isEqualTo(10_999);
    assertThat(kubelets.portOf("v1")).isEqualTo(10_251);
  }

  @Test
  void beforeAnybodyServesOneOfThemGetsThePort() {
    apply("v1", "port: 10999");

    assertThat(apply("v0", "port: 10999").result().ignored())
        .extracting(IgnoredField::pointer)
        .containsExactly("/port");

    assertThat(book.config("v1").port()).isEqualTo(10_999);
    assertThat(book.config("v0").port()).isZero();
  }

  @Test
  void whatANodeMaySendIsItsOwn() {
    serve();

    Change change = apply("v0", "kubeAPIQPS: 5, kubeAPIBurst: 9").result();

    assertThat(change).isEqualTo(Change.NONE);
    assertThat(limits).containsExactly(Map.entry("v0", "5 9"));
    assertThat(ended).isEmpty();
    target.apply("v0", null);
    assertThat(limits).containsExactly(Map.entry("v0", "0 0"));
  }

  /** A13, A14: with the reasons that statuses tell apart. */
  @Test
  @Tag("A13")
  @Tag("A14")
  void whatCannotBeUsedIsRefusedByItsReason() {
    assertThatThrownBy(() -> load("v1", "maxPods: -1"))
        .isInstanceOf(ConfigRefusedException.class)
        .hasMessage(
            "/maxPods: invalid configuration: maxPods (--max-pods) -1 must not be a negative"
                + " number");
    assertThatThrownBy(
            () -> target.load("v1", "source", "{0xdeadbeef}".getBytes(UTF_8), Path.of("/store")))
        .isInstanceOf(ConfigRefusedException.class);
    assertThat(pods("v1")).isEqualTo("10k");
  }
}
