package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.load.PodLoad;
import dev.vertlet.harness.run.LoadSession;
import dev.vertlet.harness.subject.Subject;

/**
 * Everything that a run needs, ready to begin: the subject is there and does not run yet.
 *
 * @param version of the subject, for people; empty when nobody knows
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
