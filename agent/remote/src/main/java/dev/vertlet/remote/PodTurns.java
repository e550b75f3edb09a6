package dev.vertlet.remote;

import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Lets calls of one pod wait for one another. Confined to one context. */
final class PodTurns {
  /** Last call of each pod that has one in progress, by UID. */
  private final Map<String, Future<?>> last = new HashMap<>();

  /** Makes a call once the pod's calls before it have ended, however they ended. */
  <T> Future<T> inTurn(String uid, Supplier<Future<T>> call) {
    Future<?> before = last.get(uid);
    Future<T> own =
        before == null || before.isComplete() ? call.get() : before.transform(done -> call.get());
    last.put(uid, own);
    return own.onComplete(done -> last.remove(uid, own));
  }
}
