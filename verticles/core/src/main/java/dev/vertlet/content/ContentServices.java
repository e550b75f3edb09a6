package dev.vertlet.content;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ProviderContext;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** What the contents of pods use from their start to their stop. */
record ContentServices(ProviderContext context, CoreLoop loop, FileTasks files) {
  RandomGenerator random() {
    return context.random();
  }

  Instant instant() {
    return context.clock().instant();
  }

  /** Epoch milliseconds. */
  long now() {
    return context.clock().millis();
  }

  /** Returns the end of a pause that begins now, stretched by up to half, epoch milliseconds. */
  long after(long pause) {
    return now() + (long) (pause * (1 + random().nextDouble() / 2));
  }

  /** Writes a Warning event of a pod. */
  void warn(PodView pod, String reason, String message) {
    PodRef ref = pod.ref();
    context.event(
        new ObjectEvent(
            "Pod",
            ref.namespace(),
            ref.name(),
            ref.uid(),
            "",
            ObjectEvent.WARNING,
            reason,
            message,
            pod.nodeName()));
  }
}
