package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.certificates.Identity;
import dev.vertlet.harness.loopback.Kubeconfig;
import dev.vertlet.sandbox.SandboxNames;
import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Measuring;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pools of warm pods on a real API server: an agent's simulated containers, and {@code sandbox
 * serve} with the rights of the shipped manifests.
 */
@ClusterTest
class SandboxIT {
  private static final SandboxNames NAMES = SandboxNames.AGENTBOX;
  private static final String IDLE = "registry.k8s.io/pause:3.10";
  private static final String IMAGE = "python:3.12";
  private static final String POOL = "tools";
  private static final int NODES = 4;

  private static final String TEMPLATE =
      """
      {"spec": {"nodeName": "warm0", "tolerations": [{"operator": "Exists"}],
                "terminationGracePeriodSeconds": 1,
                "containers": [{"name": "main", "image": "registry.k8s.io/pause:3.10"}]}}
      """;

  /** Claims a second. */
  private static final int RATE = 50;

  private static final Executor LATER = CompletableFuture.delayedExecutor(50, MILLISECONDS);

  @TempDir private Path folder;

  private void agent(TestCluster cluster) throws IOException {
    cluster.agent(
        AgentProcess.Setup.ofNodes(
                Files.createDirectory(folder.resolve("agent")),
                "warm",
                NODES,
                cluster.agentKubeconfig())
            .with("--set", "agent.profile=fast"));
  }

  /** Pods that somebody else keeps: those of the test need no finalizer to be taken off. */
  private static JsonObject config(TestCluster cluster) {
    return new JsonObject(
        """
        {"resolver": {"kind": "simulated"}, "api": {"authentication": "none"},
         "leaderElection": {"namespace": "%1$s", "duration": "3s", "renewInterval": "500ms"},
         "pools": [{"name": "%2$s", "namespace": "%1$s", "idleImage": "%3$s"}]}
        """
            .formatted(cluster.namespace(), POOL, IDLE));
  }

  private SandboxProcess server(TestCluster cluster, String name, Path kubeconfig)
      throws IOException {
    return cluster.closeAfterTest(
        SandboxProcess.start(
            Files.createDirectory(folder.resolve(name)),
            config(cluster),
            kubeconfig,
            SandboxProcess.PLAIN));
  }

  private static void ready(SandboxProcess server, int pods) {
    eventually(
        () -> {
          assertThat(server.ready()).as(server.process().log()).isTrue();
          assertThat(server.status(POOL).getInteger("ready")).isEqualTo(pods);
        });
  }

  private static void warm(TestCluster cluster, int count) {
    Map<String, String> labels = Map.of(NAMES.pool(), POOL, NAMES.phase(), "idle");
    cluster
        .pods()
        .createMany(
            POOL,
            count,
            i -> "warm" + i % NODES,
            pod ->
                pod.editMetadata()
                    .withLabels(labels)
                    .endMetadata()
                    .editSpec()
                    .withTerminationGracePeriodSeconds(1L)
                    .endSpec());
  }

  /** The whole way round: claimed, seen to run, given back. */
  private static CompletableFuture<JsonObject> cycle(
      SandboxProcess server, String id, long due, Histogram starts) {
    return server
        .claim(POOL, id, IMAGE)
        .thenCompose(
            running -> {
              assertThat(running.getString("phase")).isEqualTo("running");
              starts.recordValue((System.nanoTime() - due) / 1000);
              return server.release(POOL, id).thenApply(released -> running);
            });
  }

  /** Sends when it is due, whether or not anybody has answered yet. */
  private static List<CompletableFuture<JsonObject>> atRate(
      int perSecond, int count, Function<Integer, CompletableFuture<JsonObject>> send) {
    long period = SECONDS.toNanos(1) / perSecond;
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    List<CompletableFuture<JsonObject>> all =
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                            () -> i,
                            task -> {
                              var unused = timer.schedule(task, i * period, NANOSECONDS);
                            })
                        .thenCompose(send::apply))
            .toList();
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    timer.shutdownNow();
    return all;
  }

  private static String figures(Histogram micros) {
    return "p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, max %.1f ms of %d"
        .formatted(
            micros.getValueAtPercentile(50) / 1000.0,
            micros.getValueAtPercentile(90) / 1000.0,
            micros.getValueAtPercentile(99) / 1000.0,
            micros.getMaxValue() / 1000.0,
            micros.getTotalCount());
  }

  /** All warm pods are claimed at 50/s, and given back. */
  private static Histogram claimAll(SandboxProcess server, String prefix, int count) {
    Histogram starts = new ConcurrentHistogram(3);
    long begin = System.nanoTime();
    long period = SECONDS.toNanos(1) / RATE;
    atRate(
        RATE,
        count,
        i ->
            server
                .claim(POOL, prefix + i, IMAGE)
                .thenApply(
                    running -> {
                      starts.recordValue((System.nanoTime() - begin - i * period) / 1000);
                      assertThat(running.getString("phase")).isEqualTo("running");
                      return running;
                    }));
    CompletableFuture.allOf(
            IntStream.range(0, count)
                .mapToObj(i -> server.release(POOL, prefix + i))
                .toArray(CompletableFuture[]::new))
        .join();
    ready(server, count);
    return starts;
  }

  /**
   * The figures of docs/sandbox.md. What is asserted holds on a machine that does much else; each
   * claim counts from when it was due, and all that is late makes the next ones late.
   */
  @FullRing
  @Test
  @Measuring
  void aClaimRunsInMilliseconds(TestCluster cluster) throws Exception {
    int count = 200;
    agent(cluster);
    warm(cluster, count);
    SandboxProcess server = server(cluster, "one", SandboxAccess.grant(cluster, folder));
    ready(server, count);

    Histogram first = claimAll(server, "a", count);
    MachineLag lag = cluster.closeAfterTest(MachineLag.start());
    Histogram second = claimAll(server, "b", count);

    Histogram alone = new ConcurrentHistogram(3);
    goRound(server, "c", 150, 1, alone);

    System.out.println("claim to running at 50/s, new processes: " + figures(first));
    System.out.println("claim to running at 50/s, warm ones:     " + figures(second));
    System.out.println("claim to running, one after the other:   " + figures(alone));
    System.out.println("latest turn of an idle thread: " + lag.longest().toMillis() + " ms");
    boolean idle = lag.shareWithin(Duration.ofMillis(5)) > 0.98;
    assertThat(second.getValueAtPercentile(50) / 1000).isLessThan(idle ? 500 : 5_000);
  }

  private static List<Pod> pods(TestCluster cluster) {
    return cluster.pods().list();
  }

  private static int restarts(Pod pod) {
    return TestPods.firstContainer(pod).getRestartCount();
  }

  /** Idle as if nobody had ever had it, but for the record of its last update. */
  private static void isIdle(Pod pod) {
    assertThat(pod.getSpec().getContainers().get(0).getImage()).isEqualTo(IDLE);
    assertThat(pod.getMetadata().getLabels())
        .containsOnly(Map.entry(NAMES.pool(), POOL), Map.entry(NAMES.phase(), "idle"));
    assertThat(pod.getMetadata().getAnnotations()).containsOnlyKeys(NAMES.state());
    JsonObject state = new JsonObject(pod.getMetadata().getAnnotations().get(NAMES.state()));
    assertThat(state.getString("phase")).isEqualTo("completed");
    assertThat(state.containsKey("lastContainerStatuses")).isFalse();
  }

  private static <T> Map<String, T> byName(List<Pod> pods, Function<Pod, T> value) {
    return pods.stream().collect(Collectors.toMap(p -> p.getMetadata().getName(), value));
  }

  /** That many at a time until all have gone round; how often each pod was claimed. */
  private static Map<String, Integer> goRound(
      SandboxProcess server, String prefix, int count, int atOnce, Histogram starts) {
    AtomicInteger next = new AtomicInteger();
    Map<String, Integer> claims = new ConcurrentHashMap<>();
    CompletableFuture<?>[] lanes =
        IntStream.range(0, atOnce)
            .mapToObj(lane -> goOn(server, prefix, count, next, claims, starts))
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(lanes).join();
    return claims;
  }

  private static CompletableFuture<Void> goOn(
      SandboxProcess server,
      String prefix,
      int count,
      AtomicInteger next,
      Map<String, Integer> claims,
      Histogram starts) {
    int number = next.getAndIncrement();
    if (number >= count) {
      return CompletableFuture.completedFuture(null);
    }
    return cycle(server, prefix + number, System.nanoTime(), starts)
        .thenCompose(
            sandbox -> {
              claims.merge(sandbox.getString("pod"), 1, Integer::sum);
              return goOn(server, prefix, count, next, claims, starts);
            });
  }

  @FullRing
  @Test
  @Tag("B59")
  void b59AThousandSandboxesLeaveNothingBehind(TestCluster cluster) throws Exception {
    int count = 50;
    agent(cluster);
    warm(cluster, count);
    SandboxProcess server = server(cluster, "one", SandboxAccess.grant(cluster, folder));
    ready(server, count);
    List<Pod> before = pods(cluster);
    Histogram starts = new ConcurrentHistogram(3);

    long begin = System.nanoTime();
    Map<String, Integer> claims = goRound(server, "s", 1000, 40, starts);
    double seconds = (System.nanoTime() - begin) / 1e9;

    ready(server, count);
    System.out.printf("1000 sandboxes in %.1f s, %s%n", seconds, figures(starts));
    JsonObject status = server.status(POOL);
    assertThat(status.getJsonObject("phases")).isEqualTo(new JsonObject().put("idle", count));
    assertThat(status.getInteger("waiting")).isZero();
    List<Pod> after = pods(cluster);
    assertThat(after).allSatisfy(SandboxIT::isIdle);
    assertThat(byName(after, pod -> pod.getMetadata().getUid()))
        .isEqualTo(byName(before, pod -> pod.getMetadata().getUid()));
    assertThat(byName(after, pod -> pod.getStatus().getPodIP()))
        .isEqualTo(byName(before, pod -> pod.getStatus().getPodIP()));
    assertThat(byName(after, SandboxIT::restarts))
        .isEqualTo(byName(before, p -> 2 * claims.getOrDefault(p.getMetadata().getName(), 0)));
    assertThat(claims.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(1000);
    assertThat(server.process().metric("vertlet_sandbox_claims_total", "result=\"success\""))
        .isEqualTo(1000);
    assertThat(server.process().metric("vertlet_sandbox_stops_total")).isEqualTo(1000);
    Map<String, Long> heap = server.process().heap();
    assertThat(heap.get("dev.vertlet.sandbox.pool.PodObject")).isLessThan(2L * count);
    assertThat(heap).doesNotContainKey("dev.vertlet.sandbox.pool.Claim");
  }

  /** Each state of a pod as it was written, without repetitions. */
  private static Map<String, List<String>> recordStates(TestCluster cluster) {
    Map<String, List<String>> states = new ConcurrentHashMap<>();
    cluster.closeAfterTest(
        cluster
            .client()
            .pods()
            .inNamespace(cluster.namespace())
            .inform(
                new ResourceEventHandler<>() {
                  @Override
                  public void onAdd(Pod pod) {
                    saw(pod);
                  }

                  @Override
                  public void onUpdate(Pod before, Pod pod) {
                    saw(pod);
                  }

                  @Override
                  public void onDelete(Pod pod, boolean unknown) {}

                  private void saw(Pod pod) {
                    Map<String, String> annotations = pod.getMetadata().getAnnotations();
                    String state = annotations == null ? null : annotations.get(NAMES.state());
                    if (state != null) {
                      List<String> all =
                          states.computeIfAbsent(
                              pod.getMetadata().getName(), n -> new CopyOnWriteArrayList<>());
                      if (all.isEmpty() || !all.get(all.size() - 1).equals(state)) {
                        all.add(state);
                      }
                    }
                  }
                }));
    return states;
  }

  /** Asks whoever acts until somebody says how the claim ended; asked twice it is one claim. */
  private static CompletableFuture<JsonObject> insist(
      List<SandboxProcess> servers, int first, String id) {
    SandboxProcess server = servers.get(first % servers.size());
    String body = new JsonObject().put("id", id).put("image", IMAGE).encode();
    return server
        .call("POST", "/v1/pools/" + POOL + "/claims", body)
        .handle(
            (answer, failure) -> {
              // broken off, or another one acts, or it ends
              boolean again = failure != null || answer.status() == 503 || answer.status() == 502;
              return again
                  ? CompletableFuture.runAsync(() -> {}, LATER)
                      .thenCompose(v -> insist(servers, first + 1, id))
                  : CompletableFuture.completedFuture(answer.json().put("status", answer.status()));
            })
        .thenCompose(Function.identity());
  }

  @Test
  @Tag("B58")
  void b58AServerThatIsKilledLosesNoClaimAndGivesNoPodTwice(TestCluster cluster) throws Exception {
    int count = 100;
    agent(cluster);
    warm(cluster, count);
    Path kubeconfig = SandboxAccess.grant(cluster, folder);
    SandboxProcess first = server(cluster, "one", kubeconfig);
    ready(first, count);
    SandboxProcess second = server(cluster, "two", kubeconfig);
    Map<String, List<String>> states = recordStates(cluster);
    List<SandboxProcess> servers = List.of(first, second);

    List<CompletableFuture<JsonObject>> claims =
        atRate(
            100,
            count,
            i -> {
              if (i == count / 2) {
                kill(first);
              }
              return insist(servers, 0, "k" + i);
            });

    Map<String, String> podOf = new HashMap<>();
    for (CompletableFuture<JsonObject> claim : claims) {
      JsonObject sandbox = get(claim);
      assertThat(sandbox.getInteger("status")).as(sandbox.encode()).isEqualTo(201);
      assertThat(podOf.put(sandbox.getString("pod"), sandbox.getString("id"))).isNull();
    }
    eventually(
        () ->
            assertThat(pods(cluster))
                .allSatisfy(
                    pod ->
                        assertThat(pod.getMetadata().getLabels())
                            .containsEntry(NAMES.phase(), "running")));
    assertThat(byName(pods(cluster), pod -> pod.getMetadata().getLabels().get(NAMES.id())))
        .isEqualTo(podOf);
    assertThat(pods(cluster)).allSatisfy(pod -> assertThat(restarts(pod)).isEqualTo(1));
    // started once and completed once, whoever saw the end
    eventually(
        () ->
            assertThat(states).hasSize(count).allSatisfy((pod, all) -> assertThat(all).hasSize(2)));
    assertThat(second.process().metric("vertlet_sandbox_claims_total", "result=\"success\""))
        .isPositive();
  }

  private static void kill(SandboxProcess server) {
    try {
      server.process().kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A client that trusts that authority alone. */
  private static HttpClient trusting(CertificateAuthority authority) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "authority",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(authority.certificatePem().getBytes(UTF_8))));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_1_1).build();
  }

  /** A pool that makes its pods itself, for callers whom the API server knows. */
  @FullRing
  @Test
  void whoMayClaimIsServedOverTlsAndToldOfEachChange(TestCluster cluster) throws Exception {
    agent(cluster);
    Path own = Files.createDirectory(folder.resolve("tls"));
    CertificateAuthority authority = CertificateAuthority.create("sandboxes", Clock.systemUTC());
    Identity identity = authority.issueServer("sandboxes", List.of(), List.of("127.0.0.1"));
    Path certificate = Files.writeString(own.resolve("tls.crt"), identity.certificatePem());
    Path key = Kubeconfig.writeSecret(own.resolve("tls.key"), identity.privateKeyPem());
    JsonObject config = config(cluster);
    config.put(
        "api",
        new JsonObject().put("tlsCertFile", "" + certificate).put("tlsPrivateKeyFile", "" + key));
    config
        .getJsonArray("pools")
        .getJsonObject(0)
        .put("size", 2)
        .put("template", new JsonObject(TEMPLATE));
    cluster.closeAfterTest(() -> SandboxProcess.letGo(cluster));
    HttpClient http = trusting(authority);
    SandboxProcess server =
        cluster.closeAfterTest(
            SandboxProcess.start(own, config, SandboxAccess.grant(cluster, folder), http));
    String may = SandboxAccess.caller(cluster, "may", true);
    String mayNot = SandboxAccess.caller(cluster, "may-not", false);
    String claims = "/v1/pools/" + POOL + "/claims";
    eventually(
        () -> {
          assertThat(server.ready()).as(server.process().log()).isTrue();
          JsonObject pool = server.ask("GET", "/v1/pools/" + POOL, "", may).json();
          assertThat(pool.getInteger("ready")).as(pool.encode()).isEqualTo(2);
        });

    String claim = new JsonObject().put("id", "mine").put("image", IMAGE).encode();
    SandboxProcess.Answer unknown = server.ask("POST", claims, claim, "");
    SandboxProcess.Answer madeUp = server.ask("POST", claims, claim, "a.b.c");
    SandboxProcess.Answer forbidden = server.ask("POST", claims, claim, mayNot);

    assertThat(List.of(unknown.status(), unknown.reason())).isEqualTo(List.of(401, "Unauthorized"));
    assertThat(madeUp.status()).isEqualTo(401);
    assertThat(List.of(forbidden.status(), forbidden.reason()))
        .isEqualTo(List.of(403, "Forbidden"));

    try (Stream<String> events =
        http.send(
                server.request("GET", "/v1/pools/" + POOL + "/watch", "", may).build(),
                BodyHandlers.ofLines())
            .body()) {
      assertThat(server.ask("POST", claims, claim, may).status()).isEqualTo(201);
      List<String> phases =
          events
              .filter(line -> line.startsWith("data: "))
              .map(line -> new JsonObject(line.substring("data: ".length())))
              .filter(sandbox -> sandbox.getString("id").equals("mine"))
              .map(sandbox -> sandbox.getString("phase"))
              .takeWhile(phase -> !phase.equals("running"))
              .distinct()
              .toList();
      assertThat(phases).isEqualTo(List.of("starting"));
    }
  }
}
