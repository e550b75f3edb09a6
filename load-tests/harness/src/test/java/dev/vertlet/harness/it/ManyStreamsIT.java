package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.TestHttp;
import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many people at once at one agent with little memory, through a real API server. */
@ClusterTest
@FullRing
class ManyStreamsIT {
  private static final int LOGS = 500;
  private static final int COMMANDS = 200;
  private static final byte STDIN = 0;
  private static final byte STDOUT = 1;

  private static final int LISTENERS = 64;

  /** Of all listeners together, at least a thousand. */
  private static final int SCRAPES_OF_EACH = 16;

  /** How much is read of a command that writes as fast as it can, in bytes. */
  private static final long FLOOD = 100_000_000;

  @TempDir private Path dir;

  @Test
  void logsAreFollowedAndCommandsAnswerWithinTheHeapOfASmallAgent(TestCluster cluster)
      throws Exception {
    AgentProcess agent =
        cluster.agent(
            cluster
                .agentSetup(dir, "many")
                .with("--set", "server.portRange=0", "--set", "server.healthzPort=0"));
    cluster.create(
        "talker",
        "many0",
        pod ->
            pod.editMetadata().addToAnnotations("sim.vertlet.dev/log-rate", "1/s").endMetadata());
    cluster.kubectl("wait", "--for=condition=Ready", "pod/talker", KubectlRuns.LIMIT);
    Vertx vertx = Vertx.vertx();
    cluster.closeAfterTest(() -> get(vertx.close()));
    Config admin = Config.fromKubeconfig(cluster.kubeconfig().toFile());
    Streams streams =
        new Streams(
            vertx,
            admin.getMasterUrl().replaceFirst("/$", ""),
            admin.getAutoOAuthToken(),
            "/api/v1/namespaces/" + cluster.namespace() + "/pods/talker");

    Queue<String> refused = new ConcurrentLinkedQueue<>();
    List<AtomicInteger> logs = Stream.generate(AtomicInteger::new).limit(LOGS).toList();
    logs.forEach(lines -> streams.follow(lines, refused));
    List<WebSocket> commands = new ArrayList<>();
    AtomicInteger echoes = new AtomicInteger();
    for (int i = 0; i < COMMANDS; i++) {
      commands.add(get(streams.cat(echoes)));
    }
    await().until(() -> logs.stream().allMatch(lines -> lines.get() > 0));
    List<Integer> before = logs.stream().map(AtomicInteger::get).toList();
    commands.forEach(
        command ->
            command.writeBinaryMessage(Buffer.buffer().appendByte(STDIN).appendString("hello")));

    await().until(() -> echoes.get() == COMMANDS);
    await()
        .until(
            () -> IntStream.range(0, LOGS).allMatch(i -> logs.get(i).get() >= before.get(i) + 3));
    assertThat(refused).isEmpty();
    assertThat(agent.alive()).isTrue();
    assertThat(agent.log()).doesNotContain("OutOfMemory", " ERROR ");
    System.out.printf(
        "%d logs followed and %d commands at once: heap %.0f MB of 256, threads %.0f%n",
        LOGS,
        COMMANDS,
        agent.metric("jvm_memory_used_bytes", "area=\"heap\"") / 1e6,
        agent.metric("jvm_threads_live_threads"));

    commands.forEach(WebSocket::close);
    long through = get(streams.flood("/exec?command=yes&stdout=true"));
    String kubelet =
        cluster.kubectl("get", "node", "many0", "-o", KubeletRequests.URL)
            + "/exec/"
            + cluster.namespace()
            + "/talker/main";
    Streams straight = new Streams(vertx, kubelet, admin.getAutoOAuthToken(), "");
    long direct = get(straight.flood("?command=yes&output=1"));
    System.out.printf(
        "one command writes %.0f MB/s through the API server, %.0f MB/s straight to its reader%n",
        FLOOD * 1e3 / through, FLOOD * 1e3 / direct);
    assertThat(agent.alive()).isTrue();
  }

  /** What a Prometheus asks within a minute comes at once here. */
  @Test
  void everyListenerIsScrapedAgainAndAgain(TestCluster cluster) throws Exception {
    AgentProcess agent =
        cluster.agent(
            AgentProcess.Setup.ofNodes(dir, "scraped", LISTENERS, cluster.agentKubeconfig())
                .with("--set", "server.portRange=0", "--set", "server.healthzPort=0"));
    cluster.pods().createMany("p", "scraped0", 20);
    eventually(() -> assertThat(ports(cluster)).hasSize(LISTENERS).doesNotContain(0));
    Set<Integer> ports = ports(cluster);
    Vertx vertx = Vertx.vertx();
    cluster.closeAfterTest(() -> get(vertx.close()));
    TestHttp prometheus = TestHttp.trusting(vertx);
    String[] token =
        TestHttp.bearer(Config.fromKubeconfig(cluster.kubeconfig().toFile()).getAutoOAuthToken());

    long start = System.nanoTime();
    for (int i = 0; i < SCRAPES_OF_EACH; i++) {
      String path = i % 2 == 0 ? "/metrics" : "/metrics/resource";
      List<Future<TestHttp.Answer>> answers =
          ports.stream().map(port -> prometheus.send(port, HttpMethod.GET, path, token)).toList();
      get(Future.all(answers));
      assertThat(answers)
          .allSatisfy(answer -> assertThat(answer.result().status()).as(path).isEqualTo(200));
    }
    System.out.printf(
        "%d scrapes of %d listeners in %.1f s: heap %.0f MB of 256%n",
        SCRAPES_OF_EACH * LISTENERS,
        LISTENERS,
        (System.nanoTime() - start) / 1e9,
        agent.metric("jvm_memory_used_bytes", "area=\"heap\"") / 1e6);

    assertThat(agent.metric("vertlet_server_connections_refused_total")).isZero();
    assertThat(agent.log()).doesNotContain(" WARN ", " ERROR ");
  }

  private static Set<Integer> ports(TestCluster cluster) {
    return IntStream.range(0, LISTENERS)
        .mapToObj(i -> cluster.node("scraped" + i).getStatus().getDaemonEndpoints())
        .map(endpoints -> endpoints.getKubeletEndpoint().getPort())
        .collect(Collectors.toSet());
  }

  /** A client with as many connections as it likes. */
  private static final class Streams {
    private final HttpClient http;
    private final WebSocketClient webSockets;
    private final String token;
    private final String url;
    private final String pod;

    Streams(Vertx vertx, String url, String token, String pod) {
      this.url = url;
      this.token = token;
      this.pod = pod;
      this.http =
          vertx.createHttpClient(
              new HttpClientOptions().setTrustAll(true).setVerifyHost(false),
              new PoolOptions().setHttp1MaxSize(LOGS));
      this.webSockets =
          vertx.createWebSocketClient(
              new WebSocketClientOptions()
                  .setTrustAll(true)
                  .setVerifyHost(false)
                  .setMaxConnections(COMMANDS + 1));
    }

    void follow(AtomicInteger lines, Queue<String> refused) {
      http.request(
              new RequestOptions()
                  .setMethod(HttpMethod.GET)
                  .setAbsoluteURI(url + pod + "/log?follow=true&tailLines=1")
                  .putHeader("authorization", "Bearer " + token))
          .compose(
              request ->
                  request
                      .send()
                      .onSuccess(
                          answer ->
                              answer.handler(
                                  bytes -> {
                                    for (byte b : bytes.getBytes()) {
                                      if (b == '\n') {
                                        lines.incrementAndGet();
                                      }
                                    }
                                  })))
          .onFailure(e -> refused.add(e.toString()));
    }

    private Future<WebSocket> command(String rest) {
      return webSockets
          .connect(
              new WebSocketConnectOptions()
                  .setAbsoluteURI(url.replaceFirst("^http", "ws") + pod + rest)
                  .addSubProtocol("v5.channel.k8s.io")
                  .putHeader("authorization", "Bearer " + token))
          .recover(
              e ->
                  Future.failedFuture(
                      e instanceof UpgradeRejectedException refused
                          ? new AssertionError(String.valueOf(refused.getBody()), e)
                          : e));
    }

    /** A command that says back what it is told. */
    Future<WebSocket> cat(AtomicInteger echoes) {
      return command("/exec?command=cat&stdin=true&stdout=true")
          .map(
              socket -> {
                socket.binaryMessageHandler(
                    message -> {
                      if (message.length() > 1 && message.getByte(0) == STDOUT) {
                        echoes.incrementAndGet();
                      }
                    });
                return socket;
              });
    }

    /**
     * How long a command's output of that size takes, in nanoseconds.
     *
     * @param rest what follows the pod's URL and begins a command that writes without end
     */
    Future<Long> flood(String rest) {
      long start = System.nanoTime();
      AtomicLong read = new AtomicLong();
      return command(rest)
          .compose(
              socket -> {
                Promise<Long> done = Promise.promise();
                socket.handler(
                    bytes -> {
                      if (read.addAndGet(bytes.length()) >= FLOOD
                          && done.tryComplete(System.nanoTime() - start)) {
                        socket.close();
                      }
                    });
                socket.closeHandler(closed -> done.tryFail("the command ended early"));
                return done.future();
              });
    }
  }
}
