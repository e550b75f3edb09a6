package dev.vertlet.configsync;

import dev.vertlet.configsync.source.ConfigMapRef;
import dev.vertlet.env.ReferenceSource;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.model.reference.DataView;
import dev.vertlet.model.reference.ReferredDecoders;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.reference.ReferredView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The ConfigMaps that nodes refer to: each is watched once and read once, however many nodes refer
 * to it. Confined to the verticle's context.
 */
final class ConfigMaps {
  /** Maximum wait for the first list of a watch. */
  private static final long PATIENCE_MILLIS = 3_000;

  private final Vertx vertx;
  private final Future<KubeClient> kube;
  private @Nullable ReferenceSource source;
  private final BiConsumer<ConfigMapRef, Set<String>> changed;
  private final Map<ConfigMapRef, Followed> followed = new HashMap<>();

  /** One ConfigMap, the nodes that refer to it, and its known content. */
  private static final class Followed {
    private final Set<String> nodes = new HashSet<>();
    private @Nullable List<ReferredView> known;
    private @Nullable Promise<DataView> asked;

    private Future<DataView> found(String name) {
      return known == null || known.isEmpty() || !(known.get(0) instanceof DataView found)
          ? Future.failedFuture("configmap \"" + name + "\" not found")
          : Future.succeededFuture(found);
    }
  }

  /**
   * Creates an empty set.
   *
   * @param vertx for timers
   * @param kube reads ConfigMaps that are not watched
   * @param changed called with a ConfigMap that was added, changed or deleted, and the nodes that
   *     refer to it
   */
  ConfigMaps(Vertx vertx, Future<KubeClient> kube, BiConsumer<ConfigMapRef, Set<String>> changed) {
    this.vertx = vertx;
    this.kube = kube;
    this.changed = changed;
  }

  /** Starts the watches of all referenced ConfigMaps, now and later. */
  void follow(ReferenceSource references) {
    source = references;
    references.start(this::observed);
    followed.keySet().forEach(ref -> references.follow(key(ref)));
  }

  void stop() {
    if (source != null) {
      source.stop();
    }
  }

  /** Sets the ConfigMaps that a node refers to. */
  void watch(String node, Set<ConfigMapRef> wanted) {
    for (ConfigMapRef ref : List.copyOf(followed.keySet())) {
      Followed each = followed.get(ref);
      if (each != null
          && !wanted.contains(ref)
          && each.nodes.remove(node)
          && each.nodes.isEmpty()) {
        followed.remove(ref);
        if (source != null) {
          source.leave(key(ref));
        }
      }
    }
    for (ConfigMapRef ref : wanted) {
      Followed each = followed.get(ref);
      if (each == null) {
        each = new Followed();
        followed.put(ref, each);
        if (source != null) {
          source.follow(key(ref));
        }
      }
      each.nodes.add(node);
    }
  }

  /**
   * Returns the current ConfigMap.
   *
   * @return fails with a {@link KubeException}
   */
  Future<DataView> get(ConfigMapRef ref) {
    Followed each = followed.get(ref);
    if (each == null) {
      return ask(ref);
    }
    if (each.known != null) {
      return each.found(ref.name());
    }
    Promise<DataView> asked = each.asked;
    if (asked == null) {
      asked = Promise.promise();
      each.asked = asked;
      patience(ref, each, asked);
    }
    return asked.future();
  }

  /**
   * Reads the ConfigMap directly when the watch takes too long: RBAC may allow a get even if it
   * forbids the watch.
   */
  private void patience(ConfigMapRef ref, Followed each, Promise<DataView> asked) {
    vertx.setTimer(
        PATIENCE_MILLIS,
        id -> {
          if (each.asked == asked) {
            ask(ref)
                .onComplete(
                    answer -> {
                      if (each.asked == asked) {
                        each.asked = null;
                        asked.handle(answer);
                      }
                    });
          }
        });
  }

  private Future<DataView> ask(ConfigMapRef ref) {
    KubePath path = KubePath.configMap(ref.namespace(), ref.name());
    return kube.compose(client -> client.send(KubeRequest.get(Lane.NODE, path)))
        .map(response -> ReferredDecoders.configMap(response.body()));
  }

  private void observed(ReferredKey key, List<ReferredView> objects) {
    ConfigMapRef ref = new ConfigMapRef(key.namespace(), key.name());
    Followed each = followed.get(ref);
    if (each != null) {
      each.known = objects;
      Promise<DataView> asked = each.asked;
      if (asked != null) {
        each.asked = null;
        each.found(ref.name()).onComplete(asked);
      }
      changed.accept(ref, Set.copyOf(each.nodes));
    }
  }

  private static ReferredKey key(ConfigMapRef ref) {
    return new ReferredKey(ReferredKind.CONFIG_MAP, ref.namespace(), ref.name());
  }
}
