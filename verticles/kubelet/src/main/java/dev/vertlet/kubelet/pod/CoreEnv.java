package dev.vertlet.kubelet.pod;

import dev.vertlet.loop.CoreLoop;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.pod.ProviderContext;
import java.time.Clock;
import java.util.random.RandomGenerator;

/**
 * Shared by all parts of one core.
 *
 * @param loop owns the state of all pods
 * @param meters measure what happens to pods
 * @param listener receives the containers that the core starts
 */
public record CoreEnv(
    ContainerRuntime runtime,
    CoreLoop loop,
    ProviderContext context,
    PodEvents events,
    CoreMeters meters,
    ContainerListener listener) {
  public Clock clock() {
    return context.clock();
  }

  public RandomGenerator random() {
    return context.random();
  }
}
