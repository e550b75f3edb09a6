package dev.vertlet.content.file;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Directories of pods, from the removal of a pod's sandbox or of the pod to that of its files.
 * Confined to the shard's loop.
 */
public final class PodDirectories {
  private final ContentOptions options;

  /** Pods whose directory goes with their sandbox. */
  private final Set<String> leaving = new HashSet<>();

  /** Pods whose files are being removed with their sandbox. */
  private final Set<String> ending = new HashSet<>();

  public PodDirectories(ContentOptions options) {
    this.options = options;
  }

  public PodDirectory of(String uid) {
    return new PodDirectory(options.podsDir(), uid);
  }

  /** Whether the files of the pod are being removed with its sandbox. */
  public boolean isEnding(String uid) {
    return ending.contains(uid);
  }

  /** The pod's directory is to go with its sandbox. */
  public void leaves(String uid) {
    leaving.add(uid);
  }

  /**
   * Removes what belonged to a sandbox that is gone, and the whole directory if the pod leaves.
   *
   * @param known whether the pod may get another sandbox
   */
  public Future<Void> ended(String uid, boolean known, FileTasks files) {
    ending.add(uid);
    PodDirectory directory = of(uid);
    Future<Void> removed =
        leaving.remove(uid) || !known
            ? remove(uid, files)
            : run(uid, files, () -> directory.clear(options.memory()));
    return removed.onComplete(done -> ending.remove(uid));
  }

  public Future<Void> remove(String uid, FileTasks files) {
    PodDirectory directory = of(uid);
    return run(uid, files, () -> directory.remove(options.memory()));
  }

  private interface FileTask {
    void run() throws IOException;
  }

  private static Future<Void> run(String uid, FileTasks files, FileTask task) {
    return files.run(
        uid,
        () -> {
          task.run();
          return null;
        });
  }

  /** Returns the pods that have a directory and are not known. */
  public Future<List<PodDirectory.Found>> orphans(Predicate<String> known, FileTasks files) {
    return files
        .run(() -> PodDirectory.all(options.podsDir()))
        .map(all -> all.stream().filter(one -> !known.test(one.pod().uid())).toList());
  }
}
