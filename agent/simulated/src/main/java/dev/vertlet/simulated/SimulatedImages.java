package dev.vertlet.simulated;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ImageRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.simulated.node.ImageStore;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Images of the nodes, all of one size. */
final class SimulatedImages {
  private final Clock clock;
  private final DeadlineQueue queue;
  private final PodTable pods;
  private final Planner planner;

  /** Bytes of each image. */
  private long size;

  SimulatedImages(Clock clock, DeadlineQueue queue, PodTable pods, Planner planner) {
    this.clock = clock;
    this.queue = queue;
    this.pods = pods;
    this.planner = planner;
  }

  /** Sets the size of each image in bytes; 0 by default. */
  void size(long bytes) {
    size = bytes;
  }

  long size() {
    return size;
  }

  /** Returns the image's ID; empty when the node does not have it. */
  Optional<String> find(String node, String image) {
    ImageStore images = pods.images(node);
    return images == null ? Optional.empty() : Optional.ofNullable(images.find(image));
  }

  List<ImageRecord> list(String node) {
    ImageStore images = pods.images(node);
    return images == null ? List.of() : images.list(size);
  }

  void remove(String node, String id) {
    ImageStore images = pods.images(node);
    if (images != null) {
      images.remove(id);
    }
  }

  /** Returns the size of all images of a node in bytes. */
  long bytes(String node) {
    ImageStore images = pods.images(node);
    return images == null ? 0 : images.count() * size;
  }

  /** Completes at once when the node has the image; even then a rule can make it fail. */
  Future<String> pull(PodView view, ContainerView container) {
    ImageStore images = pods.node(view.nodeName()).images();
    String image = container.image();
    Plan plan = planner.plan(view, container.name(), 0);
    String error = plan.errors().pull();
    long now = clock.millis();
    long endsAt = images.find(image) != null ? now : Plan.after(now, plan.pullDelay());
    return queue.call(
        endsAt,
        () ->
            error == null
                ? Future.succeededFuture(images.add(image))
                : Future.failedFuture(
                    new ProviderException(
                        ProviderException.Kind.TEMPORARY, "ErrImagePull", error)));
  }
}
