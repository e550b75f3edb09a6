package dev.vertlet.cri;

import dev.vertlet.cri.sandbox.LogPaths;
import dev.vertlet.cri.sandbox.PodCgroups;
import dev.vertlet.host.files.Directories;
import dev.vertlet.host.files.Workers;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes control groups and logs of pods that nothing else knows any more: an agent ended between
 * the end of a sandbox and that of what is around it. A pod has a directory for as long as it is on
 * the machine, so that pods of the agent's other shards are known by that; a group in which a
 * process runs stays, since the kernel removes none. Confined to the shard's loop.
 */
final class OrphanRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanRemoval.class);

  private final Predicate<String> known;
  private final PodCgroups cgroups;
  private final LogPaths logs;
  private final boolean ownLogs;
  private final Path podsDir;
  private final Workers workers;
  private boolean busy;

  /**
   * @param known whether the runtime was seen to have something of a pod, by its UID
   * @param ownLogs whether the directory of logs is the agent's alone; in another one, for example
   *     a kubelet's, logs of unknown pods are not touched
   */
  OrphanRemoval(
      Predicate<String> known,
      PodCgroups cgroups,
      LogPaths logs,
      boolean ownLogs,
      Path podsDir,
      Workers workers) {
    this.known = known;
    this.cgroups = cgroups;
    this.logs = logs;
    this.ownLogs = ownLogs;
    this.podsDir = podsDir;
    this.workers = workers;
  }

  /**
   * Removes what can be removed now. Called when the runtime has been listed.
   *
   * @return completes when that is done, also when something is left to the next time
   */
  Future<Void> sweep() {
    if (busy) {
      return Future.succeededFuture();
    }
    busy = true;
    return Future.join(sweepCgroups().recover(this::later), sweepLogs().recover(this::later))
        .<Void>mapEmpty()
        .onComplete(done -> busy = false);
  }

  private Future<Void> later(Throwable failure) {
    LOG.atDebug().setCause(failure).log("what pods have left is looked for again later");
    return Future.succeededFuture();
  }

  private Future<Void> sweepCgroups() {
    return cgroups
        .uids()
        .compose(this::gone)
        .compose(
            gone ->
                Future.join(
                    gone.stream()
                        .map(
                            uid ->
                                cgroups
                                    .remove(uid)
                                    .onSuccess(removed -> logRemoved("control group", uid)))
                        .toList()))
        .mapEmpty();
  }

  private Future<Void> sweepLogs() {
    if (!ownLogs) {
      return Future.succeededFuture();
    }
    return workers
        .call(logs::uids)
        .compose(
            found ->
                gone(new HashSet<>(found.values()))
                    .compose(gone -> workers.call(() -> delete(found, Set.copyOf(gone)))))
        .onSuccess(deleted -> deleted.forEach(uid -> logRemoved("log", uid)))
        .mapEmpty();
  }

  private static List<String> delete(Map<Path, String> found, Set<String> gone) throws IOException {
    List<String> deleted = new ArrayList<>();
    for (Map.Entry<Path, String> each : found.entrySet()) {
      if (gone.contains(each.getValue())) {
        Directories.delete(each.getKey());
        deleted.add(each.getValue());
      }
    }
    return deleted;
  }

  /** Of pods by their UIDs, those that are over. */
  private Future<List<String>> gone(Set<String> uids) {
    List<String> unknown = uids.stream().filter(known.negate()).toList();
    return unknown.isEmpty()
        ? Future.succeededFuture(unknown)
        : workers
            .call(
                () -> unknown.stream().filter(uid -> !Files.exists(podsDir.resolve(uid))).toList())
            .map(without -> without.stream().filter(known.negate()).toList());
  }

  private static void logRemoved(String what, String uid) {
    LOG.atInfo()
        .addKeyValue("what", what)
        .addKeyValue("uid", uid)
        .log("removed what a pod that is over has left");
  }
}
