package dev.vertlet.process.shim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.host.logs.LogSegments;
import dev.vertlet.host.proc.Proc;
import dev.vertlet.process.Definition;
import dev.vertlet.process.ShimLab;
import dev.vertlet.process.ShimLab.Container;
import dev.vertlet.provider.container.FileIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
final class ShimMountsTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path root;

  @SuppressWarnings("NullAway.Init") // set before each test
  private ShimLab lab;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Path volume;

  @BeforeEach
  void openLab() throws IOException {
    lab = new ShimLab(root);
    Assumptions.assumeTrue(lab.mounts().namespace(), lab.mounts().problem());
    volume = Files.createDirectory(root.resolve("volume"));
    Files.writeString(volume.resolve("key"), "value\n");
  }

  @AfterEach
  void closeLab() throws IOException {
    lab.close();
  }

  /** An ordinary user has the second alone; root may have both. */
  private void assumePossible(String mode) {
    boolean root = lab.mounts().kind().equals("namespace");
    Assumptions.assumeTrue(root || lab.mounts().kind().equals(mode), "this user is not root");
  }

  private static Definition mount(Definition definition, Path source, String target) {
    return definition.with("source", source).with("target", target);
  }

  private static List<String> log(Container container) throws IOException {
    return Files.readAllLines(container.directory().resolve(LogSegments.CURRENT)).stream()
        .map(line -> line.substring(ShimLab.TEXT))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"namespace", "user-namespace"})
  void mountsAtPathsThatTheHostDoesNotHave(String mode) throws IOException {
    assumePossible(mode);
    Definition definition =
        lab.definition("sh", "-c", "cat /vertlet-a/b/key /etc/vertlet-a; id -u; ls /etc/passwd")
            .with("mounts", mode);
    mount(definition, volume, "/vertlet-a/b");
    mount(definition, volume.resolve("key"), "/etc/vertlet-a");
    Container container = lab.start(definition);

    assertThat(container.started().output()).isEqualTo("ok");
    assertThat(container.end().number("code")).isZero();
    assertThat(log(container))
        .containsExactly("value", "value", Long.toString(Proc.user()), "/etc/passwd");
    assertThat(Path.of("/vertlet-a")).doesNotExist();
    assertThat(Path.of("/etc/vertlet-a")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"namespace", "user-namespace"})
  void commandsSeeTheMounts(String mode) throws Exception {
    assumePossible(mode);
    Container container =
        lab.start(
            mount(lab.definition("sleep", "1000").with("mounts", mode), volume, "/vertlet-a"));

    ShimLab.Client client = lab.execute(container, 0, "cat", "/vertlet-a/key");

    assertThat(client.until(Message.END).text()).isEqualTo("code=0\n");
    assertThat(client.output()).isEqualTo("value\n");
  }

  @Test
  void writesReachTheVolumeUnlessItIsReadOnly() throws IOException {
    Definition definition =
        lab.definition("sh", "-c", "echo new > /a/file; echo new > /b/other || echo refused")
            .with("mounts", lab.mounts().kind());
    mount(definition, volume, "/a");
    mount(definition, volume, "/b").with("readOnly", "1");
    Container container = lab.start(definition);

    assertThat(container.end().number("code")).isZero();
    assertThat(volume.resolve("file")).hasContent("new");
    assertThat(volume.resolve("other")).doesNotExist();
    assertThat(log(container)).contains("refused");
  }

  @Test
  void mountsInVolumesAndInImagesWithARootOfTheirOwn() throws IOException {
    Assumptions.assumeTrue(Files.isSymbolicLink(Path.of("/bin")), "programs are not in /usr alone");
    Path image = Files.createDirectory(root.resolve("image"));
    for (String name : List.of("bin", "lib", "lib64")) {
      Files.createSymbolicLink(image.resolve(name), Path.of("usr", name));
    }
    Definition definition =
        lab.definition("sh", "-c", "ls /; cat /data/key /data/deep/key")
            .with("root", image)
            .with("mounts", lab.mounts().kind());
    mount(definition, Path.of("/usr"), "/usr");
    mount(definition, volume, "/data");
    mount(definition, volume, "/data/deep");
    Container container = lab.start(definition);

    assertThat(container.started().output()).isEqualTo("ok");
    assertThat(container.end().number("code")).isZero();
    assertThat(log(container))
        .containsExactly("bin", "data", "lib", "lib64", "usr", "value", "value");
    assertThat(image.resolve("usr")).doesNotExist();
  }

  @Test
  void aPathThatWasSwappedIsNotMounted() throws IOException {
    Path part = Files.createDirectory(volume.resolve("part"));
    FileIdentity checked = FileIdentity.of(part);
    Files.move(part, volume.resolve("moved"));
    Files.createSymbolicLink(part, Path.of("/etc"));
    Definition definition =
        mount(lab.definition("true").with("mounts", lab.mounts().kind()), part, "/vertlet-a");
    definition.with("device", checked.device()).with("inode", checked.inode());

    Container container = lab.start(definition);

    assertThat(container.started().output()).contains("error mounting: the path has changed: ");
    assertThat(container.end().number("code")).isEqualTo(128);
  }

  @Test
  void aMountThatFailsIsAStartErrorWithItsPath() throws IOException {
    Container container =
        lab.start(
            mount(
                lab.definition("true").with("mounts", lab.mounts().kind()),
                root.resolve("none"),
                "/vertlet-a"));

    assertThat(container.started().output())
        .isEqualTo(
            "unable to start container process: error mounting: open %s: no such file or directory"
                .formatted(root.resolve("none")));
  }
}
