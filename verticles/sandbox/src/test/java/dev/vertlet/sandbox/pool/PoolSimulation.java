package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubeException;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.sandbox.PodTree;
import dev.vertlet.sandbox.Pods;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.pool.claim.ClaimRequest;
import dev.vertlet.sandbox.pool.claim.PendingClaim;
import dev.vertlet.sandbox.pool.claim.Sandbox;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Claimers, a pool, pods and their troubles, for a while and until all is quiet. */
final class PoolSimulation {
  private static final String IDLE = "pause:3.10";

  private final FakeLoop world = new FakeLoop();
  private final Random random;
  private final SimulatedPods server;
  private final PoolSpec spec;
  private final PoolMutant mutant;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final int trouble;
  private final List<Claimer> claimers = new ArrayList<>();

  private SimulatedController controller;
  private boolean calm;
  int succeeded;
  int refused;

  PoolSimulation(long seed, int pods, int claimers, PoolMutant mutant) {
    this.random = new Random(seed);
    this.mutant = mutant;
    this.server = new SimulatedPods(world, random);
    this.trouble = random.nextInt(3) * 10;
    this.spec = spec(pods);
    this.controller = controller();
    for (int i = 0; i < claimers; i++) {
      this.claimers.add(new Claimer(i));
    }
  }

  static PoolSpec spec(int size) {
    ObjectNode template = Pods.JSON.createObjectNode();
    template.putObject("metadata").putObject("labels").put("app", "sandbox");
    template
        .putObject("spec")
        .putArray("containers")
        .addObject()
        .put("name", "main")
        .put("image", IDLE);
    return new PoolSpec(
        "default",
        "pool",
        "",
        size,
        template,
        "",
        Duration.ofSeconds(20),
        Duration.ofSeconds(60),
        // what nobody knows of any more, as its claimer and the process that served it are gone
        Duration.ofSeconds(90),
        true);
  }

  private SimulatedController controller() {
    return new SimulatedController(
        spec, world, server, random, mutant, calm ? 0 : trouble, metrics);
  }

  private void restart() {
    controller.die();
    metrics.clear();
    controller = controller();
    server.watchedBy(List.of(controller));
    controller.start();
    claimers.forEach(Claimer::controllerGone);
  }

  /** Runs it all; throws what does not hold. */
  void run() {
    server.watchedBy(List.of(controller));
    controller.start();
    claimers.forEach(claimer -> world.setTimer(1 + random.nextInt(4000), claimer::claim));
    int crashes = random.nextInt(3);
    for (int i = 0; i < crashes; i++) {
      world.setTimer(500 + random.nextInt(15_000), this::restart);
    }
    for (int i = 0; i < 4; i++) {
      world.setTimer(500 + random.nextInt(15_000), () -> disturb(random.nextInt(3)));
    }
    world.advance(Duration.ofSeconds(60));
    calm = true;
    restart();
    world.advance(Duration.ofSeconds(400));
    atRest();
  }

  private void disturb(int how) {
    List<ObjectNode> all = server.all();
    if (!all.isEmpty()) {
      String name = PodTree.name(all.get(random.nextInt(all.size())));
      switch (how) {
        case 0 -> server.restart(name);
        case 1 -> server.fail(name);
        default -> server.delete(name, 0);
      }
    }
  }

  private void atRest() {
    for (Claimer claimer : claimers) {
      if (!claimer.done) {
        throw new SimulatedPods.BrokenPool("claimer " + claimer.id() + " never got an answer");
      }
    }
    List<ObjectNode> all = server.all();
    PoolStatus status = controller.pool().status();
    if (all.size() != spec.size() || status.ready() != spec.size()) {
      throw new SimulatedPods.BrokenPool(
          "the pool is not full again: " + all.size() + " pods, " + status);
    }
    for (ObjectNode pod : all) {
      boolean clean =
          PodTree.label(pod, Pods.NAMES.phase()).equals("idle")
              && PodTree.image(pod, "main").equals(IDLE)
              && PodTree.label(pod, Pods.NAMES.id()).isEmpty()
              && !PodTree.hasAnnotation(pod, Pods.NAMES.claimedAt());
      if (!clean) {
        throw new SimulatedPods.BrokenPool("a pod is not as it was: " + pod);
      }
    }
    if (controller.pool().writing() != 0) {
      throw new SimulatedPods.BrokenPool("writes are under way");
    }
  }

  /** Claims, keeps what it gets for a while, and gives it back. */
  private final class Claimer {
    private final int number;
    private int round;
    private int turn;
    boolean done;
    private boolean holding;

    Claimer(int number) {
      this.number = number;
    }

    String id() {
      return "s-" + number + "-" + round;
    }

    /** Its connection is cut: it asks the next one, with the same id. */
    void controllerGone() {
      if (done) {
        return;
      }
      turn++;
      world.setTimer(1 + random.nextInt(500), holding ? this::release : this::claim);
    }

    void claim() {
      if (done || holding) {
        return;
      }
      int mine = ++turn;
      PendingClaim pending =
          controller
              .pool()
              .enter(ClaimRequest.of(id(), random.nextInt(10) == 0 ? IDLE : "tool:" + number % 3));
      pending
          .sandbox()
          .onComplete(
              result -> {
                if (mine != turn) {
                  return;
                }
                if (result.succeeded()) {
                  got(result.result());
                } else {
                  refusedBy(result.cause());
                }
              });
      if (random.nextInt(20) == 0) {
        world.setTimer(
            1 + random.nextInt(200),
            () -> {
              if (mine == turn && !holding) {
                pending.leave().run();
              }
            });
      }
    }

    private void got(Sandbox sandbox) {
      succeeded++;
      if (server.serves(sandbox.uid(), id())) { // it may have failed while the answer was under way
        String other = server.holders().put(sandbox.uid(), id());
        if (other != null && !other.equals(id())) {
          throw new SimulatedPods.BrokenPool(
              sandbox.pod() + " was given to " + id() + " while " + other + " has it");
        }
      }
      if (!sandbox.id().equals(id())) {
        throw new SimulatedPods.BrokenPool(id() + " got the sandbox of " + sandbox.id());
      }
      holding = true;
      world.setTimer(1 + random.nextInt(3000), this::release);
    }

    private void refusedBy(Throwable why) {
      refused++;
      if (!(why instanceof SandboxException) && !(why instanceof KubeException)) {
        throw new SimulatedPods.BrokenPool("no named error: " + why);
      }
      next();
    }

    void release() {
      if (!holding) {
        return;
      }
      int mine = ++turn;
      server.holders().values().removeIf(id()::equals);
      controller
          .pool()
          .release(id())
          .onComplete(
              result -> {
                if (mine != turn) {
                  return;
                }
                boolean gone =
                    SandboxException.is(result.cause(), SandboxException.Reason.NOT_FOUND);
                if (result.succeeded() || gone) {
                  holding = false;
                  next();
                } else {
                  world.setTimer(100, this::release);
                }
              });
    }

    private void next() {
      round++;
      turn++;
      if (round < 2 && !calm) {
        world.setTimer(1 + random.nextInt(500), this::claim);
      } else {
        done = true;
      }
    }
  }
}
