package dev.vertlet.harness.servicelevel;

import dev.vertlet.harness.measure.ProcessUsage;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Control plane to record.
 *
 * @param kubeconfig kubeconfig of a user who may read {@code /metrics} of the API server
 * @param scheduler kubeconfig whose server is the scheduler's own port; empty where it is not
 *     reachable
 * @param usage usage of its programs by name, as far as they are local; reads files and may block
 */
public record RecordedPlane(
    Path kubeconfig, Optional<Path> scheduler, Supplier<Map<String, ProcessUsage>> usage) {
  /** Control plane elsewhere: only what its API server tells. */
  public static RecordedPlane remote(Path kubeconfig) {
    return new RecordedPlane(kubeconfig, Optional.empty(), Map::of);
  }
}
