package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.apiserver.contract.AnyClient;
import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Waits;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients without credentials that take what they can of an agent with a heap of 256 MiB. All the
 * time its health is asked for, and somebody with rights follows a log.
 */
@ClusterTest
@FullRing
class UnadmittedClientsIT {
  /**
   * Objects that live, in bytes: a quarter, two sixteenths and a thirty-second of the heap are for
   * those who are not admitted, by the limits of an agent's four servers; what they count is more
   * than what they hold.
   */
  private static final long SHARE = (256 << 20) / 4 + (256 << 20) / 8 + (256 << 20) / 32;

  /** The memory limit of k8s/manifests, in bytes. */
  private static final long CONTAINER = 512 << 20;

  private static final String HEAD = "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ";

  @TempDir private Path dir;
  private final List<AutoCloseable> clients = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable client : clients) {
      client.close();
    }
  }

  @Test
  void holdNoMoreThanTheirShareAndHoldUpNobody(TestCluster cluster) throws Exception {
    URI open = URI.create("http://127.0.0.1:" + LoopbackPorts.next());
    URI healthz = URI.create("http://127.0.0.1:" + LoopbackPorts.next());
    AgentProcess agent =
        cluster.agent(
            cluster
                .agentSetup(dir, "besieged")
                .with("--set", "server.portRange=0")
                .with("--set", "server.readOnlyPort=" + open.getPort())
                .with("--set", "server.healthzPort=" + healthz.getPort()));
    cluster.create(
        "talker",
        "besieged0",
        pod ->
            pod.editMetadata().addToAnnotations("sim.vertlet.dev/log-rate", "2/s").endMetadata());
    cluster.kubectl("wait", "--for=condition=Ready", "pod/talker", KubectlRuns.LIMIT);
    Vertx vertx = Vertx.vertx();
    cluster.closeAfterTest(() -> get(vertx.close()));
    AtomicInteger lines = follow(cluster, vertx);
    eventually(() -> assertThat(lines).hasPositiveValue());
    URI kubelet =
        URI.create(cluster.kubectl("get", "node", "besieged0", "-o", KubeletRequests.URL));
    long before = agent.liveBytes();

    Map<String, ThrowingRunnable> attacks =
        Map.of(
            "unfinished requests over HTTP/2", () -> unfinishedRequests(vertx, kubelet),
            "unfinished heads over TLS", () -> unfinishedHeads(tls(kubelet), 1_500, 110_000),
            "handshakes that never begin", () -> unfinishedHeads(plain(kubelet), 3_000, 0),
            "unfinished heads at the health server",
                () -> unfinishedHeads(plain(agent), 4_000, 15_000),
            "unfinished heads at the read-only port",
                () -> unfinishedHeads(plain(open), 5_000, 110_000),
            "unfinished heads at healthzPort", () -> unfinishedHeads(plain(healthz), 1_000, 7_000),
            "short fields at the health server", () -> shortFields(plain(agent), 2_000),
            "HTTP/2 without TLS at the health server", () -> prefaces(plain(agent), 1_000));
    for (Map.Entry<String, ThrowingRunnable> attack : attacks.entrySet()) {
      attack.getValue().run();
      int heard = lines.get();
      eventually(() -> assertThat(agent.status("/healthz")).as(attack.getKey()).isEqualTo(200));
      eventually(() -> assertThat(lines.get()).as(attack.getKey()).isGreaterThan(heard + 2));
      long held = agent.liveBytes() - before;
      System.out.printf(
          "%s: %.0f MB live of %.0f; the process had %.0f MB at most%n",
          attack.getKey(), held / 1e6, SHARE / 1e6, agent.peakBytes() / 1e6);
      assertThat(held).as(attack.getKey()).isLessThan(SHARE);
      assertThat(agent.peakBytes()).as(attack.getKey()).isLessThan(CONTAINER);
    }
    assertThat(agent.alive()).isTrue();
    assertThat(agent.log()).doesNotContain("OutOfMemory", " ERROR ");
    assertThat(agent.log().lines().filter(line -> line.contains(" WARN ")).count())
        .as("lines of the log")
        .isLessThan(30);
  }

  @Test
  void holdNoMoreThanTheirShareOfTheSandboxServer(TestCluster cluster) throws Exception {
    JsonObject config =
        new JsonObject()
            .put("resolver", new JsonObject().put("kind", "simulated"))
            .put(
                "leaderElection",
                new JsonObject()
                    .put("namespace", cluster.namespace())
                    .put("duration", "3s")
                    .put("renewInterval", "500ms"))
            .put(
                "pools",
                new JsonArray()
                    .add(
                        new JsonObject()
                            .put("name", "p")
                            .put("namespace", cluster.namespace())
                            .put("idleImage", "example.org/idle:1")));
    SandboxProcess server =
        cluster.closeAfterTest(
            SandboxProcess.start(
                dir, config, SandboxAccess.grant(cluster, dir), SandboxProcess.PLAIN));
    eventually(() -> assertThat(server.ready()).as(server.process().log()).isTrue());
    long before = server.process().liveBytes();
    URI url = URI.create(server.url());

    unfinishedHeads(plain(url), 5_000, 15_000);
    eventually(() -> assertThat(server.ready()).isTrue());
    assertThat(server.process().liveBytes() - before).as("heads").isLessThan(256 << 20 >> 2);

    send(
        plain(url),
        2_000,
        n ->
            "POST /v1/pools/p/claims HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer made-up\r\n"
                + "Content-Type: application/json\r\nContent-Length: 200000\r\n\r\n"
                + "x".repeat(100_000));
    eventually(() -> assertThat(server.ready()).isTrue());
    assertThat(server.process().liveBytes() - before).as("bodies").isLessThan(256 << 20 >> 2);
    assertThat(server.process().peakBytes()).isLessThan(CONTAINER);
    assertThat(server.process().log()).doesNotContain("OutOfMemory", " ERROR ");
  }

  @Test
  void holdNoMoreThanTheirShareOfTheEmbeddedApiServer(TestCluster cluster) throws Exception {
    int port = LoopbackPorts.next();
    Path log = dir.resolve("api-server.log");
    AgentProcess server =
        cluster.closeAfterTest(
            AgentProcess.of(
                new ProcessBuilder(AgentProcess.vertlet("api-server", "--port", "" + port))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start(),
                log,
                port));
    eventually(() -> assertThat(server.log()).contains("Ctrl-C"));
    URI url = URI.create("https://127.0.0.1:" + port);
    Vertx vertx = Vertx.vertx();
    cluster.closeAfterTest(() -> get(vertx.close()));
    long before = server.liveBytes();

    Map<String, ThrowingRunnable> attacks =
        Map.of(
            "unfinished requests over HTTP/2", () -> unfinishedRequests(vertx, url),
            "unfinished heads over TLS", () -> unfinishedHeads(tls(url), 2_500, 110_000),
            "handshakes that never begin", () -> unfinishedHeads(plain(url), 5_000, 0));
    for (Map.Entry<String, ThrowingRunnable> attack : attacks.entrySet()) {
      attack.getValue().run();
      eventually(
          () ->
              assertThat(KubeletRequests.get(url.resolve("/livez"), "").statusCode())
                  .as(attack.getKey())
                  .isEqualTo(200));
      assertThat(server.liveBytes() - before).as(attack.getKey()).isLessThan(256 << 20 >> 1);
    }
    assertThat(server.log()).doesNotContain("OutOfMemory", " ERROR ");
  }

  /** A part of a test that may throw. */
  private interface ThrowingRunnable {
    void run() throws Exception;
  }

  /** Opens a connection. */
  private interface Opener {
    Socket open() throws IOException;
  }

  private AtomicInteger follow(TestCluster cluster, Vertx vertx) {
    Config admin = Config.fromKubeconfig(cluster.kubeconfig().toFile());
    AtomicInteger lines = new AtomicInteger();
    HttpClient http =
        vertx.createHttpClient(new HttpClientOptions().setTrustAll(true).setVerifyHost(false));
    clients.add(() -> get(http.close())); // a client that nobody holds ends by itself
    get(
        http.request(
                new RequestOptions()
                    .setMethod(HttpMethod.GET)
                    .setAbsoluteURI(
                        admin.getMasterUrl().replaceFirst("/$", "")
                            + "/api/v1/namespaces/"
                            + cluster.namespace()
                            + "/pods/talker/log?follow=true&tailLines=1")
                    .putHeader("authorization", "Bearer " + admin.getAutoOAuthToken()))
            .compose(
                request ->
                    request
                        .send()
                        .onSuccess(answer -> answer.handler(bytes -> lines.incrementAndGet()))));
    return lines;
  }

  /** Twelve connections of 240 streams, each with a head of 112 KiB and a bad token. */
  private void unfinishedRequests(Vertx vertx, URI kubelet) {
    for (int i = 0; i < 12; i++) {
      HttpClient http =
          vertx.createHttpClient(
              new HttpClientOptions()
                  .setProtocolVersion(HttpVersion.HTTP_2)
                  .setSsl(true)
                  .setUseAlpn(true)
                  .setTrustAll(true)
                  .setVerifyHost(false));
      clients.add(() -> get(http.close()));
      List<Future<?>> sent =
          IntStream.range(0, 240)
              .<Future<?>>mapToObj(
                  n ->
                      http.request(HttpMethod.POST, kubelet.getPort(), kubelet.getHost(), "/pods")
                          .compose(
                              request ->
                                  request
                                      .setChunked(true)
                                      .putHeader("authorization", "Bearer made-up-" + n)
                                      .putHeader("x-long", "x".repeat(112 << 10))
                                      .sendHead()))
              .toList();
      get(Future.join(sent).otherwiseEmpty());
    }
  }

  private void unfinishedHeads(Opener opener, int count, int bytes) throws IOException {
    send(opener, count, n -> bytes == 0 ? "" : HEAD + "x".repeat(bytes));
  }

  private void shortFields(Opener opener, int count) throws IOException {
    send(opener, count, n -> "GET / HTTP/1.1\r\n" + "a:\r\n".repeat(3_000));
  }

  private void prefaces(Opener opener, int count) throws IOException {
    send(opener, count, n -> "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  }

  private void send(Opener opener, int count, IntFunction<String> sent) throws IOException {
    for (int i = 0; i < count; i++) {
      try {
        Socket socket = opener.open();
        clients.add(socket);
        socket.getOutputStream().write(sent.apply(i).getBytes(StandardCharsets.US_ASCII));
      } catch (IOException refused) {
        // as it should be
      }
    }
  }

  private static Opener plain(URI server) {
    return () -> new Socket(server.getHost(), server.getPort());
  }

  private static Opener plain(AgentProcess agent) {
    return plain(URI.create("http://" + agent.address()));
  }

  private static Opener tls(URI server) throws Exception {
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, new TrustManager[] {new AnyClient()}, null);
    return () -> {
      Socket socket = tls.getSocketFactory().createSocket(server.getHost(), server.getPort());
      socket.setSoTimeout((int) Waits.LONG.toMillis());
      return socket;
    };
  }
}
