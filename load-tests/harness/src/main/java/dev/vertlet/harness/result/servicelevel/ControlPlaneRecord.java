package dev.vertlet.harness.result.servicelevel;

import java.util.List;

/**
 * What a control plane went through.
 *
 * @param notes why figures are missing; empty for a complete record
 * @param requests latencies by the API server's own metrics, the most frequent kinds first
 * @param totals figures of the whole record
 * @param objects stored objects of each resource at the end, the most first
 * @param components usage of each program, if known
 * @param samples samples in order of time
 */
public record ControlPlaneRecord(
    List<String> notes,
    List<RequestLatency> requests,
    Totals totals,
    List<ObjectCount> objects,
    List<ComponentUsage> components,
    List<ControlPlaneSample> samples) {
  public ControlPlaneRecord {
    notes = List.copyOf(notes);
    requests = List.copyOf(requests);
    objects = List.copyOf(objects);
    components = List.copyOf(components);
    samples = List.copyOf(samples);
  }

  /**
   * Figures of the whole record; NaN without a measurement.
   *
   * @param rejected requests answered with 429
   * @param terminated requests that the API server ended in self-defence
   * @param watchEvents events sent to watches
   * @param etcdP99 99th percentile of the API server's requests to etcd, in milliseconds
   * @param schedulingAttempts attempts of the scheduler to place a pod
   * @param unschedulable those of them that found no node or failed
   * @param schedulingP99 99th percentile of an attempt's time, in milliseconds
   */
  public record Totals(
      double rejected,
      double terminated,
      double watchEvents,
      double etcdP99,
      double schedulingAttempts,
      double unschedulable,
      double schedulingP99) {
    /** Nothing was measured. */
    public static final Totals NONE =
        new Totals(
            Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  /** Number of stored objects of a resource. */
  public record ObjectCount(String resource, long count) {}
}
