package dev.vertlet.stages.cluster;

import dev.vertlet.stages.play.StageObject;

/** Which objects of a kind an agent plays, and what it learns from them. */
interface Scope {
  /** All objects. */
  Scope ALL = object -> true;

  /** Whether this agent plays the object. */
  boolean owns(StageObject object);

  /** Called for each version of each object, before {@link #owns}. */
  default void observed(StageObject object) {}

  /** Every object that exists follows once more; others are gone. */
  default void relisting() {}

  /** An object is gone. */
  default void gone(String uid) {}

  /** Called before the templates of an object are rendered. */
  default void rendering(StageObject object) {}

  /** Label selector of the watch beside that of the stages, empty for none. */
  default String labelSelector() {
    return "";
  }

  /** Field selector of the watch, empty for none. */
  default String fieldSelector() {
    return "";
  }
}
