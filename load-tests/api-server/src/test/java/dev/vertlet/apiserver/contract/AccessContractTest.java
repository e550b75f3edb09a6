package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tokens of ServiceAccounts, and what who has no rights may do with one. */
@ExtendWith(EndpointExtension.class)
public class AccessContractTest {
  private static final String REVIEWS = "/apis/authentication.k8s.io/v1/";
  private static final String QUESTIONS = "/apis/authorization.k8s.io/v1/";

  private static String account(Api api, String namespace) {
    String all = "/api/v1/namespaces/" + namespace + "/serviceaccounts";
    api.post(all, "{'metadata':{'name':'stranger'}}").is(201);
    return all + "/stranger";
  }

  private static String token(Api api, String account) {
    return api.post(account + "/token", "{'spec':{}}").is(201).text("/status/token");
  }

  @Test
  void aTokenTellsItsAccount(Api api) {
    String namespace = api.namespace();
    String account = account(api, namespace);
    String uid = api.get(account).is(200).text("/metadata/uid");

    Instant before = Instant.now().minusSeconds(1);
    Api.Answer request =
        api.post(account + "/token", "{'spec':{'expirationSeconds':1200}}").is(201);

    assertThat(request.text("/kind")).isEqualTo("TokenRequest");
    assertThat(request.text("/apiVersion")).isEqualTo("authentication.k8s.io/v1");
    assertThat(request.text("/metadata/name")).isEqualTo("stranger");
    assertThat(request.text("/metadata/uid")).isEqualTo(uid);
    assertThat(request.body().at("/spec/audiences")).hasSize(1);
    assertThat(Instant.parse(request.text("/status/expirationTimestamp")))
        .isBetween(before.plus(Duration.ofMinutes(20)), Instant.now().plus(Duration.ofMinutes(20)));

    Api.Answer review =
        api.post(
                REVIEWS + "tokenreviews",
                "{'spec':{'token':'%s'}}".formatted(request.text("/status/token")))
            .is(201);
    assertThat(review.body().at("/status/authenticated").asBoolean()).isTrue();
    assertThat(review.text("/status/user/username"))
        .isEqualTo("system:serviceaccount:" + namespace + ":stranger");
    assertThat(review.text("/status/user/uid")).isEqualTo(uid);
    assertThat(review.body().at("/status/user/groups"))
        .extracting(group -> group.asText())
        .contains(
            "system:serviceaccounts",
            "system:serviceaccounts:" + namespace,
            "system:authenticated");
  }

  @Test
  void badTokenRequestsAreRefused(Api api) {
    String account = account(api, api.namespace());

    assertThat(
            api.post(account + "/token", "{'spec':{'expirationSeconds':599}}")
                .is(422)
                .text("/message"))
        .endsWith(
            "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10"
                + " minutes");
    assertThat(
            api.post(account + "/token", "{'spec':{'expirationSeconds':4294967297}}")
                .is(422)
                .text("/message"))
        .endsWith("may not specify a duration larger than 2^32 seconds");
    assertThat(api.post(account + "-of-nobody/token", "{'spec':{}}").is(404).text("/message"))
        .isEqualTo("serviceaccounts \"stranger-of-nobody\" not found");
  }

  @Test
  void whoHasNoRightsSeesDiscoveryAndHimself(Api api) {
    String namespace = api.namespace();
    Api stranger = api.as(token(api, account(api, namespace)));
    String name = "system:serviceaccount:" + namespace + ":stranger";

    for (String path : new String[] {"/api", "/api/v1", "/apis", "/version", "/readyz"}) {
      stranger.get(path).is(200);
    }
    assertThat(stranger.get(Api.pods(namespace)).is(403).text("/message"))
        .isEqualTo(
            "pods is forbidden: User \"%s\" cannot list resource \"pods\" in API group \"\" in the namespace \"%s\""
                .formatted(name, namespace));
    assertThat(stranger.get(Api.NODES + "/x/proxy/pods").is(403).text("/message"))
        .isEqualTo(
            "nodes \"x\" is forbidden: User \"%s\" cannot get resource \"nodes/proxy\" in API group \"\" at the cluster scope"
                .formatted(name));
    assertThat(stranger.get("/metrics").is(403).text("/message"))
        .isEqualTo("forbidden: User \"%s\" cannot get path \"/metrics\"".formatted(name));
    assertThat(
            stranger
                .post(REVIEWS + "selfsubjectreviews", "{}")
                .is(201)
                .text("/status/userInfo/username"))
        .isEqualTo(name);
  }

  @Test
  void questionsAboutRightsAreAnsweredByThem(Api api) {
    Api stranger = api.as(token(api, account(api, api.namespace())));
    String pods = "{'spec':{'resourceAttributes':{'verb':'get','resource':'pods'}}}";
    String discovery = "{'spec':{'nonResourceAttributes':{'verb':'get','path':'/api/v1'}}}";

    assertThat(allowed(api, pods)).isTrue();
    assertThat(allowed(stranger, pods)).isFalse();
    assertThat(allowed(stranger, discovery)).isTrue();
    assertThat(
            stranger
                .post(QUESTIONS + "selfsubjectrulesreviews", "{'spec':{'namespace':'default'}}")
                .is(201)
                .body()
                .at("/status/resourceRules"))
        .anySatisfy(
            rule ->
                assertThat(rule.path("resources"))
                    .extracting(resource -> resource.asText())
                    .contains("selfsubjectaccessreviews"))
        .noneSatisfy(
            rule ->
                assertThat(rule.path("resources"))
                    .extracting(resource -> resource.asText())
                    .containsAnyOf("*", "pods"));
  }

  private static boolean allowed(Api api, String question) {
    return api.post(QUESTIONS + "selfsubjectaccessreviews", question)
        .is(201)
        .body()
        .at("/status/allowed")
        .asBoolean();
  }

  @Test
  void aTokenEndsWithItsAccount(Api api) {
    String account = account(api, api.namespace());
    String token = token(api, account);
    String question = "{'spec':{'token':'%s'}}".formatted(token);
    assertThat(authenticated(api, question)).isTrue();

    api.delete(account, "").is(200);

    // the real server remembers an answer for ten seconds
    await().until(() -> !authenticated(api, question));
  }

  private static boolean authenticated(Api api, String question) {
    return api.post(REVIEWS + "tokenreviews", question)
        .is(201)
        .body()
        .at("/status/authenticated")
        .asBoolean();
  }
}
