package dev.vertlet.sources;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.Recovery;
import dev.vertlet.manifest.StaticPod;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to do about the mirror pod of one name: what the API server holds, and what it
 * should hold. Pure but for its own fields.
 *
 * <p>A mirror belongs to the static pod whose UID it carries. One that belongs to no static pod, or
 * to another version or another life of it, or that somebody deleted, is removed and made anew; the
 * static pod itself is never touched.
 */
final class MirrorEntry {
  /** What shall be done next. */
  sealed interface Step {
    /**
     * @param of UID of the static pod
     */
    record Create(String of, Buffer body) implements Step {}

    /** Remove the mirror now, only this UID. */
    record Delete(PodRef mirror) implements Step {}

    /** Nothing before {@code delay} has passed. */
    record Wait(Duration delay) implements Step {}

    /** Nothing before an event. */
    record Idle() implements Step {}
  }

  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 2, 0.2);

  /**
   * Of what the API server refuses, perhaps for good: a kubelet tries anew with each sync, which
   * comes once a minute or later.
   */
  private static final Backoff REFUSED =
      new Backoff(Duration.ofMillis(100), Duration.ofMinutes(1), 2, 0.2);

  /**
   * Between two creations: somebody who deletes mirrors as they come is no reason to be busy. Half
   * of the 2 s within which a mirror has to be back.
   */
  private static final Duration REST = Duration.ofSeconds(1);

  private static final Step IDLE = new Step.Idle();

  private final String node;
  private final String namespace;
  private final String name;

  private @Nullable StaticPod pod;
  private boolean ending;
  private @Nullable Seen seen;

  /** Mirrors that went while a request was in flight: its answer may be about one of them. */
  private final Set<String> goneMeanwhile = new HashSet<>();

  /** A mirror that was removed here: what the watch still says of it is old. */
  private String removedUid = "";

  private boolean busy;
  private boolean created;
  private long createdAt;
  private int failures;
  private boolean refused;
  private long due;

  /**
   * @param of UID of the static pod that it belongs to, empty when it shows a life that is over
   * @param over whether the pod was ended or refused as a whole
   */
  private record Seen(String uid, String of, boolean deleting, boolean over, long version) {
    Seen ofNobody() {
      return new Seen(uid, "", deleting, over, version);
    }
  }

  MirrorEntry(String node, String namespace, String name) {
    this.node = node;
    this.namespace = namespace;
    this.name = name;
  }

  String node() {
    return node;
  }

  String namespace() {
    return namespace;
  }

  String display() {
    return namespace + "/" + name;
  }

  /** The static pod of this name, new or changed. */
  void wanted(StaticPod newest) {
    if (pod == null) {
      anew();
    }
    pod = newest;
    ending = false;
  }

  /** This agent begins to serve the node. */
  void begin() {
    if (pod != null) {
      anew();
    }
  }

  /** A pod that was ended or refused as a whole is tried anew, which its mirror cannot show. */
  private void anew() {
    Seen before = seen;
    if (before != null && before.over) {
      seen = before.ofNobody();
    }
  }

  /** The static pod is being ended: its mirror stays until then, and is not made anew. */
  void ending() {
    ending = true;
  }

  /** The static pod has ended: what shows it may not show the next one of its name and UID. */
  void unwanted() {
    pod = null;
    ending = false;
    Seen before = seen;
    if (before != null) {
      seen = before.ofNobody();
    }
  }

  /** The watch shows this mirror. */
  void observed(PodView mirror) {
    Seen before = seen;
    String of = Objects.requireNonNull(mirror.mirrorOf(), "a pod that is no mirror").uid();
    if (mirror.uid().equals(removedUid)) {
      return;
    }
    if (before != null && before.uid.equals(mirror.uid())) {
      if (before.version > mirror.resourceVersion()) {
        return;
      }
      of = before.of.isEmpty() ? "" : of;
    }
    seen =
        new Seen(
            mirror.uid(),
            of,
            mirror.deleting(),
            mirror.status().endedAsAWhole(),
            mirror.resourceVersion());
  }

  /** The API server holds this object no longer. */
  void gone(String uid) {
    if (busy) {
      goneMeanwhile.add(uid);
    }
    Seen before = seen;
    if (before != null && before.uid.equals(uid)) {
      seen = null;
    }
  }

  /** Neither a static pod nor a mirror has this name. */
  boolean empty() {
    return pod == null && seen == null && !busy;
  }

  /**
   * @param orphansMayGo whether all static pods are known: a mirror without one is an orphan then
   * @param nodeUid UID of the Node object, empty while it is not known
   * @param now monotonic nanoseconds
   */
  Step next(boolean orphansMayGo, String nodeUid, long now) {
    if (busy) {
      return IDLE;
    }
    Step step = decide(orphansMayGo, nodeUid);
    if (step == IDLE) {
      return step;
    }
    long wait = failures > 0 ? due - now : 0;
    if (step instanceof Step.Create && created) {
      wait = Math.max(wait, createdAt + REST.toNanos() - now);
    }
    if (wait > 0) {
      return new Step.Wait(Duration.ofNanos(wait));
    }
    if (step instanceof Step.Create) {
      created = true;
      createdAt = now;
    }
    busy = true;
    return step;
  }

  private Step decide(boolean orphansMayGo, String nodeUid) {
    StaticPod of = pod;
    Seen there = seen;
    if (there == null) {
      return of == null || ending || nodeUid.isEmpty()
          ? IDLE
          : new Step.Create(of.view().uid(), of.mirror(nodeUid));
    }
    boolean keep = of == null ? !orphansMayGo && !there.of.isEmpty() : ending || shows(there, of);
    return keep ? IDLE : new Step.Delete(new PodRef(namespace, name, there.uid));
  }

  private static boolean shows(Seen mirror, StaticPod pod) {
    return mirror.of.equals(pod.view().uid()) && !mirror.deleting;
  }

  /**
   * The mirror was created.
   *
   * @return whether it is there still, as far as the watch has told
   */
  boolean created(String of, ObjectMeta made) {
    boolean there = !goneMeanwhile.contains(made.uid());
    settle();
    Seen newer = seen;
    if (there && (newer == null || !newer.uid.equals(made.uid()))) {
      seen = new Seen(made.uid(), of, false, false, made.resourceVersion());
    }
    return there;
  }

  /** The mirror was removed, by this agent or before. */
  void removed(PodRef mirror) {
    settle();
    removedUid = mirror.uid();
    gone(mirror.uid());
  }

  private void settle() {
    busy = false;
    goneMeanwhile.clear();
    failures = 0;
    refused = false;
  }

  /**
   * The request in flight failed.
   *
   * @return whether that is about this pod, and news: the API server refuses it from now on
   */
  boolean failed(KubeException failure, long now, RandomGenerator random) {
    busy = false;
    goneMeanwhile.clear();
    failures++;
    boolean before = refused;
    refused |= failure.recovery() == Recovery.GIVE_UP || failure.recovery() == Recovery.REREAD;
    boolean may = failure.kind() != KubeException.Kind.FORBIDDEN && !refused;
    due = now + (may ? BACKOFF : REFUSED).delay(failures, random, failure).toNanos();
    return refused && !before;
  }
}
