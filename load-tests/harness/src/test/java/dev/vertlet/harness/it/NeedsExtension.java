package dev.vertlet.harness.it;

import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Skips the classes whose {@link Needs} are not met. */
final class NeedsExtension implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<Needs> needs = AnnotationSupport.findAnnotation(context.getElement(), Needs.class);
    if (needs.isEmpty()) {
      return ConditionEvaluationResult.enabled("decided for the class");
    }
    Tool tool = needs.get().value();
    Optional<String> missing = tool.missing();
    if (missing.isEmpty()) {
      return ConditionEvaluationResult.enabled(tool + " is available");
    }
    if ("true".equalsIgnoreCase(System.getenv("CI"))) {
      throw new IllegalStateException("CI=true, and " + missing.get());
    }
    System.out.printf("%s skipped: %s%n", context.getDisplayName(), missing.get());
    return ConditionEvaluationResult.disabled(missing.get());
  }
}
