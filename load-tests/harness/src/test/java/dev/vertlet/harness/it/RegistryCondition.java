package dev.vertlet.harness.it;

import java.util.Map;
import java.util.function.Consumer;

/** Skips what needs a registry of images where none is installed. */
final class RegistryCondition extends PackagedCondition {
  RegistryCondition() {
    this(System.getenv(), System.out::println);
  }

  RegistryCondition(Map<String, String> environment, Consumer<String> teller) {
    super(ImageRegistry.PROGRAM, "Tests with a registry of images", environment, teller);
  }
}
