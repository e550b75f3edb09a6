package dev.vertlet.kube.client;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.Outage;
import dev.vertlet.kube.Recovery;
import dev.vertlet.kube.Verb;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks requests that the API server forbids and logs them sparingly: here instead of in each
 * caller, for which a 403 is one more failure to retry. Reflectors report lists and watches
 * themselves. Confined to the client's context.
 */
final class Permissions {
  private static final Logger LOG = LoggerFactory.getLogger(KubeClient.class);

  /**
   * A role may grant in one namespace what another namespace denies: one success does not end a
   * denial.
   */
  private static final Duration QUIET = Duration.ofSeconds(30);

  private final Clock clock;
  private final Map<Permission, Denial> denials = new HashMap<>();

  Permissions(Clock clock) {
    this.clock = clock;
  }

  /**
   * Records the answer of a request.
   *
   * @param failure null when it succeeded
   */
  void answered(Verb verb, KubePath path, @Nullable KubeException failure) {
    if (failure != null && failure.kind() == KubeException.Kind.FORBIDDEN) {
      denied(new Permission(verb, path.resource()), failure);
    } else if (!denials.isEmpty() && isBehindTheAuthorizer(failure)) {
      granted(new Permission(verb, path.resource()));
    }
  }

  /**
   * Whether the request has passed the authorizer: 401, 429 and 5xx may come from before it and say
   * nothing about permissions.
   */
  private static boolean isBehindTheAuthorizer(@Nullable KubeException failure) {
    return failure == null || failure.recovery() == Recovery.REREAD;
  }

  private void denied(Permission permission, KubeException failure) {
    if (permission.verb() == Verb.LIST) {
      return;
    }
    Instant now = clock.instant();
    Denial denial = denials.computeIfAbsent(permission, Denial::new);
    denial.last = now;
    denial.outage.failed(now, failure.getMessage()).ifPresent(LOG::warn);
  }

  private void granted(Permission permission) {
    Instant now = clock.instant();
    Denial denial = denials.get(permission);
    if (denial != null && Duration.between(denial.last, now).compareTo(QUIET) >= 0) {
      denials.remove(permission);
      denial
          .outage
          .succeeded(now)
          .ifPresent(line -> LOG.info("{} is granted {}", permission, line));
    }
  }

  private record Permission(Verb verb, String resource) {
    @Override
    public String toString() {
      return verb.rbac() + " " + resource;
    }
  }

  private static final class Denial {
    private final Outage outage;
    private Instant last = Instant.MIN;

    private Denial(Permission permission) {
      this.outage = new Outage(permission + " is refused");
    }
  }
}
