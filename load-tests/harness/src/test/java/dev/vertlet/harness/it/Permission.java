package dev.vertlet.harness.it;

import dev.vertlet.harness.fault.ApiRequest;
import dev.vertlet.harness.fault.FaultProxy;
import dev.vertlet.harness.fault.TrafficLog;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One verb on one resource, the smallest thing RBAC grants.
 *
 * @param verb for example {@code patch}
 * @param resource for example {@code pods/status}
 * @param namespace empty for all of them
 */
record Permission(String verb, String resource, String namespace) {
  private static final String AUTHENTICATION_READER = "extension-apiserver-authentication-reader";
  private static final String AUTH_DELEGATOR = "system:auth-delegator";

  /** All that the roles among these objects grant. */
  static Set<Permission> granted(List<HasMetadata> objects) {
    Stream<Permission> everywhere =
        Manifests.of(ClusterRole.class, objects).stream()
            .flatMap(role -> role.getRules().stream().flatMap(rule -> of(rule, "")));
    Stream<Permission> within =
        Manifests.of(Role.class, objects).stream()
            .flatMap(
                role ->
                    role.getRules().stream()
                        .flatMap(rule -> of(rule, role.getMetadata().getNamespace())));
    Stream<Permission> lent =
        Manifests.of(RoleBinding.class, objects).stream()
            .filter(binding -> binding.getRoleRef().getName().equals(AUTHENTICATION_READER))
            .flatMap(binding -> authenticationReader(binding.getMetadata().getNamespace()));
    Stream<Permission> delegated =
        Manifests.of(ClusterRoleBinding.class, objects).stream()
            .filter(binding -> binding.getRoleRef().getName().equals(AUTH_DELEGATOR))
            .flatMap(binding -> authDelegator());
    return Stream.of(everywhere, within, lent, delegated)
        .flatMap(permissions -> permissions)
        .collect(Collectors.toSet());
  }

  /** What every cluster's own role of this name grants, on one ConfigMap. */
  private static Stream<Permission> authenticationReader(String namespace) {
    return Stream.of("get", "list", "watch")
        .map(verb -> new Permission(verb, "configmaps", namespace));
  }

  /** What every cluster's own ClusterRole of this name grants. */
  private static Stream<Permission> authDelegator() {
    return Stream.of("tokenreviews", "subjectaccessreviews")
        .map(resource -> new Permission("create", resource, ""));
  }

  /** Those that no request through the proxy has needed. */
  static List<Permission> unused(Set<Permission> granted, FaultProxy proxy) {
    List<ApiRequest> requests = requests(proxy);
    return granted.stream()
        .filter(permission -> requests.stream().noneMatch(permission::covers))
        .toList();
  }

  /** The requests through the proxy that none of them allows. */
  static List<ApiRequest> notGranted(Set<Permission> granted, FaultProxy proxy) {
    return requests(proxy).stream()
        .filter(request -> granted.stream().noneMatch(permission -> permission.covers(request)))
        .toList();
  }

  private static List<ApiRequest> requests(FaultProxy proxy) {
    return proxy.traffic().requests().stream().map(TrafficLog.Entry::request).toList();
  }

  private static Stream<Permission> of(PolicyRule rule, String namespace) {
    return rule.getResources().stream()
        .flatMap(
            resource ->
                rule.getVerbs().stream().map(verb -> new Permission(verb, resource, namespace)));
  }

  boolean covers(ApiRequest request) {
    return verb.equals(request.verb())
        && resource.equals(request.qualifiedResource())
        && (namespace.isEmpty() || namespace.equals(request.namespace()));
  }
}
