package dev.vertlet.harness.load;

import org.jspecify.annotations.Nullable;

/** A pod of the load from its create until it is gone. Belongs to its {@link Population}. */
final class TrackedPod {
  enum State {
    /** Was asked for. */
    STARTING,
    /** Has been Ready. */
    STANDING,
    /** Was asked to go. */
    ENDING,
    /** Nothing is expected of it any more. */
    LOST
  }

  private final String namespace;
  private final String name;
  private final @Nullable TrackedDeployment deployment;
  private State state = State.STARTING;
  private boolean ready;
  private boolean mortal;

  /** When it was asked for or, later, asked to go. */
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

  /** What keeps it; null for a pod of its own. */
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

  /** Whether its life has begun and not ended. */
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
