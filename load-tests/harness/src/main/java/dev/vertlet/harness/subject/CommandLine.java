package dev.vertlet.harness.subject;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Command line of a process.
 *
 * @param words the program and its arguments
 * @param environment complete environment
 */
record CommandLine(List<String> words, Map<String, String> environment) {
  /** Prefix of variables that override vertlet's configuration; not passed to a subject. */
  private static final String OWN_VARIABLES = "VERTLET_";

  /** Prefix of variables of the container runtime that {@code load-tests/cri/run} has started. */
  private static final String RUNTIME_VARIABLES = "VERTLET_CRI_";

  CommandLine {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
  }

  /** Variables of the load test's environment, overridden by those of the subject. */
  static Map<String, String> environment(Map<String, String> load, Map<String, String> subject) {
    Map<String, String> environment = new HashMap<>(load);
    environment
        .keySet()
        .removeIf(name -> name.startsWith(OWN_VARIABLES) && !name.startsWith(RUNTIME_VARIABLES));
    environment.putAll(subject);
    return environment;
  }
}
