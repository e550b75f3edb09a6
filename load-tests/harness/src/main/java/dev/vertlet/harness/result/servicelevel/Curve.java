package dev.vertlet.harness.result.servicelevel;

/** Figure of a control plane over time; per second and of the time since the sample before. */
public enum Curve {
  REQUESTS("requests_per_s"),
  MUTATING_P99("mutating_p99_ms"),
  SINGLE_READS_P99("single_reads_p99_ms"),
  LISTS_P99("lists_p99_ms"),
  /** Requests that change objects and are being served; a watch counts only until it is open. */
  IN_FLIGHT_MUTATING("in_flight_mutating"),
  IN_FLIGHT_READS("in_flight_reads"),
  /** Requests answered with 429. */
  REJECTED("rejected_per_s"),
  /** Requests that the API server ended in self-defence, for example after its own time limit. */
  TERMINATED("terminated_per_s"),
  WATCH_EVENTS("watch_events_per_s"),
  ETCD_P99("etcd_p99_ms"),
  /** Stored objects of all resources. */
  OBJECTS("objects"),
  SCHEDULING_ATTEMPTS("scheduling_attempts_per_s"),
  SCHEDULING_P99("scheduling_p99_ms");

  private final String key;

  Curve(String key) {
    this.key = key;
  }

  /** Name in results. */
  public String key() {
    return key;
  }
}
