package dev.vertlet.harness.it;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Skips what needs a registry of images where none is installed. */
final class RegistryCondition extends ToolCondition {
  RegistryCondition() {
    this(System.getenv(), System.out::println);
  }

  RegistryCondition(Map<String, String> environment, Consumer<String> teller) {
    super("Tests with a registry of images", environment, teller);
  }

  @Override
  Optional<String> missing() {
    return onPath(ImageRegistry.PROGRAM)
        ? Optional.empty()
        : Optional.of("no " + ImageRegistry.PROGRAM + " on PATH: the package of that name has it");
  }
}
