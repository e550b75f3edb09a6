package dev.vertlet.trace.record.sanitize;

import java.util.Map;

/** Allowed fields of the workload kinds that are recorded without being named. */
final class WorkloadFields {
  private static final AllowList JOB =
      AllowList.of(
              "parallelism",
              "completions",
              "completionMode",
              "backoffLimit",
              "backoffLimitPerIndex",
              "maxFailedIndexes",
              "activeDeadlineSeconds",
              "ttlSecondsAfterFinished",
              "podReplacementPolicy",
              "suspend",
              "manualSelector",
              "successPolicy/rules/*/succeededIndexes",
              "successPolicy/rules/*/succeededCount",
              "podFailurePolicy/rules/*/action",
              "podFailurePolicy/rules/*/onExitCodes/containerName:name",
              "podFailurePolicy/rules/*/onExitCodes/operator",
              "podFailurePolicy/rules/*/onExitCodes/values/*",
              "podFailurePolicy/rules/*/onPodConditions/*/type",
              "podFailurePolicy/rules/*/onPodConditions/*/status")
          .with("selector", PodFields.SELECTOR)
          .with("template", PodFields.TEMPLATE);

  /** Of the spec, by kind. */
  static final Map<String, AllowList> SPECS =
      Map.of(
          "Deployment",
          AllowList.of(
                  "replicas",
                  "minReadySeconds",
                  "progressDeadlineSeconds",
                  "revisionHistoryLimit",
                  "paused",
                  "strategy/type",
                  "strategy/rollingUpdate/maxSurge",
                  "strategy/rollingUpdate/maxUnavailable")
              .with("selector", PodFields.SELECTOR)
              .with("template", PodFields.TEMPLATE),
          "ReplicaSet",
          AllowList.of("replicas", "minReadySeconds")
              .with("selector", PodFields.SELECTOR)
              .with("template", PodFields.TEMPLATE),
          "StatefulSet",
          AllowList.of(
                  "replicas",
                  "serviceName:name",
                  "minReadySeconds",
                  "revisionHistoryLimit",
                  "podManagementPolicy",
                  "ordinals/start",
                  "updateStrategy/type",
                  "updateStrategy/rollingUpdate/partition",
                  "updateStrategy/rollingUpdate/maxUnavailable")
              .with("selector", PodFields.SELECTOR)
              .with("template", PodFields.TEMPLATE),
          "DaemonSet",
          AllowList.of(
                  "minReadySeconds",
                  "revisionHistoryLimit",
                  "updateStrategy/type",
                  "updateStrategy/rollingUpdate/maxSurge",
                  "updateStrategy/rollingUpdate/maxUnavailable")
              .with("selector", PodFields.SELECTOR)
              .with("template", PodFields.TEMPLATE),
          "Job",
          JOB,
          "CronJob",
          AllowList.of(
                  "schedule",
                  "timeZone",
                  "concurrencyPolicy",
                  "startingDeadlineSeconds",
                  "suspend",
                  "successfulJobsHistoryLimit",
                  "failedJobsHistoryLimit",
                  "jobTemplate/metadata/labels:labels")
              .with("jobTemplate/spec", JOB),
          "Pod",
          PodFields.SPEC);

  private WorkloadFields() {}
}
