package dev.vertlet.harness.it;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a class whose tests need what is not on every machine, and says so; CI must have it. */
abstract class ToolCondition implements ExecutionCondition {
  private final String tests;
  private final Map<String, String> environment;
  private final Consumer<String> teller;

  /**
   * @param tests which, as they are called where they are skipped
   */
  ToolCondition(String tests, Map<String, String> environment, Consumer<String> teller) {
    this.tests = tests;
    this.environment = environment;
    this.teller = teller;
  }

  /** What is not there, and where it comes from; empty when all is. */
  abstract Optional<String> missing();

  final boolean onPath(String program) {
    return Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  @Override
  public final ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return context.getTestMethod().isPresent()
        ? ConditionEvaluationResult.enabled("its class is")
        : evaluate();
  }

  final ConditionEvaluationResult evaluate() {
    Optional<String> missing = missing();
    if (missing.isEmpty()) {
      return ConditionEvaluationResult.enabled("what it needs is there");
    }
    if ("true".equalsIgnoreCase(environment.get("CI"))) {
      throw new IllegalStateException("CI=true, and " + missing.get());
    }
    teller.accept(tests + " skipped: " + missing.get());
    return ConditionEvaluationResult.disabled(missing.get());
  }
}
