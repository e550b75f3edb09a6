package dev.vertlet.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One decoded event of a watch stream.
 *
 * @param <T> the view
 */
public sealed interface WatchEvent<T> {
  /** ADDED or MODIFIED: the receiver's index distinguishes them. */
  record Upsert<T>(T object) implements WatchEvent<T> {}

  /** DELETED: only the identity of the object is kept. */
  record Deleted<T>(Identity object) implements WatchEvent<T> {
    public static <T> Deleted<T> of(KubeObject object) {
      return new Deleted<>(
          new Identity(object.namespace(), object.name(), object.uid(), object.resourceVersion()));
    }
  }

  /**
   * Identity of a deleted object.
   *
   * @param resourceVersion of its deletion
   */
  record Identity(String namespace, String name, String uid, long resourceVersion)
      implements KubeObject {}

  /**
   * BOOKMARK: everything up to {@code resourceVersion} was delivered.
   *
   * @param initialEventsEnd true if it ends the initial list of a streaming watch ({@code
   *     k8s.io/initial-events-end})
   */
  record Bookmark<T>(long resourceVersion, boolean initialEventsEnd) implements WatchEvent<T> {}

  /**
   * ERROR: the stream ends here.
   *
   * @param code HTTP status from the server, 410 if the resourceVersion is too old
   * @param retryAfter as the server asks, or null
   */
  record Failure<T>(int code, String reason, String message, @Nullable Duration retryAfter)
      implements WatchEvent<T> {}
}
