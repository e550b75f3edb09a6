package dev.vertlet.status;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.MIRROR_OBSERVED;
import static dev.vertlet.bus.Addresses.POD_DELETION;
import static dev.vertlet.bus.Addresses.POD_ENQUEUED;
import static dev.vertlet.bus.Addresses.POD_GONE;
import static dev.vertlet.bus.Addresses.POD_OBSERVED;
import static dev.vertlet.bus.Addresses.POD_REPORTED;
import static dev.vertlet.bus.Addresses.POD_STATS;
import static dev.vertlet.bus.Addresses.STATIC_POD_OBSERVED;

import dev.vertlet.bus.Bus;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import dev.vertlet.loop.VertxLoop;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the {@link StatusWriter} of one shard on an event loop and connects it to the bus. */
public final class StatusVerticle extends VerticleBase {
  /** Publication interval for the status page. */
  private static final long TOLD_MILLIS = 1_000;

  private final int shard;
  private final boolean brief;
  private final int window;
  private final KubeClient kube;
  private final Bus bus;
  private final Env env;
  private final boolean told;
  private StatusRetries retries = StatusRetries.DEFAULTS;

  @SuppressWarnings("NullAway.Init") // set by start
  private StatusWriter writer;

  private @Nullable PodJournal telling;

  /** Creates the verticle without {@code PodStats}. */
  public StatusVerticle(int shard, boolean brief, int window, KubeClient kube, Bus bus, Env env) {
    this(shard, brief, window, kube, bus, env, false);
  }

  /**
   * Creates the verticle.
   *
   * @param brief profile {@code fast}: removes the object of a deleted pod without writing its
   *     final status first
   * @param window maximum number of requests passed to the client; of statuses that wait longer,
   *     only the newest is written
   * @param told whether to publish {@code PodStats}
   */
  public StatusVerticle(
      int shard, boolean brief, int window, KubeClient kube, Bus bus, Env env, boolean told) {
    this.shard = shard;
    this.brief = brief;
    this.window = window;
    this.kube = kube;
    this.bus = bus;
    this.env = env;
    this.told = told;
  }

  /** Sets other retry policies; before the start. */
  public StatusVerticle retries(StatusRetries policies) {
    retries = policies;
    return this;
  }

  @Override
  public Future<?> start() {
    writer =
        new StatusWriter(
            brief,
            window,
            kube::scope,
            retries,
            new VertxLoop(vertx),
            env,
            new StatusMeters(env.meters())::notWritten);
    if (retries.equals(StatusRetries.DEFAULTS)) { // a policy of an embedding program stands
      kube.whenServerReturns(writer::serverReturned);
    }
    if (told) {
      PodJournal journal = new PodJournal(shard, env.nanos(), this::tellLater);
      writer.observer(journal);
      telling = journal;
    }
    return Future.all(
        List.of(
            bus.consume(POD_OBSERVED.shard(shard), m -> writer.observed(m.pod())).completion(),
            bus.consume(MIRROR_OBSERVED.shard(shard), m -> writer.mirrorObserved(m.pod()))
                .completion(),
            bus.consume(STATIC_POD_OBSERVED.shard(shard), m -> writer.staticObserved(m.pod().ref()))
                .completion(),
            bus.consume(POD_GONE.shard(shard), m -> writer.gone(m.pod())).completion(),
            bus.consume(POD_ENQUEUED.shard(shard), m -> writer.enqueued(m.pod())).completion(),
            bus.consume(POD_DELETION.shard(shard), m -> writer.deletion(m.pod(), m.wanted()))
                .completion(),
            bus.consume(POD_REPORTED.shard(shard), writer::reported).completion(),
            bus.consume(LEASE_ACQUIRED, m -> writer.acquired(m.node())).completion(),
            bus.consume(LEASE_LOST, m -> writer.lost(m.node())).completion()));
  }

  private void tellLater() {
    vertx.setTimer(TOLD_MILLIS, id -> tell());
  }

  private void tell() {
    if (telling != null) {
      bus.publish(POD_STATS, telling.tell(writer.writes()));
    }
  }

  /** Stops as {@link StatusWriter#leave} describes. */
  @Override
  public Future<?> stop() {
    return writer.leave();
  }
}
