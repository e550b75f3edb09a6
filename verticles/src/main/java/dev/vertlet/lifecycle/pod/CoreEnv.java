package dev.vertlet.lifecycle.pod;

import dev.vertlet.loop.CoreLoop;
import dev.vertlet.provider.ContainerRuntime;
import dev.vertlet.provider.ProviderContext;
import java.time.Clock;
import java.util.random.RandomGenerator;

/**
 * What all parts of one core share.
 *
 * @param loop that the state of all pods belongs to
 * @param meters told what becomes of pods
 */
public record CoreEnv(
    ContainerRuntime runtime,
    CoreLoop loop,
    ProviderContext context,
    PodEvents events,
    CoreMeters meters) {
  public Clock clock() {
    return context.clock();
  }

  public RandomGenerator random() {
    return context.random();
  }
}
