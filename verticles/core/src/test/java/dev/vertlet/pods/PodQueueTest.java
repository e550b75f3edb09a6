package dev.vertlet.pods;

import static dev.vertlet.testing.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.loop.FakeLoop;
import dev.vertlet.provider.failure.FailedTry;
import dev.vertlet.provider.failure.RetryPolicy;
import dev.vertlet.testing.EmptyContext;
import dev.vertlet.testing.FakeProvider;
import dev.vertlet.testing.FakeProvider.Call;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * virtual-kubelet 2.3-queue: what its queue promises, held against what takes the queue's place, a
 * mailbox for each pod and a timer for each that backs off.
 */
@Tag("2.3-queue")
class PodQueueTest {
  private static final String NODE = "node";

  private final FakeLoop loop = new FakeLoop();
  private final long begin = loop.millis();
  private final FakeProvider provider = new FakeProvider(() -> loop.millis() - begin);
  private final SimulatedSync sync =
      new SimulatedSync(
          List.of(NODE),
          provider,
          loop,
          report -> {},
          () -> Duration.ofMillis(loop.millis()).toNanos(),
          new SplittableRandom(1));

  private void serve(RetryPolicy policy) {
    provider.retryBy(policy);
    assertThat(sync.start(new EmptyContext() {}).succeeded()).isTrue();
    sync.acquired(NODE, 0);
    sync.synced(NODE, 0);
    loop.settle();
  }

  private void failing(String call) {
    provider.answer(call, () -> Future.failedFuture("busy"));
  }

  /** Milliseconds after the beginning at which the call was made. */
  private List<Long> times(String call) {
    return provider.calls(call).stream().map(Call::at).toList();
  }

  private void observe(String... names) {
    for (String name : names) {
      sync.observed(pod(name).view());
    }
  }

  private static RetryPolicy every(Duration delay) {
    return (failed, random) -> Optional.of(delay);
  }

  @Test
  void whatFailsIsTriedAsOftenAsThePolicySaysAndNoMore() {
    serve(RetryPolicy.VIRTUAL_KUBELET);
    failing("create a");
    observe("a");
    loop.advance(Duration.ofDays(1));

    assertThat(provider.calls("create a")).hasSize(20);
    assertThat(times("create a").get(1)).isEqualTo(10);
    assertThat(times("create a").get(19)).isGreaterThan(Duration.ofMinutes(50).toMillis());
    assertThat(loop.timers()).as("nothing waits any more").isZero();
  }

  @Test
  void aPolicyChoosesTheDelays() {
    serve(every(Duration.ofMillis(10)));
    failing("create a");
    observe("a");
    loop.advance(Duration.ofMillis(195));

    assertThat(times("create a"))
        .containsExactlyElementsOf(IntStream.range(0, 20).mapToObj(i -> i * 10L).toList());
  }

  @Test
  void triesOfOnePodDoNotSlowDownAnother() {
    serve(RetryPolicy.VIRTUAL_KUBELET);
    failing("create a");
    observe("a");
    loop.advance(Duration.ofMillis(650));
    failing("create b");
    observe("b");
    loop.advance(Duration.ofMillis(10));

    assertThat(provider.calls("create b")).hasSize(2);
  }

  @Test
  void whatIsForgottenBeforeItsTurnIsNotDone() {
    serve(every(Duration.ofSeconds(1)));
    failing("create a");
    observe("a");
    sync.gone(pod("a").ref());
    loop.advance(Duration.ofMinutes(1));

    assertThat(provider.calls()).containsExactly("create a", "kill a");
    assertThat(sync.size()).isZero();
  }

  @Test
  void whatIsForgottenWhileItIsDoneIsNotTriedAgain() {
    serve(every(Duration.ofSeconds(1)));
    Promise<Void> answer = Promise.promise();
    provider.answer("create a", answer::future);
    observe("a");
    sync.gone(pod("a").ref());
    answer.fail("too late");
    loop.advance(Duration.ofMinutes(1));

    assertThat(provider.calls()).containsExactly("create a", "kill a");
    assertThat(sync.size()).isZero();
  }

  @Test
  void aPolicyIsToldOfThePodItsTriesAndTheirAge() {
    List<FailedTry> asked = new ArrayList<>();
    serve(
        (failed, random) -> {
          asked.add(failed);
          return Optional.of(Duration.ofSeconds(3));
        });
    failing("create a");
    observe("a");
    loop.advance(Duration.ofSeconds(7));

    assertThat(asked).extracting(FailedTry::pod).containsOnly(pod("a").ref());
    assertThat(asked).extracting(FailedTry::tries).containsExactly(1, 2, 3);
    assertThat(asked)
        .extracting(FailedTry::elapsed)
        .containsExactly(Duration.ZERO, Duration.ofSeconds(3), Duration.ofSeconds(6));
  }

  @Test
  void whatIsDueFirstIsDoneFirst() {
    AtomicLong delay = new AtomicLong();
    serve((failed, random) -> Optional.of(Duration.ofSeconds(delay.get())));
    for (String name : List.of("c", "a", "b")) {
      failing("create " + name);
      delay.set(10L * (name.charAt(0) - 'a' + 1));
      observe(name);
    }
    loop.advance(Duration.ofSeconds(31));

    assertThat(provider.calls().subList(3, 6)).containsExactly("create a", "create b", "create c");
  }

  @Test
  void anEndIsBroughtForward() {
    serve(every(Duration.ofHours(1)));
    failing("create a");
    observe("a");
    loop.advance(Duration.ofMinutes(1));
    sync.observed(pod("a").deleted(30).view());

    assertThat(provider.calls()).containsExactly("create a", "delete a");
  }

  @Test
  void aRetryThatWaitsIsBroughtForwardOnce() {
    serve(every(Duration.ofHours(1)));
    failing("create a");
    observe("a");
    loop.advance(Duration.ofMinutes(1));
    sync.enqueued(pod("a").ref());
    sync.enqueued(pod("unknown").ref());
    loop.advance(Duration.ofMinutes(65));

    assertThat(times("create a")).containsExactly(0L, 60_000L, 60_000L + 3_600_000L);
    assertThat(provider.calls()).hasSize(3);
  }

  @Test
  void whatChangesWhileItIsDoneIsDoneOnceMoreAndNeverTwiceAtOnce() {
    serve(every(Duration.ofSeconds(1)));
    Promise<Void> answer = Promise.promise();
    provider.answer("create a", answer::future);
    observe("a");
    sync.observed(pod("a").withLabels(Map.of("color", "red")).at(2).view());
    sync.observed(pod("a").withLabels(Map.of("color", "blue")).at(3).view());
    assertThat(provider.calls()).containsExactly("create a");
    answer.complete();
    loop.settle();

    assertThat(provider.calls()).containsExactly("create a", "update a");
    assertThat(provider.calls("update a"))
        .singleElement()
        .extracting(Call::pod)
        .isEqualTo(pod("a").withLabels(Map.of("color", "blue")).at(3).view());
  }

  @Test
  void manyPodsAreWorkedOnAtOnce() {
    serve(every(Duration.ofSeconds(1)));
    List<Promise<Void>> answers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Promise<Void> answer = Promise.promise();
      answers.add(answer);
      provider.answer("create p" + i, answer::future);
      observe("p" + i);
    }

    assertThat(provider.calls()).hasSize(20);
    answers.forEach(Promise::complete);
    loop.advance(Duration.ofMinutes(1));
    assertThat(provider.calls()).as("each was done once").hasSize(20);
  }
}
