package dev.vertlet.harness.it;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips what needs a registry of images where none is installed, and says so; CI must have one. */
final class RegistryCondition implements ExecutionCondition {
  private static final String NONE =
      "no " + ImageRegistry.PROGRAM + " on PATH: the package of that name has it";

  private final Map<String, String> environment;
  private final Consumer<String> teller;

  RegistryCondition() {
    this(System.getenv(), System.out::println);
  }

  RegistryCondition(Map<String, String> environment, Consumer<String> teller) {
    this.environment = environment;
    this.teller = teller;
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return context.getTestMethod().isPresent()
        ? ConditionEvaluationResult.enabled("its class is")
        : evaluate();
  }

  ConditionEvaluationResult evaluate() {
    boolean found =
        Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(place -> Files.isExecutable(Path.of(place, ImageRegistry.PROGRAM)));
    if (found) {
      return ConditionEvaluationResult.enabled("a registry is there");
    }
    if ("true".equalsIgnoreCase(environment.get("CI"))) {
      throw new IllegalStateException("CI=true, and " + NONE);
    }
    teller.accept("Tests with a registry of images skipped: " + NONE);
    return ConditionEvaluationResult.disabled(NONE);
  }
}
