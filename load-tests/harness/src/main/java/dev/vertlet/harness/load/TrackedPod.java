package dev.vertlet.harness.load;

import org.jspecify.annotations.Nullable;

/** Pod of the load, from its create until it is gone. Belongs to its {@link Population}. */
final class TrackedPod {
  enum State {
    /** Requested, not yet Ready. */
    STARTING,
    /** Has been Ready. */
    STANDING,
    /** Deletion requested. */
    ENDING,
    /** No longer waited for. */
    LOST
  }

  private final String namespace;
  private final String name;
  private final @Nullable TrackedDeployment deployment;
  private State state = State.STARTING;
  private boolean ready;
  private boolean mortal;

  /** Time of the create or, later, of the delete, in nanoseconds. */
  private long from;

  TrackedPod(
      String namespace, String name, @Nullable TrackedDeployment deployment, long createFrom) {
    this.namespace = namespace;
    this.name = name;
    this.deployment = deployment;
    this.from = createFrom;
  }

  String namespace() {
    return namespace;
  }

  String name() {
    return name;
  }

  /** Deployment of the pod; null without one. */
  @Nullable TrackedDeployment deployment() {
    return deployment;
  }

  State state() {
    return state;
  }

  long from() {
    return from;
  }

  boolean ready() {
    return ready;
  }

  /** Whether the pod's lifetime has started and not ended. */
  boolean mortal() {
    return mortal;
  }

  void become(State next) {
    state = next;
  }

  void end(long deleteFrom) {
    state = State.ENDING;
    from = deleteFrom;
  }

  void setReady(boolean isReady) {
    ready = isReady;
  }

  void setMortal(boolean isMortal) {
    mortal = isMortal;
  }
}
