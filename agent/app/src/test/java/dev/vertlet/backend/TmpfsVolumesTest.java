package dev.vertlet.backend;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Mount points as the kernel lists them. */
class TmpfsVolumesTest {
  private static final Path POD = Path.of("/var/lib/v/pods/uid 1");

  private static byte[] mounts(String... points) {
    StringBuilder lines = new StringBuilder();
    for (String point : points) {
      lines.append("31 1 0:27 / ").append(point).append(" rw,relatime - tmpfs tmpfs rw\n");
    }
    return lines.toString().getBytes(ISO_8859_1);
  }

  @Test
  void aMountPointOfOthersNeedNotBeUtf8() {
    byte[] mounts = mounts("/mnt/\u00e9t\u00e9", "/var/lib/v/pods/uid\\0401/volumes/e");

    assertThat(TmpfsVolumes.mounted(POD, mounts)).containsExactly(POD.resolve("volumes/e"));
  }

  @Test
  void theDeepestMountPointComesFirstAndThatOfAnotherPodNever() {
    byte[] mounts =
        mounts(
            "/var/lib/v/pods/uid\\0401",
            "/var/lib/v/pods/uid\\0401/volumes/e",
            "/var/lib/v/pods/uid\\04012/volumes/e");

    assertThat(TmpfsVolumes.mounted(POD, mounts)).containsExactly(POD.resolve("volumes/e"), POD);
  }
}
