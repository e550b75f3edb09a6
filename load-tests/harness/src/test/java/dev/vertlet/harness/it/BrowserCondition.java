package dev.vertlet.harness.it;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Skips what needs a browser where there is none. */
final class BrowserCondition extends ToolCondition {
  private final Map<String, String> environment;

  BrowserCondition() {
    this(System.getenv(), System.out::println);
  }

  BrowserCondition(Map<String, String> environment, Consumer<String> teller) {
    super("Browser tests", environment, teller);
    this.environment = environment;
  }

  @Override
  Optional<String> missing() {
    return Browser.find(environment).isPresent()
        ? Optional.empty()
        : Optional.of("no chromium, chromium-browser or google-chrome on PATH, and no CHROME_BIN");
  }
}
