package dev.vertlet.harness.it;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips what runs the image where none was built, or where nobody can run it, and says so; CI must
 * have both.
 */
final class ImageCondition implements ExecutionCondition {
  private static final List<String> PROGRAMS = List.of("containerd", "ctr", "runc");

  private final Map<String, String> environment;
  private final Path folder;
  private final boolean root;
  private final Consumer<String> teller;

  ImageCondition() {
    this(
        System.getenv(),
        Image.FOLDER,
        "root".equals(System.getProperty("user.name")),
        System.out::println);
  }

  ImageCondition(
      Map<String, String> environment, Path folder, boolean root, Consumer<String> teller) {
    this.environment = environment;
    this.folder = folder;
    this.root = root;
    this.teller = teller;
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return context.getTestMethod().isPresent()
        ? ConditionEvaluationResult.enabled("its class is")
        : evaluate();
  }

  ConditionEvaluationResult evaluate() {
    Optional<String> missing = missing();
    if (missing.isEmpty()) {
      return ConditionEvaluationResult.enabled("an image and what runs it are there");
    }
    if ("true".equalsIgnoreCase(environment.get("CI"))) {
      throw new IllegalStateException("CI=true, and " + missing.get());
    }
    teller.accept("Tests of the image skipped: " + missing.get());
    return ConditionEvaluationResult.disabled(missing.get());
  }

  private Optional<String> missing() {
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

  private boolean onPath(String program) {
    return Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }
}
