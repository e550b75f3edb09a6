package dev.vertlet.trace.record.sanitize;

/**
 * Allowed fields of pods and their templates: what scheduling and a life cycle depend on.
 *
 * <p>Left out on purpose: environment, commands and arguments, annotations, volumes and claims,
 * service accounts, security contexts, probes and hooks (a replay plays the recorded times
 * instead), and what admission adds from objects that a trace does not have (overhead, priority,
 * runtime class).
 */
final class PodFields {
  static final AllowList SELECTOR =
      AllowList.of(
          "matchLabels:labels",
          "matchExpressions/*/key:key",
          "matchExpressions/*/operator",
          "matchExpressions/*/values/*:name");

  private static final AllowList NODE_TERM =
      AllowList.of(
          "matchExpressions/*/key:key",
          "matchExpressions/*/operator",
          "matchExpressions/*/values/*:name",
          "matchFields/*/key",
          "matchFields/*/operator",
          "matchFields/*/values/*:name");

  private static final AllowList POD_TERM =
      AllowList.of(
              "topologyKey:key",
              "namespaces/*:name",
              "matchLabelKeys/*:key",
              "mismatchLabelKeys/*:key")
          .with("labelSelector", SELECTOR)
          .with("namespaceSelector", SELECTOR);

  private static final AllowList POD_TERMS =
      AllowList.of("preferredDuringSchedulingIgnoredDuringExecution/*/weight")
          .with("requiredDuringSchedulingIgnoredDuringExecution/*", POD_TERM)
          .with("preferredDuringSchedulingIgnoredDuringExecution/*/podAffinityTerm", POD_TERM);

  private static final AllowList AFFINITY =
      AllowList.of("nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution/*/weight")
          .with(
              "nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/*",
              NODE_TERM)
          .with(
              "nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution/*/preference",
              NODE_TERM)
          .with("podAffinity", POD_TERMS)
          .with("podAntiAffinity", POD_TERMS);

  private static final AllowList SPREAD =
      AllowList.of(
              "maxSkew",
              "minDomains",
              "topologyKey:key",
              "whenUnsatisfiable",
              "nodeAffinityPolicy",
              "nodeTaintsPolicy",
              "matchLabelKeys/*:key")
          .with("labelSelector", SELECTOR);

  private static final AllowList CONTAINER =
      AllowList.of(
          "name:name",
          "image:name",
          "restartPolicy",
          "resources/requests:quantities",
          "resources/limits:quantities",
          "ports/*/containerPort",
          "ports/*/hostPort",
          "ports/*/protocol");

  /** Of a pod's spec. */
  static final AllowList SPEC =
      AllowList.of(
              "nodeSelector:labels",
              "tolerations/*/key:key",
              "tolerations/*/operator",
              "tolerations/*/value:name",
              "tolerations/*/effect",
              "tolerations/*/tolerationSeconds",
              "schedulerName:name",
              "priorityClassName:name",
              "preemptionPolicy",
              "schedulingGates/*/name:name",
              "hostNetwork",
              "restartPolicy",
              "terminationGracePeriodSeconds",
              "activeDeadlineSeconds",
              "resources/requests:quantities",
              "resources/limits:quantities")
          .with("affinity", AFFINITY)
          .with("topologySpreadConstraints/*", SPREAD)
          .with("initContainers/*", CONTAINER)
          .with("containers/*", CONTAINER);

  /** Of a pod template. */
  static final AllowList TEMPLATE = AllowList.of("metadata/labels:labels").with("spec", SPEC);

  private PodFields() {}
}
