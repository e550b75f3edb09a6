package dev.vertlet.stages.cluster;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.client.ApiResource;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.JsonTreeDecoder;
import dev.vertlet.stages.play.Answer;
import dev.vertlet.stages.play.LifeCycle;
import dev.vertlet.stages.play.Player;
import dev.vertlet.stages.play.StageObject;
import dev.vertlet.stages.play.Write;
import dev.vertlet.stages.spec.ResourceRef;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays the stages of one kind: waits for the kind and the permissions, watches its objects, keeps
 * the timer of the next one. Confined to the verticle's context.
 */
final class KindPlayer {
  private static final Logger LOG = LoggerFactory.getLogger(KindPlayer.class);

  /** Interval at which a missing kind or permission is looked for. */
  private static final Duration LOOK = Duration.ofSeconds(2);

  private static final int WINDOW = 256;

  private static final Duration REREAD = Duration.ofSeconds(1);

  private final StageServices services;
  private final ResourceRef kind;
  private final Scope scope;
  private final Player player;
  private final Promise<Void> ready = Promise.promise();
  private LifeCycle lifeCycle;
  private @Nullable ApiResource resource;
  private @Nullable Reflector<StageObject> reflector;
  private Future<?> restarting = Future.succeededFuture();
  private boolean again;
  private boolean changed;
  private boolean stopped;
  private boolean soon;
  private long timer = -1;
  private Instant timerAt = Instant.MAX;
  private String complaint = "";

  KindPlayer(StageServices services, ResourceRef kind, LifeCycle lifeCycle, Scope scope) {
    this.services = services;
    this.kind = kind;
    this.scope = scope;
    this.lifeCycle = lifeCycle;
    this.player =
        new Player(
            new Player.Settings(kind.toString(), services.seed(), WINDOW),
            lifeCycle,
            services.clock(),
            services.journal(),
            new Player.Sender() {
              @Override
              public void rendering(StageObject object) {
                scope.rendering(object);
              }

              @Override
              public void send(StageObject object, Write write, boolean whole) {
                KindPlayer.this.send(object, write, whole);
              }
            });
  }

  ResourceRef kind() {
    return kind;
  }

  Player player() {
    return player;
  }

  /** Begins; completes when the objects of the kind have been listed, however late. */
  Future<Void> start() {
    look();
    return ready.future();
  }

  /** Completes as {@link #start} does. */
  Future<Void> listed() {
    return ready.future();
  }

  private void look() {
    if (stopped) {
      return;
    }
    services
        .catalog()
        .find(kind.apiGroup(), kind.kind())
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture(
                        List.of("the API server does not have the kind; waiting for it"))
                    : AccessCheck.denied(services.kube(), found.get(), lifeCycle)
                        .map(denied -> permitted(found.get(), denied)))
        .onSuccess(this::looked)
        .onFailure(failure -> later(KubeException.from(failure).recovery().name(), false));
  }

  private List<String> permitted(ApiResource found, List<String> denied) {
    resource = found;
    return denied.isEmpty()
        ? List.of()
        : List.of(
            "this agent lacks the permissions "
                + denied
                + (found.group().isEmpty() ? "" : " of the group " + found.group()));
  }

  private void looked(List<String> obstacles) {
    if (stopped) {
      return;
    }
    if (!obstacles.isEmpty()) {
      later(obstacles.get(0), true);
      return;
    }
    LOG.info("playing {} stages of {}", lifeCycle.stages().size(), kind);
    complaint = "";
    watch();
  }

  private void later(String why, boolean tell) {
    if (tell && !why.equals(complaint)) {
      complaint = why;
      LOG.warn("stages of {} are not played: {}", kind, why);
    }
    services.vertx().setTimer(LOOK.toMillis(), id -> look());
  }

  /** Uses other stages from now on. */
  void use(LifeCycle next) {
    if (next.sameAs(lifeCycle)) {
      return;
    }
    lifeCycle = next;
    player.use(next);
    if (reflector != null) {
      changed = true;
      relist();
    }
  }

  /** Plays an object that was not this agent's before. */
  void take(StageObject object) {
    player.upserted(object);
    runSoon();
  }

  /** Does not play an object any more. */
  void leave(String uid) {
    player.deleted(uid);
  }

  /** Delivers all objects once more: the owner of some has changed, or the stages have. */
  void relist() {
    if (reflector == null) {
      return;
    }
    if (!restarting.isComplete()) {
      again = true;
      return;
    }
    restarting =
        reflector
            .stop()
            .onComplete(
                v -> {
                  again = false;
                  if (changed) {
                    // other stages may need other permissions
                    changed = false;
                    look();
                  } else if (!stopped) {
                    watch();
                  }
                });
  }

  private void watch() {
    ApiResource found = resource;
    if (found == null) {
      throw new IllegalStateException("a kind is watched once it was found");
    }
    player.relisting();
    scope.relisting();
    Reflector<StageObject> next =
        new Reflector<>(
            services.kube(),
            ListWatch.of(kind.kind() + " objects with stages", found.all(), decoder())
                .withFieldSelector(scope.fieldSelector())
                .withLabelSelector(joined(scope.labelSelector(), lifeCycle.labelSelector())),
            new Objects(),
            Reflector.DEFAULT_BACKOFF,
            services.random());
    reflector = next;
    Future<Void> listed = next.start();
    restarting = listed;
    listed.onComplete(
        v -> {
          if (again && !stopped) {
            again = false;
            relist();
          }
        });
  }

  /** A pod's deletion is played without looking at more than its metadata. */
  private JsonTreeDecoder<StageObject> decoder() {
    return kind.equals(ResourceRef.POD)
        ? JsonTreeDecoder.lazy(StageObject::of)
        : new JsonTreeDecoder<>(StageObject::of);
  }

  private static String joined(String one, String other) {
    return one.isEmpty() || other.isEmpty() ? one + other : one + "," + other;
  }

  private final class Objects implements ReflectorListener<StageObject> {
    @Override
    public void upserted(StageObject object) {
      try {
        scope.observed(object);
        if (scope.owns(object)) {
          player.upserted(object);
          runSoon();
        } else {
          player.deleted(object.uid());
        }
      } catch (DecodeException e) {
        LOG.warn("no stage of {} {} is played: {}", kind, object.key(), e.getMessage());
        player.deleted(object.uid());
      }
    }

    @Override
    public void deleted(Tombstone object) {
      player.deleted(object.uid());
      scope.gone(object.uid());
    }

    @Override
    public void synced() {
      for (String uid : player.synced()) {
        scope.gone(uid);
      }
      ready.tryComplete();
      runSoon();
    }
  }

  private void send(StageObject object, Write write, boolean whole) {
    ApiResource to = resource;
    if (to == null) {
      throw new IllegalStateException("a kind is played once it was found");
    }
    if (!scope.owns(object)) {
      // another agent's by now
      answer(object, new Answer.Stale());
      return;
    }
    services
        .sender()
        .send(to, object, write, whole, player.failures(object))
        .onSuccess(answer -> answer(object, answer));
  }

  private void answer(StageObject object, Answer answer) {
    services
        .context()
        .runOnContext(
            v -> {
              player.answered(object, answer);
              if (answer instanceof Answer.Stale) {
                rereadLater(object);
              }
              runNow();
            });
  }

  /** The watch brings the version that made a write stale, unless there is none. */
  private void rereadLater(StageObject object) {
    ApiResource from = resource;
    if (from == null) {
      return;
    }
    services
        .vertx()
        .setTimer(
            REREAD.toMillis(),
            id ->
                services
                    .kube()
                    .send(
                        KubeRequest.get(
                            Lane.REST, from.object(object.namespace(), object.name(), "")))
                    .map(response -> JsonTreeDecoder.tree(response.body()))
                    .map(StageObject::of)
                    .onSuccess(
                        read ->
                            services
                                .context()
                                .runOnContext(
                                    v -> {
                                      player.reread(read);
                                      runNow();
                                    })));
  }

  /** Runs once for all events of one turn of the loop. */
  private void runSoon() {
    if (!soon) {
      soon = true;
      services.context().runOnContext(v -> runNow());
    }
  }

  private void runNow() {
    soon = false;
    if (stopped) {
      return;
    }
    player.run();
    Instant due = player.nextDue();
    if (due == null || timer >= 0 && !due.isBefore(timerAt)) {
      return;
    }
    if (timer >= 0) {
      services.vertx().cancelTimer(timer);
    }
    timerAt = due;
    long millis = Duration.between(services.clock().instant(), due).plusNanos(999_999).toMillis();
    timer =
        services
            .vertx()
            .setTimer(
                Math.max(1, millis),
                id -> {
                  timer = -1;
                  runNow();
                });
  }

  /** Ends; writes in flight may still take effect. */
  Future<Void> stop() {
    stopped = true;
    if (timer >= 0) {
      services.vertx().cancelTimer(timer);
      timer = -1;
    }
    return reflector == null ? Future.succeededFuture() : reflector.stop();
  }
}
