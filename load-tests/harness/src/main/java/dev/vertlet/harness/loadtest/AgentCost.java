package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.measure.ProcessUsage;
import java.time.Duration;

/**
 * What the agent's process took.
 *
 * @param before when its nodes were Ready and no pod was there
 * @param up when all pods were Ready
 * @param down when all pods were gone
 */
record AgentCost(ProcessUsage before, ProcessUsage up, ProcessUsage down) {
  /** CPU milliseconds per pod brought up; leases and watches of that time are in it. */
  double cpuMillisUp(int pods) {
    return perPod(before, up, pods);
  }

  /** The same per pod removed. */
  double cpuMillisDown(int pods) {
    return perPod(up, down, pods);
  }

  private static double perPod(ProcessUsage from, ProcessUsage to, int pods) {
    Duration used = to.cpu().minus(from.cpu());
    return pods == 0 ? 0 : used.toNanos() / 1e6 / pods;
  }
}
