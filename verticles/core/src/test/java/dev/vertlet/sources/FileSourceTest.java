package dev.vertlet.sources;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.vertlet.manifest.Manifests;
import dev.vertlet.manifest.SourceContents;
import dev.vertlet.manifest.StaticPod;
import dev.vertlet.testsupport.fuzz.YamlBombs;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** kubelet §11.4: what of a directory is read. */
@ExtendWith(VertxExtension.class)
class FileSourceTest {
  @TempDir private Path folder;

  private static SourceContents read(Vertx vertx, Path path) {
    return get(new FileSource(vertx, path, "node").read());
  }

  private Path write(String file, String pod) throws IOException {
    return Files.writeString(
        folder.resolve(file),
        "{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {containers: [{name: a, image: x}]}}"
            .formatted(pod));
  }

  @Test
  void readsTheFilesOfADirectoryInOrder(Vertx vertx) throws IOException {
    write("b.yaml", "first");
    write("c", "second");
    write("a.json", "zeroth");
    write(".d.yaml", "hidden");
    Files.createDirectory(folder.resolve("more"));
    write("more/e.yaml", "deeper");

    SourceContents reading = read(vertx, folder);

    assertThat(reading.pods())
        .extracting(pod -> pod.view().name())
        .containsExactly("zeroth-node", "first-node", "second-node");
    assertThat(reading.problems())
        .extracting(SourceContents.Problem::toString)
        .containsExactly(folder.resolve("more") + ": is a directory, which is not read");
  }

  @Test
  void aFileIsOneManifestAndNothingIsNone(Vertx vertx) throws IOException {
    Path file = write("b.yaml", "only");

    assertThat(read(vertx, file).pods()).hasSize(1);
    assertThat(read(vertx, folder.resolve("absent"))).isEqualTo(SourceContents.EMPTY);
  }

  @Test
  void aFileIsParsedAgainOnlyWhenItHasChanged(Vertx vertx) throws IOException {
    write("a.yaml", "web");
    Files.writeString(folder.resolve("b.yaml"), "kind: [");
    FileSource source = new FileSource(vertx, folder, "node");
    StaticPod before = get(source.read()).pods().get(0);

    SourceContents again = get(source.read());

    assertThat(again.pods()).hasSize(1);
    assertThat(again.pods().get(0)).isSameAs(before);
    assertThat(again.problems()).hasSize(1);
    write("a.yaml", "other");
    assertThat(get(source.read()).pods())
        .extracting(StaticPod::fullName)
        .containsExactly("other-node_default");
  }

  @Test
  void whatCannotBeListedSaysWhyAndIsNoEmptyDirectory(Vertx vertx) throws IOException {
    Set<PosixFilePermission> all = Files.getPosixFilePermissions(folder);
    Files.setPosixFilePermissions(folder, Set.of());
    try {
      // root may list anything
      assumeThat(Files.isReadable(folder)).isFalse();
      assertThatThrownBy(() -> read(vertx, folder))
          .hasMessage("cannot be listed: java.nio.file.AccessDeniedException: " + folder);
    } finally {
      Files.setPosixFilePermissions(folder, all);
    }
  }

  @Test
  void aFileThatIsTooLargeIsNotRead(Vertx vertx) throws IOException {
    Path file = folder.resolve("large.yaml");
    try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength(Manifests.MAX_BYTES + 1L);
    }

    assertThat(read(vertx, folder).problems())
        .extracting(SourceContents.Problem::reason)
        .containsExactly("has more than 10485760 bytes");
  }

  @Test
  void aFileThatGrowsIsRefusedAndTheOthersAreRead(Vertx vertx) throws IOException {
    write("zz.yaml", "last");
    for (Map.Entry<String, String> bomb : YamlBombs.all().entrySet()) {
      Files.writeString(folder.resolve(bomb.getKey() + ".yaml"), bomb.getValue());
    }

    SourceContents reading = read(vertx, folder);

    assertThat(reading.pods()).extracting(pod -> pod.view().name()).containsExactly("last-node");
    assertThat(reading.problems())
        .hasSize(YamlBombs.all().size())
        .extracting(SourceContents.Problem::reason)
        .allMatch(reason -> reason.startsWith("has ") || reason.startsWith("is neither YAML "));
  }
}
