package dev.vertlet.status;

import dev.vertlet.bus.NotWritten;
import dev.vertlet.model.status.PodStatusView;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a {@link StatusEntry} decides. */
sealed interface StatusAction {
  /**
   * Write a status.
   *
   * @param status of the object after the patch
   */
  record Patch(Buffer body, PodStatusView status) implements StatusAction {}

  /**
   * Delete the API object immediately, with this UID only.
   *
   * @param skipsStatus whether the reported status is not written before
   */
  record Delete(boolean skipsStatus) implements StatusAction {}

  /** Read the object: after a conflict, or because its status is unknown. */
  record Reread() implements StatusAction {}

  /** Do nothing before {@code delay} has passed. */
  record Wait(Duration delay) implements StatusAction {}

  /**
   * Do nothing before an event.
   *
   * @param reason why the reported status is not written; null if no report is undecided
   */
  record Idle(@Nullable NotWritten reason) implements StatusAction {}
}
