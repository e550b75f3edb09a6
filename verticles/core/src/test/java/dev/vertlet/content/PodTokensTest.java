package dev.vertlet.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.content.VolumeFiles.TokenState;
import dev.vertlet.model.definition.VolumeDefinition.Token;
import dev.vertlet.provider.pod.ServiceAccountToken;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When tokens are requested again, and what is used meanwhile. */
class PodTokensTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Token WANTED = new Token("aud", 3600, "token");

  private final PodTokens tokens = new PodTokens();
  private final RandomGenerator random = new Random(1);

  private static ServiceAccountToken token(String text, Instant issued, long seconds) {
    return new ServiceAccountToken(text, issued.plusSeconds(seconds), seconds);
  }

  @ParameterizedTest
  @CsvSource({
    "600, 480", // 80 % of its life
    "3600, 2880",
    "86400, 69120",
    "172800, 86400", // a day
    "31536000, 86400"
  })
  @Tag("P10")
  void aTokenIsReplacedAfterMostOfItsLifeOrADay(long seconds, long after) {
    TokenLife life = new TokenLife(NOW.plusSeconds(seconds), seconds);

    assertThat(life.refreshAt(0)).isEqualTo(NOW.plusSeconds(after));
    assertThat(life.refreshAt(1)).isEqualTo(NOW.plusSeconds(after - 10));
  }

  @Test
  void aTokenIsRequestedOnceUntilItIsDue() {
    assertThat(tokens.due(List.of(WANTED), NOW)).containsExactly(WANTED);
    assertThat(tokens.due(List.of(WANTED), NOW)).isEmpty();
    assertThat(tokens.read(WANTED)).isEqualTo(new TokenState.Requested());

    tokens.issued(WANTED, token("a", NOW, 3600), NOW, random);

    assertThat(tokens.read(WANTED)).isEqualTo(new TokenState.Issued("a"));
    assertThat(tokens.next()).isBetween(NOW.plusSeconds(2870), NOW.plusSeconds(2880));
    assertThat(tokens.due(List.of(WANTED), NOW.plusSeconds(2800))).isEmpty();
    assertThat(tokens.due(List.of(WANTED), NOW.plusSeconds(2880))).containsExactly(WANTED);
    assertThat(tokens.read(WANTED)).isEqualTo(new TokenState.Issued("a"));
  }

  @Test
  void aTokenStaysInUseAfterAFailedRefreshUntilItExpires() {
    tokens.due(List.of(WANTED), NOW);
    tokens.issued(WANTED, token("a", NOW, 600), NOW, random);
    Instant due = NOW.plusSeconds(480);
    tokens.due(List.of(WANTED), due);

    tokens.failed(WANTED, "no", due, random);

    assertThat(tokens.read(WANTED)).isEqualTo(new TokenState.Issued("a"));
    assertThat(tokens.next())
        .isBetween(due.plus(Duration.ofSeconds(60)), due.plus(Duration.ofSeconds(90)));
    Instant over = NOW.plusSeconds(601);
    tokens.due(List.of(WANTED), over);
    tokens.failed(WANTED, "no", over, random);
    assertThat(tokens.read(WANTED))
        .isEqualTo(new TokenState.Refused("token expired and refresh failed: no"));
  }

  @Test
  void aTokenThatIsOldByTheAgentsClockIsNotRequestedAtOnce() {
    Instant later = NOW.plusSeconds(3500);
    tokens.due(List.of(WANTED), later);

    tokens.issued(WANTED, token("a", NOW, 3600), later, random);

    assertThat(tokens.due(List.of(WANTED), later)).isEmpty();
    assertThat(tokens.next())
        .isBetween(later.plus(Duration.ofSeconds(60)), later.plus(Duration.ofSeconds(90)));
  }

  @Test
  void aRefusedTokenIsRequestedAgainByTheNextAttempt() {
    tokens.due(List.of(WANTED), NOW);
    tokens.failed(WANTED, "serviceaccounts \"x\" not found", NOW, random);

    assertThat(tokens.read(WANTED))
        .isEqualTo(
            new TokenState.Refused("failed to fetch token: serviceaccounts \"x\" not found"));
    assertThat(tokens.due(List.of(WANTED), NOW)).isEmpty();
    tokens.retry();
    assertThat(tokens.due(List.of(WANTED), NOW)).containsExactly(WANTED);
  }
}
