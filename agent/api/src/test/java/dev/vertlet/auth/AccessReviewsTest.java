package dev.vertlet.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.ManualClock;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessReviewsTest {
  private static final User JANE =
      new User("jane", "u1", List.of("a"), Map.of("k", List.of("v"), "j", List.of()));

  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final List<JsonObject> asked = new ArrayList<>();
  private JsonObject answer = new JsonObject();
  private final AccessReviews reviews =
      new AccessReviews(
          (path, review) -> {
            assertThat(path.path()).isEqualTo("/apis/authorization.k8s.io/v1/subjectaccessreviews");
            asked.add(review);
            return Future.succeededFuture(answer);
          },
          Authorization.DEFAULTS,
          clock);

  private static NodeAccess access(String subresource) {
    return new NodeAccess(JANE, "get", "n1", subresource);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, get",
    "POST, create",
    "PUT, update",
    "PATCH, patch",
    "DELETE, delete",
    "HEAD, ''",
    "OPTIONS, ''",
    "get, ''"
  })
  void theVerbFollowsFromTheMethod(String method, String verb) {
    assertThat(NodeAccess.verb(method)).isEqualTo(verb);
  }

  @Test
  void asksAsAKubeletAsks() {
    var unused = reviews.allowed(access("stats"));

    assertThat(asked.get(0))
        .isEqualTo(
            new JsonObject(
                """
                {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
                 "spec": {"resourceAttributes": {"verb": "get", "version": "v1",
                                                 "resource": "nodes", "subresource": "stats",
                                                 "name": "n1"},
                          "user": "jane", "groups": ["a"], "uid": "u1",
                          "extra": {"j": [], "k": ["v"]}}}
                """));
  }

  @Test
  void sendsNeitherUidNorExtraOfAUserWhoHasNone() {
    User bob = new User("bob", "", List.of(), Map.of());

    JsonObject spec = new NodeAccess(bob, "get", "n1", "stats").review().getJsonObject("spec");

    assertThat(spec.fieldNames()).containsExactlyInAnyOrder("resourceAttributes", "user", "groups");
  }

  @Test
  void aYesHoldsFiveMinutes() {
    answer = new JsonObject().put("allowed", true);
    assertThat(reviews.allowed(access("stats")).result()).isTrue();
    answer = new JsonObject().put("allowed", false);
    clock.advance(Duration.ofMinutes(5).minusNanos(1));
    assertThat(reviews.allowed(access("stats")).result()).isTrue();
    assertThat(asked).hasSize(1);

    clock.advance(Duration.ofNanos(1));

    assertThat(reviews.allowed(access("stats")).result()).isFalse();
  }

  @Test
  void aNoHoldsThirtySeconds() {
    assertThat(reviews.allowed(access("stats")).result()).isFalse();
    answer = new JsonObject().put("allowed", true);
    clock.advance(Duration.ofSeconds(30).minusNanos(1));
    assertThat(reviews.allowed(access("stats")).result()).isFalse();

    clock.advance(Duration.ofNanos(1));

    assertThat(reviews.allowed(access("stats")).result()).isTrue();
  }

  @Test
  void anAnswerCountsForThisUserVerbNodeAndSubresourceAlone() {
    answer = new JsonObject().put("allowed", true);
    List<NodeAccess> all =
        List.of(
            access("stats"),
            access("log"),
            new NodeAccess(JANE, "create", "n1", "stats"),
            new NodeAccess(JANE, "get", "n2", "stats"),
            new NodeAccess(User.anonymous(), "get", "n1", "stats"),
            new NodeAccess(
                new User("jane", "u1", List.of("b"), JANE.extra()), "get", "n1", "stats"));

    all.forEach(each -> assertThat(reviews.allowed(each).result()).isTrue());

    assertThat(asked).hasSize(all.size());
  }

  @Test
  void whoeverBothAllowsAndDeniesHasNotDecided() {
    answer = new JsonObject().put("allowed", true).put("denied", true);

    assertThat(reviews.allowed(access("stats")).cause())
        .hasMessage("the API server both allows and denies");
  }

  @Test
  void speaksInAKubeletsWords() {
    assertThat(NodeAccess.forbidden(JANE, "get", List.of("pods", "proxy")))
        .isEqualTo(
            "Forbidden (user=jane, verb=get, resource=nodes, subresource(s)=[pods proxy])\n");
    assertThat(access("stats").undecided())
        .isEqualTo("Authorization error (user=jane, verb=get, resource=nodes, subresource=stats)");
  }

  @Test
  void onlyThoseWhoAreKnownAreInTheGroupOfThoseWhoAreKnown() {
    assertThat(JANE.authenticated().groups()).containsExactly("a", "system:authenticated");
    assertThat(JANE.authenticated().authenticated()).isEqualTo(JANE.authenticated());
    assertThat(User.anonymous().authenticated().groups()).containsExactly("system:unauthenticated");
    User told = new User("x", "", List.of("system:unauthenticated"), Map.of());
    assertThat(told.authenticated()).isSameAs(told);
  }
}
