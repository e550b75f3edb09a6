package dev.vertlet.cri.container;

import dev.vertlet.cri.sandbox.PodMarks;
import dev.vertlet.host.files.Workers;
import io.vertx.core.Future;

/** Reads what configurations of containers need of this host. */
public final class ContainerSetup {
  private ContainerSetup() {}

  /** Reads the host's settings, once, before the first container is started. */
  public static Future<Void> prepare(
      Containers containers, PodMarks marks, HostSettings host, Workers workers) {
    return workers
        .call(
            () ->
                new ContainerConfigs(
                    marks,
                    host,
                    MaskedPaths.ofHost(),
                    HugepageLimits.sizes(),
                    MemoryControls.ofHost()))
        .onSuccess(containers::use)
        .mapEmpty();
  }
}
