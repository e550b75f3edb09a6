package dev.vertlet.harness.replay.report;

import java.util.List;

/**
 * What happened in one run, recorded or replayed.
 *
 * @param millis length of the run in the recording's time
 */
public record RunTimes(List<PodTimes> pods, List<NodeTimes> nodes, long millis) {
  public RunTimes {
    pods = List.copyOf(pods);
    nodes = List.copyOf(nodes);
  }

  /**
   * Returns the run in the recording's time.
   *
   * @param speed recorded time per time of this run
   */
  public RunTimes scaledBack(double speed) {
    double factor = 1 / speed;
    return new RunTimes(
        pods.stream()
            .map(
                pod ->
                    new PodTimes(
                        pod.name(),
                        pod.workload(),
                        pod.node(),
                        pod.demand(),
                        pod.initial(),
                        pod.at().dividedBy(factor)))
            .toList(),
        nodes.stream()
            .map(
                node ->
                    new NodeTimes(
                        node.name(),
                        node.group(),
                        node.allocatable(),
                        Math.round(node.came() * speed),
                        node.left() == PodTimes.NEVER
                            ? PodTimes.NEVER
                            : Math.round(node.left() * speed)))
            .toList(),
        Math.round(millis * speed));
  }
}
