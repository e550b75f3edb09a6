package dev.vertlet.cri;

import dev.vertlet.cri.container.PodCache;
import dev.vertlet.cri.container.Relist;
import dev.vertlet.host.files.Workers;
import dev.vertlet.host.provider.ProviderFailures;
import dev.vertlet.model.node.RuntimeFeatures;
import dev.vertlet.provider.node.NodeSpec;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of the shard, and whether the runtime can serve them. They are not ready while it is
 * away, and while it is the runtime of a kubelet, which would remove their pods.
 */
final class ServedNodes {
  private static final Logger LOG = LoggerFactory.getLogger(ServedNodes.class);
  private static final Path APP_ARMOR = Path.of("/sys/module/apparmor/parameters/enabled");

  private final CriOptions options;
  private final RuntimeState state;
  private final Workers workers;
  private final Set<String> names = new HashSet<>();
  private RuntimeFeatures features = RuntimeFeatures.NONE;

  @SuppressWarnings("NullAway.Init") // set by start
  private PodCache cache;

  @SuppressWarnings("NullAway.Init") // set by start
  private Relist relist;

  @SuppressWarnings("NullAway.Init") // set by start
  private NodeServices services;

  ServedNodes(CriOptions options, RuntimeState state, Workers workers) {
    this.options = options;
    this.state = state;
    this.workers = workers;
  }

  /** Names of the nodes; changes with them. */
  Set<String> names() {
    return names;
  }

  /** Begins to serve nodes. Completes without the runtime, too: it may be away. */
  Future<Void> start(PodCache pods, Relist list, NodeServices made) {
    cache = pods;
    relist = list;
    services = made;
    names.forEach(pods::serve);
    return made.start()
        .compose(ready -> readFeatures())
        .compose(ready -> list.run().recover(this::away))
        .compose(listed -> refuseStranger());
  }

  private Future<Void> readFeatures() {
    return workers
        .call(() -> Files.exists(APP_ARMOR) && Files.readString(APP_ARMOR).startsWith("Y"))
        .compose(appArmor -> state.features(options.runtimeHandler(), appArmor))
        .onSuccess(known -> features = known)
        .mapEmpty();
  }

  /** The agent starts without the runtime: its nodes are not ready until it answers. */
  private Future<Void> away(Throwable failure) {
    LOG.atWarn()
        .addKeyValue("socket", options.socket())
        .addKeyValue("problem", failure.getMessage())
        .log("the container runtime does not answer; its nodes are not ready until it does");
    return Future.succeededFuture();
  }

  private Future<Void> refuseStranger() {
    return relist.stranger().isEmpty()
        ? Future.succeededFuture()
        : ProviderFailures.temporary(
            "SocketInUse",
            "the container runtime at "
                + options.socket()
                + " runs pod "
                + relist.stranger()
                + " of a kubelet, which removes all pods that it does not know: use a runtime of"
                + " its own");
  }

  /** Returns a node with what the machine has; unchanged before the start. */
  NodeSpec configure(NodeSpec spec) {
    boolean added = names.add(spec.name());
    if (services == null) {
      return spec;
    }
    if (added) {
      cache.serve(spec.name());
    }
    return services.configure(spec);
  }

  RuntimeFeatures features() {
    return features;
  }

  /** Fails while no containers can be run. */
  Future<Void> status() {
    return state
        .runtimeReady()
        .compose(ready -> services.refresh())
        .compose(ready -> refuseStranger());
  }

  /** Fails while pods get no network. */
  Future<Void> networkStatus() {
    return state.networkReady();
  }

  /** Ends to serve a node; its containers run on. */
  void release(String node) {
    names.remove(node);
    cache.release(node);
  }
}
