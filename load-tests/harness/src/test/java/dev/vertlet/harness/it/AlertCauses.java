package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.apiserver.contract.AnyClient;
import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.certificates.Identity;
import dev.vertlet.harness.fault.Fault;
import dev.vertlet.harness.fault.FaultProxy;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** Agents of which all but one have causes of alerts. Closed with the test of the cluster. */
final class AlertCauses {
  /** Has no cause of any alert. */
  static final String WELL = "well";

  private static final String MORTAL = "mortal";
  private static final String REFUSED = "refused";
  private static final String BUSY = "busy";
  private static final String BLOCKED = "blocked";
  private static final String SMALL = "small";

  /** Which agent has the cause of an alert; what is of no single agent belongs to nobody. */
  static final Map<String, String> AGENTS =
      Map.ofEntries(
          Map.entry("VertletAgentsAbsent", ""),
          Map.entry("VertletAgentsFewer", ""),
          Map.entry("VertletAgentDown", MORTAL),
          Map.entry("VertletAgentRestarts", MORTAL),
          Map.entry("VertletUnauthorized", REFUSED),
          Map.entry("VertletLeasesLost", REFUSED),
          Map.entry("VertletLeasesNotHeld", REFUSED),
          Map.entry("VertletEventLoopStuck", BLOCKED),
          Map.entry("VertletEventLoopLate", BUSY),
          Map.entry("VertletNodesNotReady", BUSY),
          Map.entry("VertletConfigError", BUSY),
          Map.entry("VertletPodsStartSlowly", BUSY),
          Map.entry("VertletRuntimeFails", BUSY),
          Map.entry("VertletRequestsFail", BUSY),
          Map.entry("VertletThrottled", BUSY),
          Map.entry("VertletQueueGrows", BUSY),
          Map.entry("VertletForbidden", SMALL),
          Map.entry("VertletEventsDropped", SMALL),
          Map.entry("VertletRelistsOften", SMALL),
          Map.entry("VertletObjectsUnreadable", SMALL),
          Map.entry("VertletLeasesSlow", SMALL),
          Map.entry("VertletConnectionsRefused", SMALL),
          Map.entry("VertletCertificateEnds", SMALL),
          Map.entry("VertletFilesRunOut", SMALL),
          Map.entry("VertletHeapFull", SMALL));

  /**
   * May also fire for agents that are well: a machine that is busy with all of them lets each wait.
   */
  static final Set<String> BY_A_SLOW_MACHINE =
      Set.of(
          "VertletAgentDown",
          "VertletEventLoopLate",
          "VertletEventLoopStuck",
          "VertletLeasesLost",
          "VertletLeasesNotHeld",
          "VertletLeasesSlow",
          "VertletNodesNotReady",
          "VertletPodsStartSlowly",
          "VertletQueueGrows",
          "VertletRelistsOften",
          "VertletRequestsFail");

  /** Statuses that cannot be written: more than are sent at once. */
  private static final int QUEUED = 50;

  /** As agents of tests have it. */
  private static final String HEAP = "-Xmx256m";

  private static final String NODES =
      """
      {"nodes": [{"name": "%s{i}", "count": 2%s,
         "capacity": {"cpu": "1000", "memory": "1Ti", "pods": "5000"}}],
       "server": {"portRange": 0, "healthzPort": 0}%s}
      """;

  private static final String SHORT_LEASE =
      ", \"lease\": {\"renewInterval\": \"1s\", \"duration\": \"10s\"}";

  private final TestCluster cluster;
  private final Vertx vertx;
  private final Path folder;
  private final Prometheus prometheus;
  private final Map<String, AgentProcess> agents = new TreeMap<>();
  private @Nullable FaultProxy ofSmall;
  private int made;

  /** Starts the agent that is well. */
  AlertCauses(TestCluster cluster, Vertx vertx, Path folder, AlertRules rules) throws Exception {
    this.cluster = cluster;
    this.vertx = vertx;
    this.folder = folder;
    AgentProcess well = cluster.agent(setup(WELL, "", SHORT_LEASE, cluster.agentKubeconfig()));
    // an agent is there before somebody misses one
    this.prometheus = cluster.closeAfterTest(Prometheus.start(folder, rules));
    known(WELL, well);
  }

  Prometheus prometheus() {
    return prometheus;
  }

  /** Brings all of them about but those that end agents. */
  void begin() throws Exception {
    pods(WELL, 5);
    busy();
    blocked();
    small(agent(WELL).metric("process_open_fds"));
    mortal();
    refused();
  }

  private AgentProcess.Setup setup(String name, String ofNodes, String more, Path kubeconfig)
      throws IOException {
    Path own = Files.createDirectory(folder.resolve(name));
    Path config = own.resolve("vertlet.json");
    Files.writeString(config, NODES.formatted(name, ofNodes, more));
    return AgentProcess.Setup.of(own, config, kubeconfig);
  }

  private void known(String name, AgentProcess agent) throws IOException {
    agents.put(name, agent);
    prometheus.scrape(name, agent);
  }

  private FaultProxy proxy(String name) throws IOException {
    Path own = Files.createDirectory(folder.resolve(name + "-proxy"));
    return get(FaultProxy.start(vertx, cluster.agentKubeconfig(), own, new Random(1)));
  }

  /** No status is written, one node is ill, and the other has a bad config. */
  private void busy() throws Exception {
    FaultProxy proxy = proxy(BUSY);
    AgentProcess agent =
        cluster.agent(
            setup(
                BUSY,
                "",
                """
                %s, "kubernetes": {"maxRequestsInFlight": 4},
                "configSync": {"enabled": true, "allowedNamespaces": ["%s"]},
                "simulated": {"nodes": [{"name": "ill", "selector": {"name": "busy1"},
                  "trouble": "not-ready", "every": "1s", "lasts": "1h"}]}
                """
                    .formatted(SHORT_LEASE, cluster.namespace()),
                proxy.kubeconfig()));
    known(BUSY, agent);
    cluster
        .client()
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("bad")
                .withNamespace(cluster.namespace())
                .endMetadata()
                .addToData(
                    "kubelet",
                    "kind: KubeletConfiguration\n"
                        + "apiVersion: kubelet.config.k8s.io/v1beta1\n"
                        + "maxPods: -1\n")
                .build())
        .serverSideApply();
    cluster.kubectl(
        "annotate",
        "node",
        "busy0",
        "vertlet.dev/config-source={\"configMap\":{\"namespace\":\"%s\",\"name\":\"bad\",\"kubeletConfigKey\":\"kubelet\"}}"
            .formatted(cluster.namespace()));
    pod("slow", "busy0", Map.of("sim.vertlet.dev/start-delay", "61s"));
    pod("unstartable", "busy0", Map.of("sim.vertlet.dev/start-error", "no such program"));
    // a CPU that is not there: for longer than a scrape waits
    agent.pause();
    eventually(() -> assertThat(prometheus.query("up{pod=\"busy\"} == 0")).isNotEmpty());
    agent.resume();
    eventually(() -> assertThat(agent.metric("kubelet_node_config_error")).isEqualTo(1));
    eventually(() -> assertThat(agent.metric("vertlet_nodes_ready")).isEqualTo(1));
    proxy.inject(Fault.answer(503).on("patch", "pods/status").times(30));
    proxy.inject(Fault.tooManyRequests(Duration.ofSeconds(1)).on("patch", "pods/status").times(30));
    proxy.inject(Fault.hang().on("patch", "pods/status"));
    pods(BUSY, QUEUED);
  }

  private void pods(String agent, int count) {
    for (int i = 0; i < count; i++) {
      pod(agent + "-" + i, agent + "0", Map.of());
    }
  }

  /** Applies it: a client that asks again, as on a machine that is slow, finds what is there. */
  private void pod(String name, String node, Map<String, String> annotations) {
    cluster
        .client()
        .resource(
            TestPods.template(name, node)
                .editMetadata()
                .withNamespace(cluster.namespace())
                .addToAnnotations(annotations)
                .endMetadata()
                .build())
        .serverSideApply();
  }

  /** Its provider blocks the loop of its nodes. */
  private void blocked() throws Exception {
    Path providers = BlockingProvider.directory(Files.createDirectory(folder.resolve("provider")));
    AgentProcess agent =
        cluster.agent(
            setup(
                BLOCKED,
                ", \"provider\": \"blocking\"",
                SHORT_LEASE + ", \"providers\": {\"directory\": \"" + providers + "\"}",
                cluster.agentKubeconfig()));
    known(BLOCKED, agent);
    pods(BLOCKED, 1);
  }

  /** Its token is no good any more. */
  private void refused() throws Exception {
    FaultProxy proxy = proxy(REFUSED);
    known(REFUSED, cluster.agent(setup(REFUSED, "", SHORT_LEASE, proxy.kubeconfig())));
    proxy.inject(Fault.answer(401));
  }

  /**
   * It lacks a permission and memory, its certificate ends, and what it reads is no good.
   *
   * @param files that an agent has open at rest
   */
  private void small(double files) throws Exception {
    FaultProxy proxy = proxy(SMALL);
    Identity identity =
        CertificateAuthority.create("alerts", Clock.systemUTC())
            .issueServer("small", List.of("localhost"), List.of("127.0.0.1"), Duration.ofHours(1));
    Path certificate = Files.writeString(folder.resolve("small.crt"), identity.certificatePem());
    Path key = Files.writeString(folder.resolve("small.key"), identity.privateKeyPem());
    AgentProcess.Setup setup =
        setup(SMALL, "", "", proxy.kubeconfig())
            .with("--set", "nodes.0.count=5")
            .with("--set", "server.maxConnections=1")
            .with("--set", "server.tls.tlsCertFile=" + certificate)
            .with("--set", "server.tls.tlsPrivateKeyFile=" + key);
    long mostFiles = Math.round(files * 1.3);
    AgentProcess agent =
        run(
            setup,
            LoopbackPorts.next(),
            "ulimit -n " + mostFiles + "; exec \"$0\" \"$@\"",
            "-Xmx40m");
    agent.awaitReady();
    known(SMALL, agent);
    proxy.inject(Fault.answer(403).on("create", "events"));
    proxy.inject(Fault.answer(410).on("watch", "pods").withProbability(0.5));
    proxy.inject(Fault.nonsense().on("watch", "pods").times(3));
    proxy.inject(Fault.delay(Duration.ofSeconds(6)).on("update", "leases"));
    ofSmall = proxy;
    connect(agent, Math.round(files * 0.25));
  }

  /** What has to happen again and again: something to tell of, and a watch that ends. */
  void goOn() {
    pod("tells-" + made++, "small0", Map.of());
    get(Objects.requireNonNull(ofSmall).cutWatches());
  }

  private void connect(AgentProcess agent, long idle) throws Exception {
    int kubelet =
        cluster.node("small0").getStatus().getDaemonEndpoints().getKubeletEndpoint().getPort();
    int own = URI.create("http://" + agent.address()).getPort();
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, new TrustManager[] {new AnyClient()}, null);
    for (int i = 0; i < 3; i++) {
      handshake(
          (SSLSocket)
              tls.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), kubelet));
    }
    for (int i = 0; i < idle; i++) {
      cluster.closeAfterTest(new Socket(InetAddress.getLoopbackAddress(), own));
    }
  }

  /** The first stays, and others are closed as soon as they are open. */
  private void handshake(SSLSocket socket) {
    try {
      cluster.closeAfterTest(socket).startHandshake();
    } catch (IOException closed) {
      System.out.println("refused: " + closed.getMessage());
    }
  }

  /**
   * Grows what {@code small} has to hold, until its alert fires: 1 MB at a time of a heap of 40, so
   * that it does not end.
   */
  void fill() throws IOException {
    for (int i = 0; i < 5; i++) {
      pod("fills-" + made++, "small0", Map.of("example.com/filling", "x".repeat(200_000)));
    }
    // collects
    assertThat(agent(SMALL).heap()).isNotEmpty();
  }

  /** It is killed again and again. */
  private void mortal() throws Exception {
    AgentProcess.Setup setup = setup(MORTAL, "", SHORT_LEASE, cluster.agentKubeconfig());
    int port = LoopbackPorts.next();
    known(MORTAL, run(setup, port, "exec \"$0\" \"$@\"", HEAP));
    for (int i = 1; i <= 3; i++) {
      agent(MORTAL).kill();
      AgentProcess next = run(setup, port, "exec \"$0\" \"$@\"", HEAP);
      agents.put(MORTAL, next);
      String starts = "changes(process_start_time_seconds{pod=\"mortal\"}[1h]) == %d".formatted(i);
      eventually(() -> assertThat(prometheus.query(starts)).isNotEmpty());
    }
  }

  /** Starts an agent within a shell. */
  private AgentProcess run(AgentProcess.Setup setup, int port, String script, String heap)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", script));
    command.addAll(AgentProcess.command(setup, port));
    command.replaceAll(argument -> argument.equals(HEAP) ? heap : argument);
    Path log = Files.createTempFile(setup.folder(), "agent-", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().remove("NODE_NAME"); // of the machine that runs the tests
    return cluster.closeAfterTest(AgentProcess.of(builder.start(), log, port));
  }

  /** The agent that was killed again and again is killed for good. */
  void kill() throws InterruptedException {
    agent(MORTAL).kill();
  }

  /** The pod of the agent that was killed is deleted. */
  void delete() throws IOException {
    prometheus.forget(MORTAL);
  }

  private AgentProcess agent(String name) {
    return Objects.requireNonNull(agents.get(name), name);
  }

  /** All agents are killed. */
  void killAll() throws InterruptedException {
    for (AgentProcess agent : agents.values()) {
      agent.kill();
    }
  }
}
