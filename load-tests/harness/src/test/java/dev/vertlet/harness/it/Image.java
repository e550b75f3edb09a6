package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An image as {@code mvn -Pimage package} leaves it, an archive as {@code docker save} makes it.
 *
 * @param folder where its archive is unpacked
 */
record Image(Path archive, Path folder) {
  static final Path FOLDER = Path.of("..", "..", "image", "target").toAbsolutePath().normalize();

  /** The one that is shipped. */
  static final String WHOLE = "vertlet.tar";

  /** The same without what differs from build to build. */
  static final String PLAIN = "vertlet-plain.tar";

  /** Unpacks the archive of that name. */
  static Image unpack(String name, Path folder) throws IOException, InterruptedException {
    Path archive = FOLDER.resolve(name);
    Path into = Files.createDirectory(folder.resolve(name.replace(".tar", "")));
    output(into, "tar", "--extract", "--file=" + archive, "--directory=" + into);
    return new Image(archive, into);
  }

  /** What is to be run: user, entry point, variables. */
  JsonObject config() throws IOException {
    String name = manifest().getString("Config");
    return new JsonObject(Files.readString(folder.resolve(name)));
  }

  /** Digests, the lowest first. */
  List<String> layers() throws IOException {
    return strings(config().getJsonObject("rootfs").getJsonArray("diff_ids"));
  }

  /** One line for each file of a layer: permissions, owner, size, time, name. */
  List<String> files(int layer) throws IOException, InterruptedException {
    String file = manifest().getJsonArray("Layers").getString(layer);
    return output(
            folder,
            "env",
            "TZ=UTC",
            "tar",
            "--list",
            "--verbose",
            "--numeric-owner",
            "--full-time",
            "--file=" + folder.resolve(file))
        .lines()
        .toList();
  }

  private JsonObject manifest() throws IOException {
    return new JsonArray(Files.readString(folder.resolve("manifest.json"))).getJsonObject(0);
  }

  static List<String> strings(JsonArray array) {
    return array.stream().map(String.class::cast).toList();
  }

  private static String output(Path dir, String... command)
      throws IOException, InterruptedException {
    Launcher.Outcome outcome = Launcher.await(Launcher.process(dir, List.of(command)).start(), dir);
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome.out();
  }
}
