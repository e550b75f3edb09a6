package dev.vertlet.apiserver.http;

import dev.vertlet.apiserver.api.ApiException;
import java.util.Optional;
import java.util.Set;

/** The parts of Kubernetes' own API that a real server has and this one leaves out. */
final class LeftOut {
  private static final Set<String> GROUPS =
      Set.of(
          "admissionregistration.k8s.io",
          "apiextensions.k8s.io",
          "apiregistration.k8s.io",
          "apps",
          "autoscaling",
          "batch",
          "discovery.k8s.io",
          "flowcontrol.apiserver.k8s.io",
          "internal.apiserver.k8s.io",
          "networking.k8s.io",
          "node.k8s.io",
          "rbac.authorization.k8s.io",
          "resource.k8s.io",
          "scheduling.k8s.io",
          "storage.k8s.io",
          "storagemigration.k8s.io");

  private static final Set<String> OF_CORE =
      Set.of(
          "bindings",
          "componentstatuses",
          "endpoints",
          "limitranges",
          "persistentvolumeclaims",
          "persistentvolumes",
          "podtemplates",
          "replicationcontrollers",
          "resourcequotas");

  private LeftOut() {}

  /** The refusal of a request about such a resource, empty for one that no server has. */
  static Optional<ApiException> resource(RequestInfo info) {
    boolean known =
        info.group().isEmpty() ? OF_CORE.contains(info.resource()) : GROUPS.contains(info.group());
    String name = info.group().isEmpty() ? info.resource() : info.resource() + "." + info.group();
    return known ? Optional.of(refusal(name)) : Optional.empty();
  }

  /** The refusal of a discovery document about such a group, empty for any other path. */
  static Optional<ApiException> group(String path) {
    String[] parts = path.split("/", -1);
    boolean known = parts.length > 2 && parts[1].equals("apis") && GROUPS.contains(parts[2]);
    return known ? Optional.of(refusal(parts[2])) : Optional.empty();
  }

  private static ApiException refusal(String what) {
    return new ApiException(
        404,
        "NotFound",
        "the server could not find the requested resource: the embedded API server does not serve %s, `./vertlet control-plane` starts a whole control plane"
            .formatted(what));
  }
}
