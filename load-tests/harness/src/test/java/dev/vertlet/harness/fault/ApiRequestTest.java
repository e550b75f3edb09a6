package dev.vertlet.harness.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiRequestTest {

  @ParameterizedTest
  @CsvSource({
    "GET, /api/v1/pods, list, pods, '', '', ''",
    "GET, /api/v1/pods?limit=500, list, pods, '', '', ''",
    "GET, /api/v1/pods?limit=500&watch=true, watch, pods, '', '', ''",
    "GET, /api/v1/pods?watch=1, watch, pods, '', '', ''",
    "GET, /api/v1/pods?watch=false, list, pods, '', '', ''",
    "GET, /api/v1/pods?allowWatchBookmarks=true, list, pods, '', '', ''",
    "GET, /api/v1/namespaces/ns/pods/p, get, pods, '', ns, p",
    "PATCH, /api/v1/namespaces/ns/pods/p/status, patch, pods, status, ns, p",
    "POST, /api/v1/namespaces/ns/pods/p/binding, create, pods, binding, ns, p",
    "DELETE, /api/v1/namespaces/ns/pods/p, delete, pods, '', ns, p",
    "DELETE, /api/v1/namespaces/ns/pods, deletecollection, pods, '', ns, ''",
    "PUT, /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n, update, leases, '', kube-node-lease, n",
    "POST, /api/v1/nodes, create, nodes, '', '', ''",
    "GET, /api/v1/nodes/n/proxy/logs/x, get, nodes, proxy, '', n",
    "GET, /api/v1/namespaces, list, namespaces, '', '', ''",
    "GET, /api/v1/namespaces/ns, get, namespaces, '', ns, ns",
    "PUT, /api/v1/namespaces/ns/finalize, update, namespaces, finalize, ns, ns",
    "GET, /version, get, '', '', '', ''",
    "GET, /apis/apps/v1, get, '', '', '', ''",
    "GET, /, get, '', '', '', ''",
  })
  void readsRequestsAsTheApiServerDoes(
      String method,
      String target,
      String verb,
      String resource,
      String subresource,
      String namespace,
      String name) {
    assertThat(ApiRequest.of(method, target))
        .isEqualTo(new ApiRequest(verb, resource, subresource, namespace, name));
  }

  @ParameterizedTest
  @CsvSource({
    "*, *, true",
    "patch, pods/status, true",
    "patch, pods/*, true",
    "*, pods/*, true",
    "patch, pods, false",
    "get, pods/status, false",
    "patch, nodes/*, false",
  })
  void isMatchedLikeAnRbacRule(String verb, String resource, boolean matches) {
    ApiRequest request = ApiRequest.of("PATCH", "/api/v1/namespaces/ns/pods/p/status");

    assertThat(new RequestMatcher(verb, resource).matches(request)).isEqualTo(matches);
  }
}
