package dev.vertlet.process;

import dev.vertlet.host.logs.LogSession;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.process.shim.Exit;
import dev.vertlet.process.shim.ShimClient;
import dev.vertlet.process.shim.ShimState;
import dev.vertlet.process.store.StoredContainer;
import dev.vertlet.provider.container.ContainerRecord;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.net.NetSocket;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** One instance of a container. Used by the shard's loop alone. */
final class Instance implements LogSession.Writer {
  private final PodRef pod;
  private final StoredContainer stored;
  private final Path directory;
  private final Promise<ContainerRecord> start = Promise.promise();
  private final Promise<Void> end = Promise.promise();
  private ContainerStateView state = new Waiting("ContainerCreating", null);
  private @Nullable ShimState shim;
  private @Nullable NetSocket control;
  private long graceMillis = Long.MAX_VALUE;
  private boolean forgotten;

  Instance(PodRef pod, StoredContainer stored, Path directory) {
    this.pod = pod;
    this.stored = stored;
    this.directory = directory;
  }

  PodRef pod() {
    return pod;
  }

  StoredContainer stored() {
    return stored;
  }

  String id() {
    return stored.id();
  }

  Path directory() {
    return directory;
  }

  ContainerStateView state() {
    return state;
  }

  boolean running() {
    return state instanceof Running;
  }

  @Override
  public boolean ended() {
    return state instanceof Terminated;
  }

  /** Completes when the start is over; fails if the program could not be started. */
  Promise<ContainerRecord> start() {
    return start;
  }

  /** Completes when the container has ended and its listener was called. */
  Future<Void> end() {
    return end.future();
  }

  void endReported() {
    end.tryComplete();
  }

  /** Identity of its processes; null until they are started. */
  @Nullable ShimState shim() {
    return shim;
  }

  private void started(ShimState found) {
    shim = found;
    Instant at = found.startedAt();
    state = new Running(at == null ? null : at.truncatedTo(ChronoUnit.SECONDS));
  }

  /** Takes what was read from its directory. */
  void take(Launcher.Known known) {
    if (known.state() != null) {
      started(known.state());
    }
    if (known.exit() != null) {
      endedWith(known.exit());
    }
  }

  /** Returns whether it had not ended before. */
  boolean endedWith(Exit exit) {
    if (ended()) {
      return false;
    }
    state = exit.state(stored.id(), shim == null ? null : shim.startedAt());
    return true;
  }

  void connected(@Nullable NetSocket socket) {
    control = socket;
    if (socket != null && graceMillis != Long.MAX_VALUE) {
      socket.write(ShimClient.stop(graceMillis).encode());
    }
  }

  /** Ends the container, as soon as its shim can be reached. The shortest grace counts. */
  void stop(long grace) {
    graceMillis = Math.min(graceMillis, grace);
    if (control != null) {
      control.write(ShimClient.stop(grace).encode());
    }
  }

  /** Lets the container run on without this agent. */
  void forget() {
    forgotten = true;
    if (control != null) {
      control.close();
    }
  }

  @Override
  public boolean forgotten() {
    return forgotten;
  }

  ContainerRecord record() {
    return new ContainerRecord(
        stored.id(),
        stored.name(),
        stored.attempt(),
        stored.image(),
        stored.imageId(),
        state,
        null,
        null,
        stored.user());
  }
}
