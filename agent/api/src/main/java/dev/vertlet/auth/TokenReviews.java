package dev.vertlet.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.kube.KubePath;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Authenticates bearer tokens with TokenReviews. Confined to one context. */
final class TokenReviews {
  private static final KubePath PATH =
      new KubePath(
          "/apis/authentication.k8s.io/v1/tokenreviews", "tokenreviews", "authentication.k8s.io");

  /** Longest lifetime of a negative answer, so that a token that becomes valid works soon. */
  private static final Duration LONGEST_NO = Duration.ofSeconds(10);

  private static final String HMAC = "HmacSHA256";

  private final Reviewer reviewer;
  private final Mac mac;
  private final Answers<ByteBuffer, Optional<User>> answers;
  private final AuthMeters meters;

  /**
   * @param ttl lifetime of a positive answer
   */
  TokenReviews(Reviewer reviewer, Duration ttl, Clock clock, AuthMeters meters) {
    this.reviewer = reviewer;
    this.mac = mac();
    this.meters = meters;
    Duration no = ttl.compareTo(LONGEST_NO) < 0 ? ttl : LONGEST_NO;
    this.answers = new Answers<>(clock, Optional::isPresent, ttl, no);
  }

  /** Creates an HMAC with a random key: clients cannot choose tokens with colliding hashes. */
  private static Mac mac() {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no " + HMAC, e);
    }
  }

  /**
   * Authenticates a token. Tokens are neither stored nor compared: the look-up uses a keyed hash,
   * so that its duration reveals nothing.
   *
   * @param client address of the client
   * @return empty for an invalid token; fails with the server's reason, without an answer, and with
   *     {@link BusyException} when too many requests wait
   */
  Future<Optional<User>> user(String token, String client) {
    ByteBuffer key = ByteBuffer.wrap(mac.doFinal(token.getBytes(UTF_8)));
    AtomicBoolean known = new AtomicBoolean(true);
    Future<Optional<User>> user =
        answers.get(
            key,
            client,
            () -> {
              known.set(false);
              return reviewer.ask(PATH, review(token)).map(TokenReviews::read);
            });
    meters.token(known.get());
    return user;
  }

  private static JsonObject review(String token) {
    return new JsonObject()
        .put("apiVersion", "authentication.k8s.io/v1")
        .put("kind", "TokenReview")
        .put("spec", new JsonObject().put("token", token));
  }

  private static Optional<User> read(JsonObject status) {
    if (status.getBoolean("authenticated", false)) {
      return Optional.of(readUser(status.getJsonObject("user", new JsonObject())));
    }
    String error = status.getString("error", "");
    if (!error.isEmpty()) {
      throw VertxException.noStackTrace("the API server refuses a token: " + error, null);
    }
    return Optional.empty();
  }

  private static User readUser(JsonObject user) {
    Map<String, List<String>> extra = new LinkedHashMap<>();
    JsonObject written = user.getJsonObject("extra", new JsonObject());
    for (String key : written.fieldNames()) {
      extra.put(key, texts(written.getJsonArray(key)));
    }
    return new User(
        user.getString("username", ""),
        user.getString("uid", ""),
        texts(user.getJsonArray("groups", new JsonArray())),
        extra);
  }

  private static List<String> texts(JsonArray array) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      texts.add(array.getString(i));
    }
    return texts;
  }
}
