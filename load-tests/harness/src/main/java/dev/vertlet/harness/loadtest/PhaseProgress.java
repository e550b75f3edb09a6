package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.load.Counts;
import dev.vertlet.harness.scenario.Phase;

/** How far a phase is, for a progress bar. */
final class PhaseProgress {
  private PhaseProgress() {}

  /** What it has to do; a hold's seconds; 0 where nobody knows. */
  static long total(Phase phase) {
    if (phase instanceof Phase.Create create) {
      return create.lifetime().isPresent() ? 2L * create.pods() : create.pods();
    }
    if (phase instanceof Phase.Deploy deploy) {
      return (long) deploy.deployments() * deploy.replicas();
    }
    if (phase instanceof Phase.Update update) {
      return update.updates();
    }
    if (phase instanceof Phase.Delete delete) {
      return delete.pods();
    }
    return phase instanceof Phase.Hold hold ? hold.lasting().toSeconds() : 0;
  }

  /** So much of it is done. */
  static long done(Phase phase, Counts counts, double seconds) {
    if (phase instanceof Phase.Hold) {
      return (long) seconds;
    }
    if (phase instanceof Phase.Update) {
      return counts.updates();
    }
    return (long) counts.ready() + counts.gone() + counts.lost();
  }
}
