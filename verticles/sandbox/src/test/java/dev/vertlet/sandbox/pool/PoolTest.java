package dev.vertlet.sandbox.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.sandbox.PodTree;
import dev.vertlet.sandbox.Pods;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxException.Reason;
import dev.vertlet.sandbox.pool.claim.ClaimRequest;
import dev.vertlet.sandbox.pool.claim.PendingClaim;
import dev.vertlet.sandbox.pool.claim.Sandbox;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pool before an API server and a kubelet that do as they are told, in virtual time. */
class PoolTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final FakeLoop world = new FakeLoop();
  private final Random random = new Random(1);
  private final SimulatedPods server = new SimulatedPods(world, random);
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final Changes changes = new Changes();

  /** Full of ready pods. */
  private Pool pool(int size) {
    SimulatedController controller =
        new SimulatedController(
            PoolSimulation.spec(size), world, server, random, PoolMutant.NONE, 0, metrics);
    server.watchedBy(List.of(controller, changes));
    controller.start();
    world.advance(PATIENCE);
    assertThat(controller.pool().status().ready()).isEqualTo(size);
    return controller.pool();
  }

  private static Future<Sandbox> claim(Pool pool, String id) {
    return pool.claim(ClaimRequest.of(id, "tool:1"));
  }

  private List<String> idle() {
    return server.all().stream()
        .filter(pod -> PodTree.label(pod, Pods.NAMES.phase()).equals("idle"))
        .map(PodTree::name)
        .toList();
  }

  @Test
  @Tag("B45")
  void b45AClaimThatIsTakenBackWhileItWaitsToBeWrittenTakesNoPod() {
    Pool pool = pool(Pool.WRITES + 1);
    List<Future<Sandbox>> claims = new ArrayList<>();
    for (int i = 0; i < Pool.WRITES; i++) {
      claims.add(claim(pool, "s-" + i));
    }
    PendingClaim entered = pool.enter(ClaimRequest.of("late", "tool:1"));
    Future<Sandbox> late = entered.sandbox();
    assertThat(pool.status().waiting()).as("each has its pod").isZero();
    assertThat(pool.status().ready()).as("and that is reserved").isZero();

    entered.leave().run();

    assertThat(SandboxException.is(late.cause(), Reason.NO_IDLE_PODS)).isTrue();
    assertThat(late.cause()).hasMessage("no idle sandboxes available for creating");
    world.advance(Duration.ofMillis(500));
    assertThat(claims).allMatch(Future::succeeded);
    assertThat(idle()).hasSize(1);
    assertThat(changes.of(idle().get(0), pod -> !PodTree.label(pod, Pods.NAMES.id()).isEmpty()))
        .as("never claimed, not even for a moment")
        .isEmpty();
    assertThat(pool.status().ready()).as("sooner than a reservation ends by itself").isEqualTo(1);
    Future<Sandbox> next = claim(pool, "next");
    world.advance(Duration.ofMillis(100));
    assertThat(next.result().pod()).isNotEmpty();
  }

  @Test
  @Tag("B45")
  void b45AClaimWhoseTimeIsOverMeanwhileTakesNoPodEither() {
    Pool pool = pool(Pool.WRITES + 1);
    for (int i = 0; i < Pool.WRITES; i++) {
      var unused = claim(pool, "s-" + i);
    }
    Future<Sandbox> late =
        pool.claim(
            new ClaimRequest(
                "late", Map.of("", "tool:1"), Map.of(), Map.of(), Duration.ZERO, null, null));

    world.advance(Duration.ofMillis(500));

    assertThat(SandboxException.is(late.cause(), Reason.NO_IDLE_PODS)).isTrue();
    assertThat(idle()).hasSize(1);
  }

  @Test
  @Tag("B46")
  void b46AClaimThatWaitsIsServedWithinASecondOfThePodsReturn() {
    Pool pool = pool(1);
    Future<Sandbox> first = claim(pool, "s-1");
    world.advance(Duration.ofSeconds(2));
    assertThat(pool.sandbox("s-1").orElseThrow().phase()).isEqualTo("running");
    List<Instant> served = new ArrayList<>();
    Future<Sandbox> waiting = claim(pool, "s-2").onSuccess(sandbox -> served.add(world.instant()));
    world.advance(Duration.ofSeconds(2));
    assertThat(waiting.isComplete()).isFalse();

    var unused = pool.release("s-1");
    world.advance(PATIENCE);

    assertThat(waiting.result().uid()).isEqualTo(first.result().uid());
    List<Instant> idle =
        changes.of(
            first.result().pod(),
            pod ->
                PodTree.label(pod, Pods.NAMES.phase()).equals("idle")
                    && PodTree.annotation(pod, Pods.NAMES.state()).contains("completed"));
    assertThat(idle).hasSize(1);
    assertThat(Duration.between(idle.get(0), served.get(0)))
        .isBetween(Duration.ZERO, Duration.ofSeconds(1));
  }

  /** When each pod became what. */
  private final class Changes implements SimulatedPods.Watcher {
    private record Change(Instant at, JsonNode pod) {}

    private final Map<String, List<Change>> all = new HashMap<>();

    List<Instant> of(String name, Predicate<JsonNode> matching) {
      return all.getOrDefault(name, List.of()).stream()
          .filter(change -> matching.test(change.pod()))
          .map(Change::at)
          .toList();
    }

    @Override
    public void upserted(JsonNode pod) {
      all.computeIfAbsent(PodTree.name(pod), name -> new ArrayList<>())
          .add(new Change(world.instant(), pod));
    }

    @Override
    public void deleted(String uid) {}
  }
}
