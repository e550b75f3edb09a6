package dev.vertlet.kubelet.image;

import dev.vertlet.eviction.ImageGcOptions;
import dev.vertlet.eviction.ImageState;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.pod.Held;
import dev.vertlet.kubelet.pod.PodStates;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.node.NodeImageView;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.ImageRecord;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the images of nodes for their statuses, and removes unused ones, every five minutes and at
 * once when a node is short of disk. Runs on the core's loop. A runtime that lists no images is
 * asked once.
 */
public final class NodeImages {
  private static final Logger LOG = LoggerFactory.getLogger(NodeImages.class);

  /** Period of the image garbage collection, as the kubelet's ImageGCPeriod. */
  private static final long PERIOD = Duration.ofMinutes(5).toMillis();

  /**
   * Pause between a change and the node's next status with images: many pods often start together,
   * and a kubelet takes up to 40 s (a list every 30 s, a status every 10 s).
   */
  private static final long SHOW_DELAY = 10_000;

  private final ContainerRuntime runtime;
  private final CoreMeters meters;
  private final CoreLoop loop;
  private final ProviderContext context;
  private final PodStates pods;
  private final Function<String, ImageGcOptions> options;
  private final boolean shows;
  private final ToIntFunction<String> maxImages;
  private final ImageRemoval removal;
  private final Map<String, Node> nodes = new HashMap<>();

  /** Names of nodes whose images may differ from their statuses. */
  private final Set<String> stale = new LinkedHashSet<>();

  private Consumer<String> listener = node -> {};
  private long timer = -1;
  private long showTimer = -1;
  private boolean over;

  /** State of one node. */
  private static final class Node {
    private final String name;
    private final ImageState state;

    /** Whether the last pass failed; an event follows only after two failures in a row. */
    private boolean failed;

    /** The current pass; null for none. The next pass replaces one that hangs. */
    private @Nullable Future<Long> pass;

    /** The images last listed, the largest first. */
    private List<ImageRecord> images = List.of();

    /** The images in the node's status; null before the first. */
    private @Nullable List<ImageRecord> shown;

    Node(String name, ImageState state) {
      this.name = name;
      this.state = state;
    }
  }

  /**
   * @param pods of all nodes by UID
   * @param options of a node by its name
   * @param shows whether node statuses have images
   * @param maxImages most images in a node's status, by the node's name; -1 for all
   */
  public NodeImages(
      CoreEnv env,
      PodStates pods,
      Function<String, ImageGcOptions> options,
      boolean shows,
      ToIntFunction<String> maxImages) {
    this.runtime = env.runtime();
    this.meters = env.meters();
    this.loop = env.loop();
    this.context = env.context();
    this.pods = pods;
    this.options = options;
    this.shows = shows;
    this.maxImages = maxImages;
    this.removal = new ImageRemoval(env, pods, this::changed);
  }

  /** Sets the listener for the names of nodes with changed images in their status. */
  public void listen(Consumer<String> consumer) {
    listener = consumer;
  }

  public void close() {
    over = true;
    nodes.clear();
    stale.clear();
    loop.cancelTimer(timer);
    loop.cancelTimer(showTimer);
  }

  /** Schedules a new list after the node may have got or lost an image. */
  public void changed(String name) {
    if (shows && nodes.containsKey(name) && stale.add(name) && showTimer < 0) {
      showTimer = loop.setTimer(SHOW_DELAY, this::show);
    }
  }

  private void show() {
    showTimer = -1;
    List<String> changed = List.copyOf(stale);
    stale.clear();
    Map<String, Set<String>> used = used(); // once, as many nodes often start together
    for (String name : changed) {
      Node node = nodes.get(name);
      if (node != null) {
        list(node, used.getOrDefault(name, Set.of()))
            .onSuccess(v -> show(node))
            .onFailure(this::unsupported);
      }
    }
  }

  private void show(Node node) {
    if (nodes.get(node.name) == node && !node.images.equals(node.shown)) {
      node.shown = node.images;
      listener.accept(node.name);
    }
  }

  /**
   * Returns the images in the node's status, as a kubelet shows them; null before the first list.
   *
   * @see <a
   *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/nodestatus/setters.go">
   *     Images, kubelet 1.36.3</a>
   */
  public @Nullable List<NodeImageView> shown(String name) {
    Node node = nodes.get(name);
    return node == null || node.shown == null
        ? null
        : ShownImages.of(node.shown, maxImages.applyAsInt(name));
  }

  /** Watches the images of a new node. */
  public void observed(String name) {
    if (over || nodes.containsKey(name)) {
      return;
    }
    Node node = new Node(name, new ImageState(options.apply(name), now()));
    nodes.put(name, node);
    if (timer < 0) {
      timer = loop.setTimer(PERIOD, this::tick);
    }
    // the age of an image counts from when it is first seen
    run(node, look(node, Set.of()).map(0L));
    changed(name);
  }

  /** Forgets a node that another agent serves from now on. */
  public void release(String name) {
    nodes.remove(name);
    stale.remove(name);
  }

  private Instant now() {
    return context.clock().instant();
  }

  private void tick() {
    timer = nodes.isEmpty() ? -1 : loop.setTimer(PERIOD, this::tick);
    Map<String, Set<String>> used = used();
    for (Node node : List.copyOf(nodes.values())) {
      boolean collects = options.apply(node.name).enabled();
      if (collects || shows) {
        Future<Void> looked = look(node, used.getOrDefault(node.name, Set.of()));
        run(
            node,
            collects
                ? looked.compose(v -> removal.collect(node.name, node.state))
                : looked.map(0L));
      }
    }
  }

  /**
   * Removes all unused images, as the node is short of disk.
   *
   * @return the number of freed bytes, on the loop; also 0 after a failure
   */
  public Future<Long> clear(String name) {
    Node node = nodes.get(name);
    if (node == null) {
      return Future.succeededFuture(0L);
    }
    Future<Long> before = node.pass;
    return before != null
        ? before
        : run(node, look(node, removal.usedOn(name)).compose(v -> removal.clear(name, node.state)));
  }

  /** Returns the ids of the images that each node's containers use, or are about to use. */
  private Map<String, Set<String>> used() {
    Map<String, Set<String>> used = new HashMap<>();
    for (Held pod : pods.held()) {
      pod.addImages(used.computeIfAbsent(pod.view().nodeName(), node -> new HashSet<>()));
    }
    return used;
  }

  private Future<Long> run(Node node, Future<Long> pass) {
    Future<Long> settled = pass.otherwise(0L);
    node.pass = settled;
    pass.onComplete(
        done -> {
          if (node.pass == settled) {
            node.pass = null;
          }
          if (done.succeeded()) {
            node.failed = false;
          } else if (nodes.get(node.name) == node) {
            failed(node, done.cause());
          }
        });
    return settled;
  }

  private Future<Void> look(Node node, Set<String> used) {
    return list(node, used)
        .onSuccess(
            v -> {
              if (!node.images.equals(node.shown)) {
                changed(node.name);
              }
            });
  }

  private Future<Void> list(Node node, Set<String> used) {
    return loop.bring(meters.measure(RuntimeOperation.LIST_IMAGES, () -> runtime.images(node.name)))
        .onSuccess(
            images -> {
              node.state.observe(images, used, now());
              node.images = ShownImages.sorted(images);
            })
        .mapEmpty();
  }

  private void failed(Node node, Throwable failure) {
    if (unsupported(failure)) {
      return;
    }
    String message = String.valueOf(failure.getMessage());
    if (node.failed) {
      removal.warn(node.name, ImageState.FAILED, message);
    }
    node.failed = true;
    LOG.atDebug()
        .addKeyValue("node", node.name)
        .addKeyValue("error", message)
        .log("images not removed");
  }

  private boolean unsupported(Throwable failure) {
    boolean unsupported = ImageRemoval.isUnsupported(failure);
    if (unsupported) {
      close();
    }
    return unsupported;
  }
}
