package dev.vertlet.content.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.definition.VolumeDefinition;
import dev.vertlet.provider.container.ContainerMount;
import dev.vertlet.provider.container.ContainerMount.Propagation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mounts of the instances of one container. */
class ContainerFilesTest {
  @TempDir private Path dir;

  @Test
  void aHostPathIsCheckedForEachInstance() throws Exception {
    Path secret = Files.createDirectory(dir.resolve("secret"));
    Path shared = Files.createDirectories(dir.resolve("allowed/x"));
    HostPaths paths = new HostPaths(List.of(dir.resolve("allowed")));
    ContainerFiles files =
        new ContainerFiles(new PodDirectory(dir.resolve("pods"), "uid-p"), "c", paths);
    VolumeDefinition volume =
        new VolumeDefinition("h", "hostPath", new VolumeDefinition.HostPath(shared.toString(), ""));
    List<MountPlan.Planned> plan =
        List.of(new MountPlan.Planned(0, volume, "/h", "", false, false, Propagation.PRIVATE));
    ContainerFiles.Extras none = new ContainerFiles.Extras(null, "", 0, 0);
    assertThat(files.make(plan, none))
        .extracting(ContainerMount::hostPath)
        .containsExactly(shared.toRealPath());

    Files.delete(shared);
    Files.createSymbolicLink(shared, secret);

    assertThatThrownBy(() -> files.make(plan, none))
        .isInstanceOf(ContentException.class)
        .hasMessageContaining("is not allowed on this node");
  }
}
