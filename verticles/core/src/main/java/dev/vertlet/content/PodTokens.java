package dev.vertlet.content;

import dev.vertlet.content.VolumeFiles.TokenState;
import dev.vertlet.model.definition.VolumeDefinition.Token;
import dev.vertlet.provider.pod.ServiceAccountToken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of one pod: which to request now, and which to use.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/token/token_manager.go">
 *     GetServiceAccountToken, kubelet 1.36.3</a>
 */
final class PodTokens {
  /** Shortest pause between two requests, stretched by up to half: a kubelet's sync of pods. */
  private static final Duration RETRY = Duration.ofSeconds(60);

  private Map<Token, Entry> entries = Map.of();

  private static final class Entry {
    private boolean requested;
    private @Nullable ServiceAccountToken token;
    private Instant refreshAt = Instant.MIN;
    private String refused = "";
  }

  private Entry entry(Token token) {
    if (entries.isEmpty()) {
      entries = new HashMap<>(2); // pods without tokens have no map
    }
    return entries.computeIfAbsent(token, unused -> new Entry());
  }

  /** Returns the tokens of the pod that have to be requested now, and notes that they are. */
  List<Token> due(List<Token> wanted, Instant now) {
    List<Token> due = new ArrayList<>(0);
    for (Token token : wanted) {
      Entry entry = entry(token);
      if (!entry.requested && !now.isBefore(entry.refreshAt)) {
        entry.requested = true;
        due.add(token);
      }
    }
    return due;
  }

  /**
   * Takes a new token. One that is old already, by a clock that differs from the API server's, is
   * replaced no sooner than after a failure.
   */
  void issued(Token wanted, ServiceAccountToken token, Instant now, RandomGenerator random) {
    Entry entry = entry(wanted);
    entry.requested = false;
    entry.refused = "";
    entry.token = token;
    Instant due = life(token).refreshAt(random.nextDouble());
    Instant soonest = retryAt(now, random);
    entry.refreshAt = due.isBefore(soonest) ? soonest : due;
  }

  private static Instant retryAt(Instant now, RandomGenerator random) {
    return now.plusMillis((long) (RETRY.toMillis() * (1 + random.nextDouble() / 2)));
  }

  /** Takes the failure of a request; a token that is still valid stays in use. */
  void failed(Token wanted, String message, Instant now, RandomGenerator random) {
    Entry entry = entry(wanted);
    entry.requested = false;
    ServiceAccountToken token = entry.token;
    if (token == null) {
      entry.refused = "failed to fetch token: " + message;
    } else if (life(token).expired(now)) {
      entry.refused = "token expired and refresh failed: " + message;
    }
    entry.refreshAt = retryAt(now, random);
  }

  /** Lets refused tokens be requested again at once. */
  void retry() {
    for (Entry entry : entries.values()) {
      if (!entry.refused.isEmpty()) {
        entry.refused = "";
        entry.refreshAt = Instant.MIN;
      }
    }
  }

  TokenState read(Token wanted) {
    Entry entry = entries.get(wanted);
    if (entry == null) {
      return new TokenState.Requested();
    }
    ServiceAccountToken token = entry.token;
    if (!entry.refused.isEmpty()) {
      return new TokenState.Refused(entry.refused);
    }
    return token == null ? new TokenState.Requested() : new TokenState.Issued(token.token());
  }

  /** Returns when the next token has to be requested; null without tokens. */
  @Nullable Instant next() {
    Instant next = null;
    for (Entry entry : entries.values()) {
      if (!entry.requested && (next == null || entry.refreshAt.isBefore(next))) {
        next = entry.refreshAt;
      }
    }
    return next;
  }

  private static TokenLife life(ServiceAccountToken token) {
    return new TokenLife(token.expiresAt(), token.expirationSeconds());
  }
}
