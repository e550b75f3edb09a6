package dev.vertlet.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private final SetClock clock = new SetClock(Instant.EPOCH);
  private final List<Promise<Boolean>> asked = new ArrayList<>();
  private final Answers<String, Boolean> answers =
      new Answers<>(clock, yes -> yes ? Duration.ofMinutes(5) : Duration.ofSeconds(30));

  private Future<Boolean> ask(String key) {
    return answers.get(
        key,
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

    clock.pass(Duration.ofSeconds(30).minusNanos(1));
    assertThat(ask("yes").result()).isTrue();
    assertThat(ask("no").result()).isFalse();
    assertThat(asked).hasSize(2);

    clock.pass(Duration.ofNanos(1));
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
    for (int i = 0; i < 256; i++) {
      assertThat(ask("key" + i).failed()).isFalse();
    }

    assertThat(ask("one more").cause()).hasMessageContaining("256");
    assertThat(ask("key7").failed()).isFalse(); // waits for its own
    assertThat(asked).hasSize(256);

    asked.get(0).complete(true);
    assertThat(ask("one more").failed()).isFalse();
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
    clock.pass(Duration.ofSeconds(1));
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
