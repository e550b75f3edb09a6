package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpMethod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EndpointExtension.class)
class DiscoveryContractTest {
  @Test
  void announcesVersionsGroupsAndResources(Api api) {
    assertThat(api.get("/version").is(200).text("/gitVersion")).startsWith("v1.");
    assertThat(api.get("/api").is(200).text("/versions/0")).isEqualTo("v1");
    assertThat(api.get("/apis").is(200).body().path("groups").toString())
        .contains("coordination.k8s.io/v1", "events.k8s.io/v1");
    assertThat(api.get("/apis/coordination.k8s.io").is(200).text("/preferredVersion/version"))
        .isEqualTo("v1");
    assertThat(api.get("/apis/coordination.k8s.io/v1").is(200).body().toString())
        .contains("\"leases\"");
    assertThat(api.get("/api/v1").is(200).body().toString())
        .contains("\"pods\"", "\"pods/status\"", "\"pods/binding\"", "\"po\"");
  }

  @Test
  void tellsThatItIsWell(Api api) {
    for (String path : new String[] {"/healthz", "/livez", "/readyz"}) {
      assertThat(api.get(path).is(200).body().asText()).isEqualTo("ok");
    }
  }

  @Test
  void saysSoWhenItDoesNotKnowAResource(Api api) {
    var unknown = api.get("/api/v1/foos").is(404);

    assertThat(unknown.text("/message"))
        .isEqualTo("the server could not find the requested resource");
    assertThat(unknown.reason()).isEqualTo("NotFound");
    api.get("/api/v1/namespaces/default/foos/x").is(404);
    api.get("/api/v1/namespaces/default/nodes").is(404);
    api.get("/api/v1/nodes/n/foo").is(404);
    api.get("/nothing").is(404);
  }

  @Test
  void saysSoWhenAMethodDoesNotFit(Api api) {
    var put = api.put(Api.NODES, "{}").is(405);

    assertThat(put.reason()).isEqualTo("MethodNotAllowed");
    api.call(HttpMethod.POST, Api.NODES + "/n", "{}", "content-type", "application/json").is(405);
  }

  @Test
  void namesWhatIsMissing(Api api) {
    var missing = api.get(Api.NODES + "/none").is(404);

    assertThat(missing.text("/message")).isEqualTo("nodes \"none\" not found");
    assertThat(missing.text("/details/name")).isEqualTo("none");
    assertThat(missing.text("/details/kind")).isEqualTo("nodes");
  }
}
