package dev.vertlet.pods;

import dev.vertlet.model.PodDecoder;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.model.WatchEvent;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * Where a program that watches pods itself puts what it sees, for many nodes through one watch. May
 * be called from any thread; calls of one thread keep their order.
 */
public interface PodFeed {
  /**
   * The newest state of a pod, new or changed. Whatever must follow (create, update, delete, a
   * status that somebody overwrote) follows; a state that is not newer than what is known, and a
   * pod of a node that is not served here, change nothing.
   */
  void store(PodView pod);

  /** What is known of a pod, empty when it was never stored or is forgotten. */
  Future<Optional<PodView>> load(String namespace, String name);

  /** The API server holds the pod no longer: the provider ends what it has of it. */
  void forget(PodRef pod);

  /**
   * Looks at a pod once more, without anything new about it: what waits for its next try is tried
   * now, what was given up is tried again as often as at first, and the status is written if the
   * API server has another one. What the provider refused for good is not tried again. Unknown pods
   * are left alone.
   */
  void enqueue(PodRef pod);

  /**
   * A pod as the API server writes it in JSON.
   *
   * @throws IllegalArgumentException for anything else
   */
  static PodView decode(Buffer json) {
    try {
      JsonObject event =
          new JsonObject().put("type", "MODIFIED").put("object", json.toJsonObject());
      if (new PodDecoder().decodeEvent(PodDecoder.WATCH_JSON, event.toBuffer())
          instanceof WatchEvent.Upsert<PodView> upsert) {
        return upsert.object();
      }
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("not a pod: " + e.getMessage(), e);
    }
    throw new IllegalArgumentException("not a pod: " + json);
  }
}
