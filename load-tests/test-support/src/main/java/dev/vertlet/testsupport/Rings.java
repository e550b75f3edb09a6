package dev.vertlet.testsupport;

/**
 * The two rings of tests: {@code mvn verify} runs {@code daily}; {@code .ci/full} runs {@code full}
 * with {@code -Dvertlet.test.ring=full}.
 */
public final class Rings {
  private static final String RING = "vertlet.test.ring";

  private Rings() {}

  /** Whether all tests run, with all seeds and rounds. */
  public static boolean isFull() {
    return isFull(System.getProperty(RING, "daily"));
  }

  static boolean isFull(String ring) {
    return switch (ring) {
      case "daily" -> false;
      case "full" -> true;
      default ->
          throw new IllegalArgumentException("-D" + RING + "=" + ring + ": must be daily or full");
    };
  }
}
