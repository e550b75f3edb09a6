package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.load.PodLoad;
import dev.vertlet.harness.run.LoadSession;
import dev.vertlet.harness.subject.Subject;

/**
 * Parts of a run that is ready to start; the subject does not run yet.
 *
 * @param version version of the subject for display; empty if unknown
 */
record Stage(
    LoadTestOptions options,
    LoadPlan plan,
    LoadSession session,
    Subject subject,
    String version,
    Faults faults,
    Steps steps) {
  PodLoad load() {
    return session.load();
  }
}
