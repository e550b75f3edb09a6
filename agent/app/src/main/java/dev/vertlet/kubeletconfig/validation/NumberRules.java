package dev.vertlet.kubeletconfig.validation;

import java.util.ArrayList;
import java.util.List;

/** Ranges of numeric fields. */
final class NumberRules {
  private static final long ANY = Long.MAX_VALUE;

  private static final List<Bounds> ALL =
      new Table()
          .notNegative("eventBurst", "event-burst")
          .notNegative("eventRecordQPS", "event-qps")
          .notNegative("kubeAPIBurst", "kube-api-burst")
          .notNegative("kubeAPIQPS", "kube-api-qps")
          .notNegative("maxOpenFiles", "max-open-files")
          .notNegative("maxPods", "max-pods")
          .notNegative("podsPerCore", "pods-per-core")
          .notNegative("registryBurst", "registry-burst")
          .notNegative("registryPullQPS", "registry-qps")
          .between("imageGCHighThresholdPercent", "image-gc-high-threshold", 0, 100)
          .between("imageGCLowThresholdPercent", "image-gc-low-threshold", 0, 100)
          .between("iptablesDropBit", "iptables-drop-bit", 0, 31)
          .between("iptablesMasqueradeBit", "iptables-masquerade-bit", 0, 31)
          .between("oomScoreAdj", "oom-score-adj", -1000, 1000)
          .between("port", "port", 1, 65_535)
          .between("readOnlyPort", "read-only-port", 0, 65_535)
          .bounds(
              "healthzPort",
              0,
              65_535,
              "healthzPort (--healthz-port) %d must be between 1 and 65535, inclusive")
          .bounds(
              "nodeStatusMaxImages",
              -1,
              ANY,
              "nodeStatusMaxImages (--node-status-max-images) %d must be -1 or greater")
          .bounds(
              "nodeLeaseDurationSeconds", 1, ANY, "nodeLeaseDurationSeconds must be greater than 0")
          .bounds(
              "maxParallelImagePulls", 1, ANY, "maxParallelImagePulls %d must be a positive number")
          .bounds(
              "containerLogMaxWorkers",
              1,
              ANY,
              "containerLogMaxWorkers must be greater than or equal to 1")
          .bounds("containerLogMaxFiles", 2, ANY, "containerLogMaxFiles must be greater than 1")
          .all;

  private NumberRules() {}

  static void check(Judged judged) {
    for (Bounds bounds : ALL) {
      Number number = judged.number(bounds.field());
      if (number != null) {
        long value = number.longValue();
        judged.require(
            value >= bounds.least() && value <= bounds.most(),
            bounds.field(),
            bounds.problem().formatted(value));
      }
    }
  }

  /**
   * @param problem message with a placeholder for the number
   */
  private record Bounds(String field, long least, long most, String problem) {}

  private static final class Table {
    private final List<Bounds> all = new ArrayList<>();

    Table notNegative(String field, String flag) {
      return bounds(field, 0, ANY, field + " (--" + flag + ") %d must not be a negative number");
    }

    Table between(String field, String flag, long least, long most) {
      return bounds(
          field,
          least,
          most,
          "%s (--%s) %%d must be between %d and %d, inclusive".formatted(field, flag, least, most));
    }

    Table bounds(String field, long least, long most, String problem) {
      all.add(new Bounds(field, least, most, problem));
      return this;
    }
  }
}
