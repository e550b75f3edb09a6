package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.loop.Env;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.sandbox.DigestResolver;
import dev.vertlet.sandbox.PodApi;
import dev.vertlet.sandbox.PodTree;
import dev.vertlet.sandbox.Pods;
import dev.vertlet.sandbox.SandboxOperations;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/** A pool as its process has it: behind a network, with a watch that lags, and mortal. */
final class SimulatedController implements PodApi, CoreLoop, SimulatedPods.Watcher {
  private final FakeLoop world;
  private final SimulatedPods server;
  private final Random random;
  private final PoolMutant mutant;
  private final int trouble;
  private final Pool pool;
  private boolean dead;
  private long watched;

  /**
   * @param trouble of a hundred requests so many fail
   */
  SimulatedController(
      PoolSpec spec,
      FakeLoop world,
      SimulatedPods server,
      Random random,
      PoolMutant mutant,
      int trouble,
      MeterRegistry metrics) {
    this.world = world;
    this.server = server;
    this.random = random;
    this.mutant = mutant;
    this.trouble = trouble;
    Env env = new Env(world, () -> 0, random, metrics);
    SandboxOperations operations = new SandboxOperations(this, Pods.NAMES, this, env).trusting();
    this.pool = new Pool(spec, operations, this, new Digests(), this, env);
  }

  Pool pool() {
    return pool;
  }

  /** Lists what there is, as a reflector does, and goes on from there. */
  void start() {
    for (ObjectNode pod : server.all()) {
      upserted(pod);
    }
    watch(pool::synced);
  }

  void die() {
    dead = true;
  }

  boolean isDead() {
    return dead;
  }

  /** In order, and late. */
  private void watch(Runnable event) {
    watched = Math.max(watched, world.millis() + random.nextInt(40));
    setTimer(Math.max(1, watched - world.millis()), event);
  }

  @Override
  public void upserted(JsonNode pod) {
    watch(() -> pool.upserted(pod));
  }

  @Override
  public void deleted(String uid) {
    if (mutant != PoolMutant.DEAF_TO_DELETIONS) {
      watch(() -> pool.deleted(uid));
    }
  }

  @Override
  public Future<ObjectNode> get(String namespace, String name) {
    return call(false, () -> server.get(name));
  }

  @Override
  public Future<ObjectNode> update(JsonNode pod) {
    return call(true, () -> server.update(mutant.update(pod, server)));
  }

  @Override
  public Future<ObjectNode> patch(String namespace, String name, ObjectNode patch) {
    return call(
        true, () -> server.update(mutant.update(Pods.patched(server.get(name), patch), server)));
  }

  @Override
  public Future<ObjectNode> create(String namespace, JsonNode pod) {
    return call(true, () -> server.create(pod));
  }

  @Override
  public Future<Void> delete(JsonNode pod) {
    return call(
        true,
        () -> {
          server.delete(PodTree.name(pod), PodTree.resourceVersion(pod));
          return null;
        });
  }

  /** A request takes its time, and may fail on the way there or on the way back. */
  private <T> Future<T> call(boolean write, Supplier<T> request) {
    Promise<T> answer = Promise.promise();
    boolean lost = random.nextInt(100) < trouble;
    int fate = random.nextInt(write ? 4 : 2);
    world.setTimer(
        1 + random.nextInt(8),
        () -> {
          if (dead && random.nextBoolean()) {
            return; // it never left the process
          }
          T done = null;
          KubeException failure = null;
          if (lost && fate == 0) {
            failure = SimulatedPods.failure(Kind.SERVER_ERROR, 500);
          } else if (lost && fate == 1 && write) {
            failure = SimulatedPods.failure(Kind.CONFLICT, 409);
          } else {
            try {
              done = request.get();
            } catch (KubeException e) {
              failure = e;
            }
            if (lost && failure == null) {
              failure = SimulatedPods.failure(Kind.TIMEOUT, 0);
            }
          }
          T result = done;
          KubeException why = failure;
          setTimer(
              1 + random.nextInt(8),
              () -> {
                if (why == null) {
                  answer.complete(result);
                } else {
                  answer.fail(why);
                }
              });
        });
    return answer.future();
  }

  // ---- the loop of the process: nothing runs on it once it is dead

  @Override
  public void run(Runnable task) {
    if (!dead) {
      task.run();
    }
  }

  @Override
  public void later(Runnable task) {
    world.later(() -> run(task));
  }

  @Override
  public long setTimer(long delayMillis, Runnable task) {
    return world.setTimer(delayMillis, () -> run(task));
  }

  @Override
  public void cancelTimer(long id) {
    world.cancelTimer(id);
  }

  private final class Digests implements DigestResolver {
    @Override
    public Future<Optional<String>> digest(String image, Credentials credentials) {
      boolean silent = random.nextInt(100) < trouble;
      return Future.succeededFuture(
          silent ? Optional.empty() : Optional.of(SimulatedPods.digestOf(image)));
    }

    @Override
    public Future<Set<String>> configDigests(String image, Credentials credentials) {
      return Future.succeededFuture(Set.of());
    }
  }
}
