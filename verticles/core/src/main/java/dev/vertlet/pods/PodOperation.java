package dev.vertlet.pods;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.pod.PodProvider;
import io.vertx.core.Future;
import java.time.Duration;

/** What a {@link PodMailbox} decides for its pod. */
sealed interface PodOperation {
  record Create(PodView pod) implements PodOperation {}

  record Update(PodView pod) implements PodOperation {}

  record Delete(PodView pod, Duration grace) implements PodOperation {}

  /** The API server no longer holds the pod. */
  record Kill(PodRef pod) implements PodOperation {}

  /** The pod is deleted and the provider does not know it: its API object may be removed. */
  record Finish(PodView pod) implements PodOperation {}

  /** Do nothing before {@code delay} has passed. */
  record Wait(Duration delay) implements PodOperation {}

  /** Do nothing before an event. */
  record Idle() implements PodOperation {}

  /** Drop the mailbox: the pod is gone everywhere. */
  record Forget() implements PodOperation {}

  /**
   * Makes the provider call of a create, update, delete or kill.
   *
   * @throws IllegalStateException for any other operation
   */
  default Future<Void> call(PodProvider provider) {
    if (this instanceof Create create) {
      return provider.create(create.pod());
    } else if (this instanceof Update update) {
      return provider.update(update.pod());
    } else if (this instanceof Delete delete) {
      return provider.delete(delete.pod(), delete.grace());
    } else if (this instanceof Kill kill) {
      return provider.kill(kill.pod());
    }
    throw new IllegalStateException("not a provider call: " + this);
  }
}
