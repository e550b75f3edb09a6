package dev.vertlet.content.file;

import dev.vertlet.loop.CoreLoop;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Runs the file tasks of pods on workers: those of one pod one after another, those of different
 * pods beside each other. Confined to its loop, on which results arrive.
 */
public final class FileTasks {
  private final CoreLoop loop;
  private final Workers workers;

  /** The newest task of each pod that has any. */
  private final Map<String, Future<?>> last = new HashMap<>();

  public FileTasks(CoreLoop loop, Workers workers) {
    this.loop = loop;
    this.workers = workers;
  }

  /** Runs tasks that may block. */
  public interface Workers {
    <T> Future<T> run(Callable<T> task);
  }

  /** Runs a task after all earlier ones of the pod, whether they succeeded or not. */
  public <T> Future<T> run(String uid, Callable<T> task) {
    Future<?> before = last.get(uid);
    Future<T> own =
        before == null
            ? loop.bring(workers.run(task))
            : before.transform(done -> loop.bring(workers.run(task)));
    if (!own.isComplete()) {
      last.put(uid, own);
      own.onComplete(done -> last.remove(uid, own));
    }
    return own;
  }

  /** Runs a task of no pod. */
  public <T> Future<T> run(Callable<T> task) {
    return loop.bring(workers.run(task));
  }
}
