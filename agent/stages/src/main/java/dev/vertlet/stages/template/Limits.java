package dev.vertlet.stages.template;

/** Bounds of one rendering. */
final class Limits {
  /**
   * Templates that call each other, and expressions in parentheses. Go allows 100,000 and 10,000 on
   * stacks that grow; a Java thread's stack of 512 KiB holds 250 of the deepest frames with room to
   * spare.
   */
  static final int DEPTH = 250;

  /** Characters of output; a status of an object must fit in etcd's 1.5 MiB. */
  static final int OUTPUT = 8 * 1024 * 1024;

  /** Iterations of all ranges of one rendering, so that a rendering ends within seconds. */
  static final int ITERATIONS = 1_000_000;

  private Limits() {}
}
