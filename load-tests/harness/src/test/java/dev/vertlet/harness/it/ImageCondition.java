package dev.vertlet.harness.it;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Skips what runs the image where none was built, or where nobody can run it. */
final class ImageCondition extends ToolCondition {
  private static final List<String> PROGRAMS = List.of("containerd", "ctr", "runc");

  private final Path folder;
  private final boolean root;

  ImageCondition() {
    this(
        System.getenv(),
        Image.FOLDER,
        "root".equals(System.getProperty("user.name")),
        System.out::println);
  }

  ImageCondition(
      Map<String, String> environment, Path folder, boolean root, Consumer<String> teller) {
    super("Tests of the image", environment, teller);
    this.folder = folder;
    this.root = root;
  }

  @Override
  Optional<String> missing() {
    if (!Files.isRegularFile(folder.resolve(Image.WHOLE))) {
      return Optional.of("no " + Image.WHOLE + " in image/target: mvn -Pimage package makes it");
    }
    if (!root) {
      return Optional.of("containers are run by root alone");
    }
    return PROGRAMS.stream()
        .filter(program -> !onPath(program))
        .findFirst()
        .map(program -> "no " + program + " on PATH");
  }
}
