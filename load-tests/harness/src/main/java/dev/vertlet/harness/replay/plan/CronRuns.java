package dev.vertlet.harness.replay.plan;

import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.WorkloadRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Groups the pods of CronJobs by their Jobs. */
final class CronRuns {
  private CronRuns() {}

  /** Runs in order of creation. */
  static List<CronRun> of(WorkloadRef cronJob, List<PodLife> lives) {
    Map<String, List<PodLife>> jobs = new LinkedHashMap<>();
    for (PodLife life : lives) {
      if (life.identity().owner().equals(cronJob)) {
        jobs.computeIfAbsent(job(life), name -> new ArrayList<>()).add(life);
      }
    }
    List<CronRun> runs = new ArrayList<>();
    jobs.forEach((name, pods) -> runs.add(run(cronJob, name, pods)));
    return runs;
  }

  private static CronRun run(WorkloadRef cronJob, String name, List<PodLife> pods) {
    Long gone = pods.get(0).times().created();
    for (PodLife pod : pods) {
      Long end = pod.times().gone();
      gone = gone == null || end == null ? null : Long.valueOf(Math.max(gone, end));
    }
    return new CronRun(cronJob, name, pods.get(0).times().created(), gone);
  }

  /**
   * Name of a pod's Job: the pod's without its random end, and without the completion index of an
   * indexed Job. Each pod of an anonymized trace is a run of its own.
   */
  private static String job(PodLife life) {
    String name = withoutEnd(life.identity().name());
    Integer index = life.identity().index();
    return index != null && name.endsWith("-" + index) ? withoutEnd(name) : name;
  }

  private static String withoutEnd(String name) {
    int dash = name.lastIndexOf('-');
    return dash <= 0 ? name : name.substring(0, dash);
  }
}
