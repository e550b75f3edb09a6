package dev.vertlet.configsync;

import dev.vertlet.configsync.ConfigAction.Operation;
import dev.vertlet.configsync.ConfigEvent.Answer;
import dev.vertlet.configsync.ConfigTarget.Change;
import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.configsync.store.CheckpointStore;
import dev.vertlet.configsync.store.StoredMeta;
import dev.vertlet.model.reference.DataView;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Performs the operations of one node's {@link ConfigSync}, which ensures one at a time. Confined
 * to the verticle's context; the store is used on worker threads.
 *
 * @param <C> type of a decoded payload
 */
final class ConfigOperations<C> {
  private final String node;
  private final CheckpointStore store;
  private final ConfigTarget<C> target;
  private final ConfigMaps maps;
  private final LoadTurns turns;
  private final WorkerExecutor workers;
  private Change change = Change.NONE;
  private @Nullable C loaded;

  /**
   * @param turns limits the payloads that are decoded at the same time
   * @param workers for blocking calls of the store
   */
  ConfigOperations(
      String node,
      CheckpointStore store,
      ConfigTarget<C> target,
      ConfigMaps maps,
      LoadTurns turns,
      WorkerExecutor workers) {
    this.node = node;
    this.store = store;
    this.target = target;
    this.maps = maps;
    this.turns = turns;
    this.workers = workers;
  }

  Future<StoredMeta> open(Instant now) {
    return worker(() -> store.open(now));
  }

  /** What the last {@link ConfigAction.Apply} changed. */
  Change change() {
    return change;
  }

  /** Performs an operation; the Future always succeeds, with the answer. */
  Future<Answer> perform(Operation operation) {
    if (operation instanceof ConfigAction.Download download) {
      return maps.get(download.source().object())
          .map(ConfigOperations::downloaded)
          .otherwise(failure -> new ConfigEvent.DownloadFailed(text(failure)));
    }
    if (operation instanceof ConfigAction.Load load) {
      return load(load.source());
    }
    if (operation instanceof ConfigAction.Apply apply) {
      return apply(apply.source());
    }
    return this.<Answer>worker(() -> write(operation))
        .otherwise(failure -> new ConfigEvent.WriteFailed(text(failure)));
  }

  private static Answer downloaded(DataView found) {
    return new ConfigEvent.Downloaded(
        found.uid(), Long.toString(found.resourceVersion()), found.data());
  }

  /** Blocks. */
  private Answer write(Operation operation) throws IOException {
    if (operation instanceof ConfigAction.SaveCheckpoint save) {
      return new ConfigEvent.Saved(store.save(save.source(), save.data()));
    }
    if (operation instanceof ConfigAction.RepairCheckpoint repair) {
      return new ConfigEvent.Saved(store.repair(repair.source(), repair.data()));
    }
    if (operation instanceof ConfigAction.WriteAssigned write) {
      return new ConfigEvent.Written(store.writeAssigned(write.source()));
    }
    if (operation instanceof ConfigAction.WriteLastKnownGood write) {
      store.writeLastKnownGood(write.source());
      return new ConfigEvent.Written(null);
    }
    throw new IllegalStateException("not a write: " + operation);
  }

  private Future<Answer> load(ResolvedSource source) {
    return turns
        .take(() -> worker(() -> loadNow(source)))
        .eventually(() -> worker(this::sync).otherwiseEmpty())
        .<Answer>map(
            config -> {
              loaded = config;
              return new ConfigEvent.Loaded();
            })
        .otherwise(failure -> rejected(failure, ConfigError.LOAD));
  }

  /** Blocks. After an {@link Error} the effect of the payload is unknown: the mark stays. */
  private C loadNow(ResolvedSource source) throws IOException {
    byte[] payload = store.read(source);
    store.loading(source);
    try {
      C config = target.load(node, source.toString(), payload, store.directory(source));
      store.loaded(source);
      return config;
    } catch (RuntimeException e) {
      store.loaded(source);
      throw e;
    }
  }

  private @Nullable Void sync() throws IOException {
    store.sync();
    return null;
  }

  private Future<Answer> apply(@Nullable ResolvedSource source) {
    return target
        .apply(node, source == null ? null : loaded)
        .<Answer>map(
            done -> {
              change = done;
              return new ConfigEvent.Applied();
            })
        .otherwise(failure -> rejected(failure, ConfigError.INTERNAL));
  }

  private static Answer rejected(Throwable failure, ConfigError other) {
    ConfigError error = failure instanceof ConfigRefusedException refused ? refused.error() : other;
    return new ConfigEvent.Rejected(error, text(failure));
  }

  /** Removes the checkpoints that neither the node nor its history needs. */
  Future<?> collect(@Nullable ResolvedSource active, int history, Instant now) {
    return worker(
        () -> {
          store.collect(active, history, now);
          return null;
        });
  }

  private <T> Future<T> worker(Callable<T> task) {
    return workers.executeBlocking(task, false);
  }

  static String text(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
