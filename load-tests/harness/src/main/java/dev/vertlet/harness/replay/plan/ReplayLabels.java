package dev.vertlet.harness.replay.plan;

/** Labels and annotations by which a replay knows what it made. */
public final class ReplayLabels {
  /** Label of everything that a replay makes; its value is the replay's id. */
  public static final String REPLAY = "vertlet.dev/replay";

  /**
   * Annotation of pods: the position of their workload in {@link Recording#workloads} and the
   * number of their template, as {@code 3/0}.
   */
  public static final String TEMPLATE = "vertlet.dev/replay-template";

  /** Annotation of pods that are made one by one: position in {@link Recording#lives}. */
  public static final String LIFE = "vertlet.dev/replay-life";

  private ReplayLabels() {}

  /** Selector of what one replay made. */
  public static String selector(String id) {
    return REPLAY + "=" + id;
  }
}
