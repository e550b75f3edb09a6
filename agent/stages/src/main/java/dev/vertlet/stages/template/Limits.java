package dev.vertlet.stages.template;

/** Bounds of one template and one rendering. */
final class Limits {
  /**
   * Templates that call each other, and actions and parentheses inside each other. Go allows
   * 100,000 and 10,000 on stacks that grow; here 250 of each fit into the 1 MiB of a Java thread.
   */
  static final int DEPTH = 250;

  /** Characters of output and of one value; a status of an object must fit in etcd's 1.5 MiB. */
  static final int OUTPUT = 8 * 1024 * 1024;

  /** Iterations of all ranges of one rendering, and elements of one list. */
  static final int ITERATIONS = 1_000_000;

  private Limits() {}
}
