package dev.vertlet.configsync;

import dev.vertlet.env.ReferenceSource;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.model.DataView;
import dev.vertlet.model.ReferredDecoders;
import dev.vertlet.model.ReferredKey;
import dev.vertlet.model.ReferredKind;
import dev.vertlet.model.ReferredView;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The ConfigMaps that nodes name: each is watched once and asked for once, however many nodes name
 * it. Confined to the verticle's context.
 */
final class ConfigMaps {
  private final KubeClient kube;
  private final ReferenceSource source;
  private final BiConsumer<ConfigMapRef, Set<String>> changed;
  private final Map<ConfigMapRef, Followed> followed = new HashMap<>();

  /** One ConfigMap, who wants it, and what is known of it. */
  private static final class Followed {
    private final Set<String> nodes = new HashSet<>();
    private @Nullable List<ReferredView> known;
    private @Nullable Future<DataView> asked;
  }

  /**
   * @param changed told of a ConfigMap that came, changed or went, and of the nodes that want it
   */
  ConfigMaps(
      KubeClient kube, ReferenceSource source, BiConsumer<ConfigMapRef, Set<String>> changed) {
    this.kube = kube;
    this.source = source;
    this.changed = changed;
  }

  void start() {
    source.start(this::told);
  }

  void stop() {
    source.stop();
  }

  /** The node wants these from now on, and no others. */
  void watch(String node, Set<ConfigMapRef> wanted) {
    for (ConfigMapRef ref : List.copyOf(followed.keySet())) {
      Followed each = followed.get(ref);
      if (each != null
          && !wanted.contains(ref)
          && each.nodes.remove(node)
          && each.nodes.isEmpty()) {
        followed.remove(ref);
        source.leave(key(ref));
      }
    }
    for (ConfigMapRef ref : wanted) {
      Followed each = followed.get(ref);
      if (each == null) {
        each = new Followed();
        followed.put(ref, each);
        source.follow(key(ref));
      }
      each.nodes.add(node);
    }
  }

  /**
   * As it is now.
   *
   * @return fails with a {@link KubeException}
   */
  Future<DataView> get(ConfigMapRef ref) {
    Followed each = followed.get(ref);
    if (each == null) {
      return ask(ref);
    }
    if (each.known != null) {
      return each.known.isEmpty() || !(each.known.get(0) instanceof DataView found)
          ? Future.failedFuture("configmap \"" + ref.name() + "\" not found")
          : Future.succeededFuture(found);
    }
    Future<DataView> asked = each.asked;
    if (asked == null) {
      asked = ask(ref);
      each.asked = asked;
      asked.onComplete(answered -> each.asked = null);
    }
    return asked;
  }

  private Future<DataView> ask(ConfigMapRef ref) {
    return kube.send(KubeRequest.get(Lane.NODE, KubePath.configMap(ref.namespace(), ref.name())))
        .map(response -> ReferredDecoders.configMap(response.body()));
  }

  private void told(ReferredKey key, List<ReferredView> objects) {
    ConfigMapRef ref = new ConfigMapRef(key.namespace(), key.name());
    Followed each = followed.get(ref);
    if (each != null) {
      each.known = objects;
      changed.accept(ref, Set.copyOf(each.nodes));
    }
  }

  private static ReferredKey key(ConfigMapRef ref) {
    return new ReferredKey(ReferredKind.CONFIG_MAP, ref.namespace(), ref.name());
  }
}
