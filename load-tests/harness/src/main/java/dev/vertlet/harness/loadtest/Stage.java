package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.load.PodLoad;
import dev.vertlet.harness.run.LoadSession;
import dev.vertlet.harness.servicelevel.ControlPlaneRecorder;
import dev.vertlet.harness.subject.Subject;
import java.util.Optional;

/**
 * Parts of a run that is ready to start; the subject does not run yet.
 *
 * @param version version of the subject for display; empty if unknown
 * @param recorder record of the control plane; empty for an embedded API server
 */
record Stage(
    LoadTestOptions options,
    LoadPlan plan,
    LoadSession session,
    Subject subject,
    String version,
    Faults faults,
    Optional<ControlPlaneRecorder> recorder,
    Steps steps) {
  PodLoad load() {
    return session.load();
  }
}
