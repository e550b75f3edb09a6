package dev.vertlet.apiserver;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.contract.Api;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpVersion;
import io.vertx.junit5.VertxExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a real control plane serves and the embedded server does not. */
@ExtendWith(VertxExtension.class)
class LeftOutTest {
  private Api api;

  @BeforeEach
  void start(Vertx vertx) throws Exception {
    EmbeddedApiServer server = get(EmbeddedApiServer.start(vertx));
    api = new Api(vertx, server.url(), server.token(), HttpVersion.HTTP_2);
  }

  @ParameterizedTest
  @CsvSource({
    "/apis/apps/v1/namespaces/default/deployments, deployments.apps",
    "/apis/batch/v1/namespaces/default/jobs/j, jobs.batch",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions,"
        + " customresourcedefinitions.apiextensions.k8s.io",
    "/apis/rbac.authorization.k8s.io/v1/clusterroles?watch=true,"
        + " clusterroles.rbac.authorization.k8s.io",
    "/api/v1/namespaces/default/resourcequotas, resourcequotas",
    "/api/v1/persistentvolumes/p, persistentvolumes",
    "/apis/apps/v1, apps",
    "/apis/apps, apps"
  })
  void partsOfKubernetesThatAreLeftOutAreNamed(String path, String what) {
    var refused = api.get(path).is(404);

    assertThat(refused.reason()).isEqualTo("NotFound");
    assertThat(refused.text("/message"))
        .isEqualTo(
            "the server could not find the requested resource: the embedded API server does not serve %s, `./vertlet control-plane` starts a whole control plane"
                .formatted(what));
  }

  @Test
  void writesAreRefusedInTheSameWay() {
    String deployments = "/apis/apps/v1/namespaces/default/deployments";

    assertThat(api.post(deployments, "{}").is(404).text("/message")).contains("control-plane");
    assertThat(api.delete(deployments + "/d", "").is(404).text("/message"))
        .contains("control-plane");
  }

  @ParameterizedTest
  @CsvSource({
    "api/v1, Pod, metadata",
    "api/v1, NodeConfigStatus, error",
    "apis/coordination.k8s.io/v1, LeaseSpec, renewTime",
    "apis/events.k8s.io/v1, EventSeries, count"
  })
  void typesWithAMeaningOfTheirOwnAreDescribed(String version, String type, String field) {
    JsonNode schemas = api.get("/openapi/v3/" + version).is(200).body().at("/components/schemas");

    assertThat(schemas.properties())
        .anySatisfy(
            schema -> {
              assertThat(schema.getKey()).endsWith("." + type);
              assertThat(schema.getValue().path("description").asText()).endsWith(".");
              assertThat(schema.getValue().at("/properties/" + field + "/description").asText())
                  .endsWith(".");
            });
  }
}
