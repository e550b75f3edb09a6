package dev.vertlet.harness.replay.plan;

import dev.vertlet.trace.WorkloadRef;
import org.jspecify.annotations.Nullable;

/**
 * Run of a CronJob, as it follows from its pods: a trace does not have the Job between them. The
 * replay's CronJob is suspended, because its schedule is one of the wall clock.
 *
 * @param name of the Job
 * @param created offset of its first pod
 * @param gone offset at which its last pod went; null if one stayed
 */
record CronRun(WorkloadRef cronJob, String name, long created, @Nullable Long gone) {
  WorkloadRef job() {
    return new WorkloadRef(cronJob.apiVersion(), "Job", cronJob.namespace(), name);
  }

  /** Whether it was over before the recording began. */
  boolean before() {
    return gone != null && gone <= 0;
  }
}
