package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.api.Timestamps;
import dev.vertlet.apiserver.registry.Registry;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.store.StoredObject;
import dev.vertlet.apiserver.validation.Causes;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tokens of ServiceAccounts, as {@code kubectl create token} asks for them. They are no JWTs and
 * end with the server, with their account, and when their time is up. Used on the server's event
 * loop.
 */
public final class ServiceAccountTokens {
  static final String SUBRESOURCE = "token";
  static final ResourceType TYPE =
      ResourceType.namespaced("authentication.k8s.io/v1", "tokenrequests", "TokenRequest");

  /** The API server's own name among audiences, which is that of the real one without flags. */
  private static final String AUDIENCE = "https://kubernetes.default.svc.cluster.local";

  /** The default of {@code spec.expirationSeconds}. */
  private static final long ONE_HOUR = Duration.ofHours(1).toSeconds();

  private static final long TEN_MINUTES = Duration.ofMinutes(10).toSeconds();
  private static final long LONGEST = 1L << 32;

  private record Issued(String namespace, String name, String uid, Instant until) {}

  private final Registry registry;
  private final Resource accounts;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Issued> issued = new HashMap<>();

  /**
   * @param accounts the resource {@code serviceaccounts}
   */
  public ServiceAccountTokens(Registry registry, Resource accounts, Clock clock) {
    this.registry = registry;
    this.accounts = accounts;
    this.clock = clock;
  }

  /**
   * Answers a TokenRequest for an account.
   *
   * @param request completed by what was left out, and by the token
   */
  ObjectNode issue(String namespace, String name, ObjectNode request) {
    StoredObject account = registry.get(accounts, namespace, name);
    ObjectNode spec = Json.child(request, "spec");
    if (spec.path("audiences").isEmpty()) {
      spec.putArray("audiences").add(AUDIENCE);
    }
    long seconds = spec.path("expirationSeconds").asLong(ONE_HOUR);
    check(seconds);
    spec.put("expirationSeconds", seconds);
    Instant now = clock.instant();
    Instant until = now.plusSeconds(seconds);
    Json.child(request, "metadata")
        .put("name", name)
        .put("namespace", namespace)
        .put("uid", account.uid())
        .put("creationTimestamp", Timestamps.seconds(now));
    String token = made();
    issued.values().removeIf(old -> old.until().isBefore(now));
    issued.put(token, new Issued(namespace, name, account.uid(), until));
    request
        .putObject("status")
        .put("token", token)
        .put("expirationTimestamp", Timestamps.seconds(until));
    return request.put("kind", TYPE.kind()).put("apiVersion", TYPE.apiVersion());
  }

  private static void check(long seconds) {
    Causes causes = new Causes();
    String field = "spec.expirationSeconds";
    if (seconds < TEN_MINUTES) {
      causes.invalid(
          field, Long.toString(seconds), "may not specify a duration less than 10 minutes");
    } else if (seconds > LONGEST) {
      causes.invalid(
          field, Long.toString(seconds), "may not specify a duration larger than 2^32 seconds");
    }
    causes.throwIfAny(TYPE, "");
  }

  private String made() {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Whose token this is; empty for one that was never issued or counts no more. */
  Optional<User> user(String token) {
    Issued found = issued.get(token);
    if (found == null || found.until().isBefore(clock.instant())) {
      return Optional.empty();
    }
    return registry
        .find(accounts, found.namespace(), found.name())
        .filter(account -> account.uid().equals(found.uid()))
        .map(account -> User.serviceAccount(found.namespace(), found.name(), found.uid()));
  }
}
