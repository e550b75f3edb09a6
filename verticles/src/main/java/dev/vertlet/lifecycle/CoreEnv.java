package dev.vertlet.lifecycle;

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
record CoreEnv(
    ContainerRuntime runtime,
    CoreLoop loop,
    ProviderContext context,
    PodEvents events,
    CoreMeters meters) {
  Clock clock() {
    return context.clock();
  }

  RandomGenerator random() {
    return context.random();
  }
}
