package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.http.HttpMethod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EndpointExtension.class)
public class DiscoveryContractTest {
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
    api.get("/api/v1/foos?watch=true").is(404);
    api.post("/api/v1/foos", "{'metadata':{'name':'x'}}").is(404);
    api.delete("/api/v1/foos/x", "").is(404);
    assertThat(unknown.body().path("details").isObject()).isTrue();
    for (String path : new String[] {"/nothing", "/apis/foo.io/v1/bars"}) {
      assertThat(api.get(path).is(404).bytes()).hasToString("404 page not found\n");
    }
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

  @Test
  void tellsEverythingInOneDocument(Api api) {
    String aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    var core = api.get("/api", "accept", aggregated + ",application/json").is(200);
    assertThat(core.contentType()).isEqualTo(aggregated);
    assertThat(core.text("/kind")).isEqualTo("APIGroupDiscoveryList");
    JsonNode pods = resource(core.body().at("/items/0/versions/0"), "pods");
    assertThat(pods.path("scope").asText()).isEqualTo("Namespaced");
    assertThat(pods.path("singularResource").asText()).isEqualTo("pod");
    assertThat(pods.at("/responseKind/kind").asText()).isEqualTo("Pod");
    assertThat(pods.path("shortNames").toString()).isEqualTo("[\"po\"]");
    assertThat(pods.path("categories").toString()).isEqualTo("[\"all\"]");
    assertThat(pods.path("verbs").toString()).contains("deletecollection", "watch");
    assertThat(pods.path("subresources").findValuesAsText("subresource"))
        .contains("binding", "eviction", "status");
    assertThat(
            resource(core.body().at("/items/0/versions/0"), "namespaces").path("verbs").toString())
        .doesNotContain("deletecollection");
    var groups = api.get("/apis", "accept", aggregated).is(200);
    assertThat(groups.body().at("/items").findValuesAsText("name"))
        .contains("coordination.k8s.io", "events.k8s.io", "policy", "authorization.k8s.io");
  }

  private static JsonNode resource(JsonNode version, String plural) {
    for (JsonNode resource : version.path("resources")) {
      if (resource.path("resource").asText().equals(plural)) {
        return resource;
      }
    }
    throw new AssertionError(plural + " is not announced");
  }

  @Test
  void answersWhoMayDoWhat(Api api) {
    var review =
        api.post(
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                "{'spec':{'resourceAttributes':{'verb':'create','resource':'pods'}}}")
            .is(201);
    assertThat(review.body().at("/status/allowed").asBoolean()).isTrue();
    var self = api.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}").is(201);
    assertThat(self.body().at("/status/userInfo/groups").toString())
        .contains("system:authenticated");
    api.get("/apis/authentication.k8s.io/v1/selfsubjectreviews").is(405);
  }

  @Test
  void hasADocumentForClientsOfOpenApi2(Api api) {
    assertThat(api.get("/openapi/v2").is(200).text("/swagger")).isEqualTo("2.0");
    var binary =
        api.get(
                "/openapi/v2",
                "accept",
                "application/com.github.proto-openapi.spec.v2@v1.0+protobuf")
            .is(200);
    assertThat(binary.contentType())
        .isEqualTo("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
    // field 1, the version, comes first
    assertThat(binary.bytes().getBytes(0, 5)).containsExactly(0x0A, 3, '2', '.', '0');
  }

  @Test
  void describesItsTypes(Api api) {
    var index = api.get("/openapi/v3").is(200);
    var core =
        api.get(index.body().path("paths").path("api/v1").path("serverRelativeURL").asText())
            .is(200);
    JsonNode create =
        core.body().path("paths").path("/api/v1/namespaces/{namespace}/pods").path("post");
    assertThat(create.path("parameters").findValuesAsText("name")).contains("fieldValidation");
    assertThat(create.path("x-kubernetes-group-version-kind").path("kind").asText())
        .isEqualTo("Pod");
  }
}
