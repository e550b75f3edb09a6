package dev.vertlet.harness.it;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Skips what needs a program that the package of its name has, where it is not installed. */
abstract class PackagedCondition extends ToolCondition {
  private final String program;

  PackagedCondition(
      String program, String tests, Map<String, String> environment, Consumer<String> teller) {
    super(tests, environment, teller);
    this.program = program;
  }

  @Override
  final Optional<String> missing() {
    return onPath(program)
        ? Optional.empty()
        : Optional.of("no " + program + " on PATH: the package of that name has it");
  }
}
