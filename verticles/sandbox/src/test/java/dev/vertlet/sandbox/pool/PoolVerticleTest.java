package dev.vertlet.sandbox.pool;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.sandbox.DigestResolver;
import dev.vertlet.sandbox.PodTree;
import dev.vertlet.sandbox.Pods;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxException.Reason;
import dev.vertlet.sandbox.pool.claim.ClaimRequest;
import dev.vertlet.sandbox.pool.claim.Sandbox;
import dev.vertlet.testing.FakeCluster;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PoolVerticleTest {
  private static final String IDLE = "pause:3.10";

  @AutoClose private final FakeCluster cluster = FakeCluster.start();

  @SuppressWarnings("NullAway.Init") // set by deploy
  private PoolVerticle verticle;

  private String deployment = "";

  private void deploy(int size) {
    PoolSpec s = PoolSimulation.spec(size);
    PoolSpec spec =
        new PoolSpec(
            s.namespace(),
            s.name(),
            "",
            size,
            s.template(),
            "",
            Duration.ofSeconds(2),
            s.startupTimeout(),
            s.idleTimeout(),
            true);
    verticle =
        new PoolVerticle(
            List.of(spec),
            Pods.NAMES,
            cluster.kube(),
            new Digests(),
            cluster.env(Clock.systemUTC()));
    deployment = cluster.deploy(verticle);
  }

  /** A pool that is full of ready pods, which a kubelet would have made so. */
  private void ready(int size) {
    deploy(size);
    eventually(() -> assertThat(pods()).hasSize(size));
    pods().forEach(pod -> runs(pod, IDLE, "c-1"));
    eventually(() -> assertThat(status().ready()).isEqualTo(size));
  }

  private List<String> pods() {
    return get(cluster.objects().list("pods", "default")).stream().map(PodTree::name).toList();
  }

  /** What a kubelet reports. */
  private void runs(String pod, String image, String containerId) {
    JsonObject status =
        new JsonObject()
            .put("phase", "Running")
            .put(
                "conditions",
                new JsonArray().add(new JsonObject().put("type", "Ready").put("status", "True")))
            .put(
                "containerStatuses",
                new JsonArray()
                    .add(
                        new JsonObject()
                            .put("name", "main")
                            .put("image", image)
                            .put("imageID", "r@" + SimulatedPods.digestOf(image))
                            .put("containerID", containerId)
                            .put("ready", true)
                            .put("restartCount", 0)));
    cluster.patchStatus("pods", "default", pod, new JsonObject().put("status", status).encode());
  }

  private PoolStatus status() {
    return get(verticle.ask("pool", pool -> Future.succeededFuture(pool.status())));
  }

  private Future<Sandbox> claim(String id) {
    return verticle.ask("pool", pool -> pool.claim(ClaimRequest.of(id, "tool:1")));
  }

  private static Throwable refused(Future<?> future) {
    return get(
        future.transform(
            done -> Future.succeededFuture(Optional.ofNullable(done.cause()).orElseThrow())));
  }

  @Test
  void aSandboxComesAndGoes() {
    ready(2);

    Sandbox claimed = get(claim("s-1"));
    assertThat(claimed.phase()).isEqualTo("starting");
    runs(claimed.pod(), "tool:1", "c-2");
    Sandbox running =
        get(verticle.ask("pool", pool -> pool.await("s-1", "running", Duration.ofSeconds(20))));
    assertThat(running.phase()).isEqualTo("running");
    assertThat(running.startedAt()).isNotEmpty();
    assertThat(get(claim("s-1")).uid()).as("the same claim").isEqualTo(running.uid());
    get(verticle.ask("pool", pool -> pool.touch("s-1")));

    get(verticle.ask("pool", pool -> pool.release("s-1")));
    get(verticle.ask("pool", pool -> pool.release("s-1")));
    ObjectNode stopping = cluster.pod(claimed.pod());
    assertThat(PodTree.label(stopping, Pods.NAMES.phase())).isEqualTo("stopping");
    assertThat(PodTree.image(stopping, "main")).isEqualTo(IDLE);
    assertThat(PodTree.annotation(stopping, Pods.NAMES.stopReason())).isEqualTo("Released");
    runs(claimed.pod(), IDLE, "c-3");

    eventually(() -> assertThat(status().ready()).isEqualTo(2));
    ObjectNode idle = cluster.pod(claimed.pod());
    assertThat(PodTree.uid(idle)).isEqualTo(claimed.uid());
    assertThat(PodTree.label(idle, Pods.NAMES.id())).isEmpty();
    assertThat(PodTree.hasAnnotation(idle, Pods.NAMES.stopReason())).isFalse();
    get(verticle.ask("pool", pool -> pool.release("s-1")));
    assertThat(
            SandboxException.is(
                refused(verticle.ask("pool", pool -> pool.release("unknown"))), Reason.NOT_FOUND))
        .isTrue();
  }

  @Test
  @Tag("B43")
  void b43AHundredPodsServeAHundredOfFiveHundredClaims() {
    ready(100);
    List<Future<Sandbox>> claims = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      claims.add(claim("s-" + i));
    }

    Set<String> taken = new HashSet<>();
    int refused = 0;
    for (Future<Sandbox> claim : claims) {
      Optional<Sandbox> got = get(claim.map(Optional::of).otherwise(Optional.empty()));
      if (got.isPresent()) {
        assertThat(taken.add(got.get().uid())).as("no pod twice").isTrue();
      } else {
        assertThat(claim.cause()).hasMessage("no idle sandboxes available for creating");
        refused++;
      }
    }

    assertThat(taken).hasSize(100);
    assertThat(refused).isEqualTo(400);
  }

  @Test
  @Tag("B44")
  void b44ConflictsAreOvercome() {
    ready(100);
    Set<String> unlucky = ConcurrentHashMap.newKeySet();
    unlucky.addAll(pods().subList(35, 65));
    cluster
        .faults()
        .on(
            request ->
                request.isWrite()
                    && request.resource().equals("pods")
                    && unlucky.remove(request.name()))
        .conflict();

    Set<String> taken = new HashSet<>();
    List<Future<Sandbox>> claims = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String id = "s-" + i;
      claims.add(
          verticle.ask(
              "pool",
              pool ->
                  pool.claim(
                      new ClaimRequest(
                          id,
                          Map.of("", "tool:1"),
                          Map.of(),
                          Map.of(),
                          Duration.ofSeconds(20),
                          null,
                          null))));
    }
    claims.forEach(claim -> taken.add(get(claim).uid()));

    assertThat(taken).hasSize(100);
    assertThat(unlucky).as("whose write did not fail once").isEmpty();
  }

  @Test
  @Tag("B46")
  void b46AClaimThatWaitsHasThePodThatIsGivenBack() {
    ready(1);
    Sandbox first = get(claim("s-1"));
    runs(first.pod(), "tool:1", "c-2");
    Future<Sandbox> waiting =
        verticle.ask(
            "pool",
            pool ->
                pool.claim(
                    new ClaimRequest(
                        "s-2",
                        Map.of("", "tool:1"),
                        Map.of("team", "a"),
                        Map.of(),
                        Duration.ofSeconds(20),
                        null,
                        null)));

    get(verticle.ask("pool", pool -> pool.release("s-1")));
    runs(first.pod(), IDLE, "c-3");

    Sandbox second = get(waiting);
    assertThat(second.uid()).isEqualTo(first.uid());
    assertThat(PodTree.label(cluster.pod(second.pod()), "team")).isEqualTo("a");
  }

  @Test
  @Tag("B58")
  void b58WhoBeginsAnewGoesOnWhereTheOtherOneEnded() {
    ready(1);
    Sandbox claimed = get(claim("s-1"));
    cluster.undeploy(deployment);
    runs(claimed.pod(), "tool:1", "c-2");
    assertThat(PodTree.label(cluster.pod(claimed.pod()), Pods.NAMES.phase())).isEqualTo("starting");

    deploy(1);

    eventually(
        () ->
            assertThat(PodTree.label(cluster.pod(claimed.pod()), Pods.NAMES.phase()))
                .isEqualTo("running"));
    assertThat(get(claim("s-1")).uid()).isEqualTo(claimed.uid());
    assertThat(
            Pods.state(cluster.pod(claimed.pod()))
                .at("/stableContainerStatuses/main/containerID")
                .asText())
        .isEqualTo("c-2");
  }

  @Test
  void aPodThatFailsIsReplacedAndItsSandboxEnds() {
    ready(1);
    Sandbox claimed = get(claim("s-1"));
    cluster.patchStatus("pods", "default", claimed.pod(), "{\"status\": {\"phase\": \"Failed\"}}");

    eventually(() -> assertThat(pods()).hasSize(1).first().isNotEqualTo(claimed.pod()));
  }

  @Test
  void whoEndsTellsAllWhoWait() {
    deploy(0);
    Future<Sandbox> waiting = claim("s-1");

    cluster.undeploy(deployment);

    assertThat(refused(waiting)).hasMessage("no idle sandboxes available for creating");
    assertThat(
            SandboxException.is(
                refused(verticle.ask("other", pool -> Future.succeededFuture(1))),
                Reason.NOT_FOUND))
        .isTrue();
  }

  @Test
  void whatNoPodCouldBeIsRefusedAtOnce() {
    deploy(0);
    for (ClaimRequest bad :
        List.of(
            ClaimRequest.of("not a label", "tool:1"),
            ClaimRequest.of("", "tool:1"),
            new ClaimRequest("s", Map.of(), Map.of(), Map.of(), null, null, null),
            new ClaimRequest("s", Map.of("", "t"), Map.of("app", "x"), Map.of(), null, null, null),
            new ClaimRequest(
                "s",
                Map.of("", "t"),
                Map.of(Pods.NAMES.pool(), "x"),
                Map.of(),
                null,
                null,
                null))) {
      assertThat(refused(verticle.ask("pool", pool -> pool.claim(bad))))
          .isInstanceOf(SandboxException.class);
    }
    assertThat(cluster.writes("pods")).isZero();
  }

  /** As {@link SimulatedPods#digestOf}. */
  private static final class Digests implements DigestResolver {
    @Override
    public Future<Optional<String>> digest(String image, Credentials credentials) {
      return Future.succeededFuture(Optional.of(SimulatedPods.digestOf(image)));
    }

    @Override
    public Future<Set<String>> configDigests(String image, Credentials credentials) {
      return Future.succeededFuture(Set.of());
    }
  }
}
