package dev.vertlet.sources;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects changes of directories. Only a hint that saves the wait for the next reading: the
 * readings also find changes in a directory that cannot be watched (it does not exist yet, the
 * system's limit is reached). Confined to one context.
 */
final class DirectoryWatch {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryWatch.class);

  /**
   * Polling interval; a poll costs no system call. A change is reported at the first poll without
   * another change in its directory, so that half-written files are not read.
   */
  private static final long LOOK_MILLIS = 250;

  private final Vertx vertx;
  private final WatchService service;
  private final long timer;
  private final Map<Path, Watched> watched = new HashMap<>();
  private final Map<WatchKey, Watched> byKey = new HashMap<>();
  private final Set<Watched> dirty = new LinkedHashSet<>();
  private boolean logged;

  private static final class Watched {
    private final List<Runnable> changed = new ArrayList<>();
    private @Nullable WatchKey key;
    private boolean registering;

    boolean alive() {
      WatchKey now = key;
      return registering || (now != null && now.isValid());
    }
  }

  private DirectoryWatch(Vertx vertx, WatchService service) {
    this.vertx = vertx;
    this.service = service;
    this.timer = vertx.setPeriodic(LOOK_MILLIS, id -> look());
  }

  /**
   * Opens a watch service.
   *
   * @return completes on the current context; fails if the system has no watches
   */
  static Future<DirectoryWatch> open(Vertx vertx) {
    return vertx
        .executeBlocking(() -> FileSystems.getDefault().newWatchService(), false)
        .map(service -> new DirectoryWatch(vertx, service));
  }

  /**
   * Calls {@code changed} when the directory has changed, once {@link #refresh} has found the
   * directory.
   */
  void add(Path directory, Runnable changed) {
    watched.computeIfAbsent(directory, unknown -> new Watched()).changed.add(changed);
  }

  /** Ends the calls that {@link #add} began; a directory without callers is no longer watched. */
  void remove(Path directory, Runnable changed) {
    Watched each = watched.get(directory);
    if (each == null || !each.changed.remove(changed) || !each.changed.isEmpty()) {
      return;
    }
    watched.remove(directory);
    dirty.remove(each);
    if (each.key != null) {
      byKey.remove(each.key);
      each.key.cancel();
    }
  }

  /** Watches a directory that is not watched yet: it may have been created, or recreated. */
  void refresh(Path directory) {
    Watched each = watched.get(directory);
    if (each == null || each.alive()) {
      return;
    }
    each.registering = true;
    vertx
        .executeBlocking(() -> register(directory), false)
        .onComplete(
            answer -> {
              each.registering = false;
              if (answer.failed()) {
                failed(answer.cause());
              } else if (answer.result() != null) {
                registered(each, answer.result());
              }
            });
  }

  /** Blocks; returns null if the path is not a directory. */
  private @Nullable WatchKey register(Path directory) throws IOException {
    return Files.isDirectory(directory)
        ? directory.register(service, ENTRY_CREATE, ENTRY_MODIFY, ENTRY_DELETE)
        : null;
  }

  private void registered(Watched each, WatchKey key) {
    if (each.changed.isEmpty()) {
      key.cancel();
      return;
    }
    each.key = key;
    byKey.put(key, each);
    // changes between the last reading and now would be missed
    dirty.add(each);
  }

  private void failed(Throwable failure) {
    if (!logged) {
      logged = true;
      LOG.atWarn()
          .addKeyValue("error", String.valueOf(failure))
          .log("manifest directory cannot be watched; polling it");
    }
  }

  private void look() {
    List<WatchKey> signalled = new ArrayList<>();
    for (WatchKey key = service.poll(); key != null; key = service.poll()) {
      signalled.add(key);
    }
    Set<Watched> busy = new HashSet<>();
    for (WatchKey key : signalled) {
      key.pollEvents();
      // the key may be signalled again from here on: the next poll sees that
      Watched each = key.reset() ? byKey.get(key) : byKey.remove(key);
      if (each != null) {
        busy.add(each);
      }
    }
    List<Watched> settled = dirty.stream().filter(each -> !busy.contains(each)).toList();
    dirty.addAll(busy);
    settled.forEach(dirty::remove);
    settled.forEach(each -> each.changed.forEach(Runnable::run));
  }

  Future<Void> close() {
    vertx.cancelTimer(timer);
    return vertx.executeBlocking(
        () -> {
          service.close();
          return null;
        },
        false);
  }
}
