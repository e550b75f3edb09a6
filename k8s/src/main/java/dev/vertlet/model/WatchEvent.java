package dev.vertlet.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One decoded event of a watch stream.
 *
 * @param <T> the view the stream carries
 */
public sealed interface WatchEvent<T> {
  /** ADDED or MODIFIED: the receiver's index knows which of the two it is. */
  record Upsert<T>(T object) implements WatchEvent<T> {}

  /** DELETED: of the object's last state only which it was is kept, as nobody asks for more. */
  record Deleted<T>(Identity object) implements WatchEvent<T> {
    public static <T> Deleted<T> of(KubeObject object) {
      return new Deleted<>(
          new Identity(object.namespace(), object.name(), object.uid(), object.resourceVersion()));
    }
  }

  /**
   * Which object was deleted.
   *
   * @param resourceVersion of its deletion
   */
  record Identity(String namespace, String name, String uid, long resourceVersion)
      implements KubeObject {}

  /**
   * BOOKMARK: everything up to {@code resourceVersion} was delivered.
   *
   * @param initialEventsEnd true when it closes the initial list of a streaming watch ({@code
   *     k8s.io/initial-events-end})
   */
  record Bookmark<T>(long resourceVersion, boolean initialEventsEnd) implements WatchEvent<T> {}

  /**
   * ERROR: the stream ends here.
   *
   * @param code HTTP status the server gives, 410 when the resourceVersion is too old
   * @param retryAfter as the server asks, or null
   */
  record Failure<T>(int code, String reason, String message, @Nullable Duration retryAfter)
      implements WatchEvent<T> {}
}
