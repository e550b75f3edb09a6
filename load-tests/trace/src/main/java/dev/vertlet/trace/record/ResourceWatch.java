package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.model.JsonTreeDecoder;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Watches one resource in one namespace, or in all. Confined to the verticle's context. */
final class ResourceWatch {
  /** Some 10 kB of JSON for a pod, and ten times that as a tree: 5 MB at once. */
  private static final int PAGE = 50;

  /** Twice etcd's limit of an object, as JSON is longer. */
  private static final int MAX_EVENT_BYTES = 4 << 20;

  private static final Duration WATCH = Duration.ofMinutes(5);

  /** What is done with objects. */
  interface Receiver {
    void seen(String uid, JsonNode object);

    void gone(String uid);

    /** A list after a gap was delivered. */
    void relisted(String resource, Duration unwatched);
  }

  private final Reflector<ClusterObject> reflector;

  /**
   * @param namespace empty for all
   * @param fieldSelector empty for none
   */
  ResourceWatch(
      KubeClient kube,
      WatchedResource resource,
      String namespace,
      String fieldSelector,
      Receiver receiver,
      RandomGenerator random) {
    ListWatch<ClusterObject> what =
        new ListWatch<>(
            resource + (namespace.isEmpty() ? "" : " in namespace " + namespace),
            resource.api().in(namespace),
            fieldSelector,
            "",
            new JsonTreeDecoder<>(ClusterObject::of),
            PAGE,
            MAX_EVENT_BYTES,
            WATCH);
    this.reflector =
        new Reflector<>(
            kube,
            what,
            new ReflectorListener<>() {
              @Override
              public void upserted(ClusterObject object) {
                receiver.seen(object.uid(), object.json());
              }

              @Override
              public void deleted(Tombstone object) {
                receiver.gone(object.uid());
              }

              @Override
              public void synced() {
                // start() completes
              }

              @Override
              public void relisted(Duration unwatched) {
                receiver.relisted(resource.toString(), unwatched);
              }
            },
            Reflector.DEFAULT_BACKOFF,
            random);
  }

  /** Completes when everything was listed. */
  Future<Void> start() {
    return reflector.start();
  }

  Future<Void> stop() {
    return reflector.stop();
  }
}
