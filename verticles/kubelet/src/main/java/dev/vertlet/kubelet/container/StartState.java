package dev.vertlet.kubelet.container;

import org.jspecify.annotations.Nullable;

/**
 * The start of a container's next instance; immutable.
 *
 * @param imageId id of the image, while {@code step} is READY or STARTING
 * @param image the spec's image of the last requested start; null once it has an instance
 */
public record StartState(StartStep step, @Nullable String imageId, @Nullable String image) {
  /** No start under way; shared by all containers that need none. */
  static final StartState NONE = new StartState(StartStep.IDLE, null, null);

  /** The image is looked for, missing, or pulled. */
  public StartState at(StartStep next) {
    return new StartState(next, null, image);
  }

  /** The node has the image. */
  public StartState ready(String id) {
    return new StartState(StartStep.READY, id, image);
  }

  /** The runtime is asked to start the instance. */
  StartState requested(String specImage) {
    return new StartState(StartStep.STARTING, imageId, specImage);
  }

  /** The start is over without an instance. */
  public StartState over() {
    return image == null ? NONE : at(StartStep.IDLE);
  }

  /** Whether the runtime has not answered a call for the start yet. */
  public boolean inFlight() {
    return step == StartStep.INSPECTING || step == StartStep.PULLING || step == StartStep.STARTING;
  }
}
