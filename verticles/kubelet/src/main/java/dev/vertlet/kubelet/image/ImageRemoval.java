package dev.vertlet.kubelet.image;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.eviction.ImageState;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.pod.Held;
import dev.vertlet.kubelet.pod.PodStates;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.ImageRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes unused images of nodes. Runs on the core's loop. A runtime that measures no disk is asked
 * for its usage once; it may list images all the same.
 */
final class ImageRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(ImageRemoval.class);
  private static final Future<NodeUsage> UNMEASURED = Future.succeededFuture(NodeUsage.NONE);

  private final ContainerRuntime runtime;
  private final CoreMeters meters;
  private final CoreLoop loop;
  private final ProviderContext context;
  private final PodStates pods;
  private final Consumer<String> changed;
  private boolean measured = true;

  /**
   * @param pods of all nodes by UID
   * @param changed takes the name of a node after the removal of an image
   */
  ImageRemoval(CoreEnv env, PodStates pods, Consumer<String> changed) {
    this.runtime = env.runtime();
    this.meters = env.meters();
    this.loop = env.loop();
    this.context = env.context();
    this.pods = pods;
    this.changed = changed;
  }

  /**
   * Removes images that are too old, then unused ones until the disk is below its threshold.
   *
   * @return the number of freed bytes, on the loop
   */
  Future<Long> collect(String node, ImageState state) {
    return remove(node, state.outdated(now()), Long.MAX_VALUE)
        .compose(freed -> usage(node))
        .compose(
            usage -> {
              Supply disk = usage.imageFs() == null ? usage.nodeFs() : usage.imageFs();
              return disk == null ? Future.succeededFuture(0L) : makeRoom(node, state, disk);
            });
  }

  /** Removes all unused images of a node short of disk; completes with the freed bytes. */
  Future<Long> clear(String node, ImageState state) {
    return remove(node, state.unused(now()), Long.MAX_VALUE);
  }

  private Future<NodeUsage> usage(String node) {
    return measured
        ? ask(RuntimeOperation.SANDBOX_STATS, () -> runtime.usage(node)).recover(this::unmeasured)
        : UNMEASURED;
  }

  private Future<NodeUsage> unmeasured(Throwable failure) {
    if (!isUnsupported(failure)) {
      return Future.failedFuture(failure);
    }
    measured = false;
    return UNMEASURED;
  }

  private Future<Long> makeRoom(String node, ImageState state, Supply disk) {
    if (disk.capacity() <= 0) {
      String message = "invalid capacity 0 on image filesystem";
      warn(node, ImageState.NO_CAPACITY, message);
      return Future.failedFuture(message);
    }
    long wanted = state.excess(disk);
    if (wanted <= 0) {
      return Future.succeededFuture(0L);
    }
    return remove(node, state.unused(now()), wanted)
        .compose(
            freed -> {
              if (freed >= wanted) {
                return Future.succeededFuture(freed);
              }
              String message = state.tooLittle(disk, freed);
              warn(node, ImageState.TOO_LITTLE, message);
              return Future.failedFuture(message);
            });
  }

  /** Removes images one by one until enough bytes are free; continues after a failure. */
  private Future<Long> remove(String node, List<ImageRecord> images, long wanted) {
    return new Removal(node, images.iterator(), wanted).next();
  }

  /** One run over the images to remove. */
  private final class Removal {
    private final String node;
    private final Iterator<ImageRecord> left;
    private final long wanted;
    private long freed;
    private @Nullable Throwable problem;

    Removal(String node, Iterator<ImageRecord> left, long wanted) {
      this.node = node;
      this.left = left;
      this.wanted = wanted;
    }

    Future<Long> next() {
      if (freed >= wanted || !left.hasNext()) {
        return problem == null || freed >= wanted
            ? Future.succeededFuture(freed)
            : Future.failedFuture(problem);
      }
      ImageRecord image = left.next();
      if (usedOn(node).contains(image.id())) {
        return next(); // a container uses it by now
      }
      return ask(RuntimeOperation.REMOVE_IMAGE, () -> runtime.removeImage(node, image.id()))
          .transform(
              done -> {
                if (done.succeeded()) {
                  freed += image.size();
                  changed.accept(node);
                  removed(node, image);
                } else {
                  problem = done.cause();
                }
                return next();
              });
    }
  }

  private static void removed(String node, ImageRecord image) {
    LOG.atDebug()
        .addKeyValue("node", node)
        .addKeyValue("image", image.id())
        .addKeyValue("bytes", image.size())
        .log("unused image removed");
  }

  /** Returns the ids of the images that a node's containers use, or are about to use. */
  Set<String> usedOn(String node) {
    Set<String> ids = new HashSet<>();
    for (Held pod : pods.held()) {
      if (pod.isOn(node)) {
        pod.addImages(ids);
      }
    }
    return ids;
  }

  private Instant now() {
    return context.clock().instant();
  }

  static boolean isUnsupported(Throwable failure) {
    return ProviderException.kindOf(failure) == ProviderException.Kind.UNSUPPORTED;
  }

  private <T> Future<T> ask(RuntimeOperation operation, Supplier<Future<T>> call) {
    return loop.bring(meters.measure(operation, call));
  }

  /** Sends an Event about a node. */
  void warn(String node, String reason, String message) {
    context.event(
        new ObjectEvent("Node", "", node, node, "", ObjectEvent.WARNING, reason, message, node));
  }
}
