package dev.vertlet.simulation;

/** An invariant did not hold. Says which one, and where. */
final class BrokenInvariant extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Invariant invariant;

  BrokenInvariant(Invariant invariant, String what) {
    super(invariant + ": " + what);
    this.invariant = invariant;
  }

  Invariant invariant() {
    return invariant;
  }
}
