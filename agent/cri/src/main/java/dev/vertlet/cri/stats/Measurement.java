package dev.vertlet.cri.stats;

import dev.vertlet.cri.wire.ImageMessages.FilesystemUsage;
import dev.vertlet.cri.wire.StatsMessages.ContainerStats;
import dev.vertlet.cri.wire.StatsMessages.PodSandboxStats;
import java.util.List;

/**
 * What the runtime said at one time.
 *
 * @param containers running ones and others
 * @param sandboxes empty if the runtime does not measure them
 * @param imageFilesystems where images are
 */
record Measurement(
    List<ContainerStats> containers,
    List<PodSandboxStats> sandboxes,
    List<FilesystemUsage> imageFilesystems) {
  Measurement {
    containers = List.copyOf(containers);
    sandboxes = List.copyOf(sandboxes);
    imageFilesystems = List.copyOf(imageFilesystems);
  }
}
