package dev.vertlet.lifecycle.pod;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodView;
import java.util.Set;

/** A pod that the core answers for: one that is worked on, or one that rests. */
public sealed interface Held permits PodState, RestingPod {
  /** Its definition, as the core knows it. */
  PodView view();

  default String uid() {
    return view().uid();
  }

  default boolean isOn(String node) {
    return view().nodeName().equals(node);
  }

  /** What is to be told of it now. */
  PodReport report();

  /** Adds the ids of the images that its containers have, or are about to have. */
  void addImages(Set<String> ids);
}
