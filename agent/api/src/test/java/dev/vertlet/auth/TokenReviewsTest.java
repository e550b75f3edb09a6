package dev.vertlet.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenReviewsTest {
  private static final Duration TTL = Duration.ofMinutes(2);

  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final List<JsonObject> asked = new ArrayList<>();
  private Future<JsonObject> answer = Future.succeededFuture(new JsonObject());
  private final TokenReviews reviews =
      new TokenReviews(
          (path, review) -> {
            assertThat(path.path()).isEqualTo("/apis/authentication.k8s.io/v1/tokenreviews");
            asked.add(review);
            return answer;
          },
          TTL,
          clock,
          new AuthMeters(metrics));

  private static JsonObject known() {
    return new JsonObject(
        """
        {"authenticated": true, "user": {
          "username": "jane", "uid": "u1", "groups": ["a", "b"], "extra": {"scopes": ["x", "y"]}}}
        """);
  }

  @Test
  void looksAreCountedByWhetherTheServerHadToBeAsked() {
    answer = Future.succeededFuture(known());

    Future.all(
            reviews.user("one", "client"),
            reviews.user("one", "client"),
            reviews.user("two", "client"))
        .result();

    assertThat(looks("miss")).isEqualTo(2);
    assertThat(looks("hit")).isEqualTo(1);
  }

  private double looks(String status) {
    return metrics
        .get("authentication_token_cache_request_total")
        .tag("status", status)
        .counter()
        .count();
  }

  @Test
  void asksWithTheTokenAndTakesTheUserAsItIs() {
    answer = Future.succeededFuture(known());

    Optional<User> user = reviews.user("secret", "client").result();

    assertThat(user)
        .contains(new User("jane", "u1", List.of("a", "b"), Map.of("scopes", List.of("x", "y"))));
    assertThat(asked.get(0).getString("kind")).isEqualTo("TokenReview");
    assertThat(asked.get(0).getString("apiVersion")).isEqualTo("authentication.k8s.io/v1");
    assertThat(asked.get(0).getJsonObject("spec"))
        .isEqualTo(new JsonObject().put("token", "secret"));
  }

  @Test
  void aKnownTokenIsNotReviewedAgainForTwoMinutes() {
    answer = Future.succeededFuture(known());
    reviews.user("secret", "client");
    clock.advance(TTL.minusNanos(1));
    assertThat(reviews.user("secret", "client").result()).isPresent();
    assertThat(asked).hasSize(1);

    clock.advance(Duration.ofNanos(1));
    reviews.user("secret", "client");

    assertThat(asked).hasSize(2);
  }

  @Test
  void anotherTokenIsAnotherQuestion() {
    answer = Future.succeededFuture(known());
    reviews.user("secret", "client");

    reviews.user("Secret", "client");

    assertThat(asked).hasSize(2);
  }

  @Test
  void aTokenThatTheServerSaysIsBadIsReviewedEachTime() {
    answer = Future.succeededFuture(new JsonObject().put("error", "[invalid bearer token]"));

    assertThat(reviews.user("secret", "client").cause())
        .hasMessageContaining("[invalid bearer token]")
        .hasMessageNotContaining("secret");
    reviews.user("secret", "client");

    assertThat(asked).hasSize(2);
  }

  @Test
  void aTokenThatIsNobodysIsReviewedAgainSoon() {
    assertThat(reviews.user("secret", "client").result()).isEmpty();
    reviews.user("secret", "client");
    assertThat(asked).hasSize(1);

    clock.advance(Duration.ofSeconds(10));
    reviews.user("secret", "client");

    assertThat(asked).hasSize(2);
  }

  @Test
  void whatIsNotAnsweredIsNotRemembered() {
    answer = Future.failedFuture("away");
    assertThat(reviews.user("secret", "client").cause()).hasMessage("away");
    answer = Future.succeededFuture(known());

    assertThat(reviews.user("secret", "client").result()).isPresent();
  }

  @Test
  void aUserWithoutAnythingButANameIsAUser() {
    answer =
        Future.succeededFuture(
            new JsonObject()
                .put("authenticated", true)
                .put("user", new JsonObject().put("username", "bob")));

    assertThat(reviews.user("secret", "client").result())
        .contains(new User("bob", "", List.of(), Map.of()));
  }
}
