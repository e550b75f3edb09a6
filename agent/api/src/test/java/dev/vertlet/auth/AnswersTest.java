package dev.vertlet.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.ManualClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final List<Promise<Boolean>> asked = new ArrayList<>();
  private final Answers<String, Boolean> answers =
      new Answers<>(clock, yes -> yes, Duration.ofMinutes(5), Duration.ofSeconds(30));

  private Future<Boolean> ask(String key) {
    return ask(key, "");
  }

  private Future<Boolean> ask(String key, String client) {
    return answers.get(
        key,
        client,
        () -> {
          Promise<Boolean> promise = Promise.promise();
          asked.add(promise);
          return promise.future();
        });
  }

  @Test
  void whoeverAsksTheSameMeanwhileWaitsForTheOneQuestion() {
    Future<Boolean> first = ask("a");
    Future<Boolean> second = ask("a");
    assertThat(asked).hasSize(1);

    asked.get(0).complete(true);

    assertThat(first.result()).isTrue();
    assertThat(second.result()).isTrue();
  }

  @Test
  void aYesHoldsForItsTimeAndANoForItsOwn() {
    ask("yes");
    ask("no");
    asked.get(0).complete(true);
    asked.get(1).complete(false);

    clock.advance(Duration.ofSeconds(30).minusNanos(1));
    assertThat(ask("yes").result()).isTrue();
    assertThat(ask("no").result()).isFalse();
    assertThat(asked).hasSize(2);

    clock.advance(Duration.ofNanos(1));
    assertThat(ask("no").isComplete()).isFalse();
    assertThat(ask("yes").result()).isTrue();

    clock.set(Instant.EPOCH.plus(Duration.ofMinutes(5)));
    assertThat(ask("yes").isComplete()).isFalse();
  }

  @Test
  void aFailureIsNotRemembered() {
    Future<Boolean> failed = ask("a");
    asked.get(0).fail("away");
    assertThat(failed.failed()).isTrue();

    assertThat(ask("a").isComplete()).isFalse();
    assertThat(asked).hasSize(2);
  }

  @Test
  void differentQuestionsOnTheirWayAreBounded() {
    for (int i = 0; i < 192; i++) {
      assertThat(ask("key" + i, "client" + i % 10).failed()).isFalse();
    }

    assertThat(ask("one more", "other").cause())
        .isInstanceOf(BusyException.class)
        .hasMessageContaining("192");
    assertThat(ask("key7", "other").failed()).isFalse(); // waits for its own
    assertThat(asked).hasSize(192);

    asked.get(0).complete(false);
    assertThat(ask("one more", "other").failed()).isFalse();
  }

  @Test
  void clientsThatWereKnownHaveQuestionsLeftWhenStrangersHaveNone() {
    ask("mine", "friend");
    asked.get(0).complete(true);
    for (int i = 0; i < 192; i++) {
      ask("key" + i, "stranger" + i % 10);
    }
    assertThat(ask("one more", "stranger11").failed()).isTrue();

    assertThat(ask("mine, too", "friend").failed()).isFalse();

    clock.advance(Duration.ofMinutes(10));
    assertThat(ask("and this", "friend").failed()).isTrue();
  }

  @Test
  void oneClientHasAShare() {
    for (int i = 0; i < 32; i++) {
      assertThat(ask("key" + i, "greedy").failed()).isFalse();
    }

    assertThat(ask("one more", "greedy").cause())
        .isInstanceOf(BusyException.class)
        .hasMessage("32 questions of this client wait for the API server already");
    assertThat(ask("another", "other").failed()).isFalse();
    for (int i = 32; i < 256; i++) {
      assertThat(ask("key0", "greedy").failed()).as("waiting for one question").isFalse();
    }
    assertThat(ask("key0", "greedy").cause())
        .hasMessage("256 requests of this client wait for an answer");
    asked.forEach(each -> each.complete(false));
    assertThat(ask("one more", "greedy").failed()).isFalse();
  }

  /** Anybody may send tokens that are made up. */
  @Test
  void manyNoesPushOutNoYes() {
    ask("good", "friend");
    asked.get(0).complete(true);

    for (int i = 0; i < 20_000; i++) {
      ask("bad" + i, "stranger");
      asked.get(asked.size() - 1).complete(false);
    }

    assertThat(ask("good", "friend").result()).isTrue();
  }

  @Test
  void theCacheIsBoundedAndForgetsWhatWasNotAskedForLongest() {
    ExpiringCache<Integer, String> cache = new ExpiringCache<>(3, clock);
    for (int i = 0; i < 3; i++) {
      cache.put(i, "value", Duration.ofSeconds(1));
    }
    assertThat(cache.get(0)).contains("value");

    cache.put(3, "value", Duration.ofSeconds(1));

    assertThat(cache.size()).isEqualTo(3);
    assertThat(cache.get(0)).contains("value");
    assertThat(cache.get(1)).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    assertThat(cache.get(0)).isEmpty();
    assertThat(cache.size()).isEqualTo(2);
  }

  @Test
  void aTimeOfZeroRemembersNothing() {
    ExpiringCache<Integer, String> cache = new ExpiringCache<>(3, clock);

    cache.put(1, "value", Duration.ZERO);

    assertThat(cache.get(1)).isEmpty();
  }
}
