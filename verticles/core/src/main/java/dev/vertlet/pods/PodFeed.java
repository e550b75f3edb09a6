package dev.vertlet.pods;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * Receives pods from a program that watches pods itself, with one watch for many nodes. May be
 * called from any thread; calls of one thread keep their order.
 */
public interface PodFeed {
  /**
   * Stores the newest version of a pod, new or changed. The agent reacts as to a watch event
   * (create, update, delete, rewriting an overwritten status). A version that is not newer than the
   * known one, and a pod of a node that is not served here, have no effect.
   */
  void store(PodView pod);

  /** Returns the known version of a pod, empty if it was never stored or is forgotten. */
  Future<Optional<PodView>> load(String namespace, String name);

  /** The API server no longer holds the pod: the provider ends what it has of it. */
  void forget(PodRef pod);

  /**
   * Processes a pod again without a new version: a delayed retry runs now, an operation or a
   * request that was given up starts over with all its retries, and the status is written if the
   * API server has another one. Operations that the provider refused permanently are not repeated.
   * Unknown pods are ignored.
   */
  void enqueue(PodRef pod);

  /**
   * Deletes the pod's object from the API server now, with its UID and without grace, whether or
   * not its containers have ended: the provider ends them once the pod is {@linkplain #forget
   * forgotten}. Failures are retried. Without this call the agent deletes the object when the pod
   * is to be deleted and the provider has finished with it. Unknown pods, and those of nodes that
   * are not served now, are ignored.
   */
  void enqueueDeletion(PodRef pod);

  /**
   * Gives up a deletion of the pod's object that waits for its turn or for a retry, also one that
   * the agent itself decided; the object then stays until {@link #enqueueDeletion}. A request in
   * flight is not recalled.
   */
  void forgetDeletion(PodRef pod);

  /**
   * Decodes a pod in the API server's JSON.
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
