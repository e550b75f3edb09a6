package dev.vertlet.kube.client;

import static dev.vertlet.kube.client.ApiLab.failure;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessReviewTest {
  private static final AccessReview LIST = AccessReview.of("list", "apps", "deployments");

  @AutoClose private final ApiLab lab = ApiLab.start();

  @Test
  void theServerAllowsAnAdministratorEverything() throws Exception {
    assertThat(get(LIST.ask(lab.client()))).isTrue();
  }

  @Test
  void theServersRefusalIsNoFailure() {
    assertThat(get(LIST.ask(request -> answer("{\"status\": {\"allowed\": false}}")))).isFalse();
    assertThat(get(LIST.ask(request -> answer("{}")))).isFalse();
  }

  @Test
  void asksAboutAllThatItNames() {
    List<KubeRequest> sent = new ArrayList<>();
    AccessReview review =
        AccessReview.of("patch", "", "pods")
            .withSubresource("status")
            .withNamespace("team")
            .withName("web");

    get(
        review.ask(
            request -> {
              sent.add(request);
              return answer("{\"status\": {\"allowed\": true}}");
            }));

    assertThat(sent).hasSize(1);
    assertThat(attributes(sent.get(0)))
        .isEqualTo(
            new JsonObject()
                .put("verb", "patch")
                .put("group", "")
                .put("resource", "pods")
                .put("subresource", "status")
                .put("namespace", "team")
                .put("name", "web"));
  }

  @Test
  void leavesOutWhatIsNotRestricted() {
    List<KubeRequest> sent = new ArrayList<>();
    get(
        LIST.ask(
            request -> {
              sent.add(request);
              return answer("{}");
            }));
    assertThat(attributes(sent.get(0)).fieldNames())
        .containsExactlyInAnyOrder("verb", "group", "resource");
  }

  @Test
  void failsWithoutAnAnswer() throws Exception {
    lab.server.faults().on("create", "selfsubjectaccessreviews").respond(503, "Unavailable");
    assertThat(failure(LIST.ask(lab.client())).kind()).isEqualTo(KubeException.Kind.SERVER_ERROR);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "{", "{\"status\": []}", "{\"status\": {\"allowed\": \"yes\"}}"})
  void anAnswerThatIsNoReviewIsRefused(String body) {
    assertThat(failure(LIST.ask(request -> answer(body))).kind())
        .isEqualTo(KubeException.Kind.DECODE);
  }

  @Test
  void isNamedAsKubectlNamesResources() {
    assertThat(LIST.withNamespace("team")).hasToString("list deployments.apps in namespace team");
    assertThat(AccessReview.of("patch", "", "pods").withSubresource("status"))
        .hasToString("patch pods/status");
    assertThat(AccessReview.of("get", "", "namespaces").withName("kube-system"))
        .hasToString("get namespaces/kube-system");
  }

  private static JsonObject attributes(KubeRequest request) {
    JsonObject body = new JsonObject(String.valueOf(request.body()));
    assertThat(body.getString("kind")).isEqualTo("SelfSubjectAccessReview");
    return body.getJsonObject("spec").getJsonObject("resourceAttributes");
  }

  private static Future<KubeResponse> answer(String body) {
    return Future.succeededFuture(new KubeResponse(201, "application/json", Buffer.buffer(body)));
  }
}
