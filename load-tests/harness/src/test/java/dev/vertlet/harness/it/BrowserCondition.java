package dev.vertlet.harness.it;

import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips what needs a browser where there is none, and says so; CI must have one. */
final class BrowserCondition implements ExecutionCondition {
  private static final String NONE =
      "no chromium, chromium-browser or google-chrome on PATH, and no CHROME_BIN";

  private final Map<String, String> environment;
  private final Consumer<String> teller;

  BrowserCondition() {
    this(System.getenv(), System.out::println);
  }

  BrowserCondition(Map<String, String> environment, Consumer<String> teller) {
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
    if (Browser.find(environment).isPresent()) {
      return ConditionEvaluationResult.enabled("a browser is there");
    }
    if ("true".equalsIgnoreCase(environment.get("CI"))) {
      throw new IllegalStateException("CI=true, and " + NONE);
    }
    teller.accept("Browser tests skipped: " + NONE);
    return ConditionEvaluationResult.disabled(NONE);
  }
}
