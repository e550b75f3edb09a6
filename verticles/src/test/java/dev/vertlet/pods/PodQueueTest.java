package dev.vertlet.pods;

import static dev.vertlet.testing.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.lifecycle.FakeLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.PodProvider;
import dev.vertlet.provider.ProviderContext;
import dev.vertlet.provider.RetryPolicy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
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
  private final Script provider = new Script();
  private final SimulatedSync sync =
      new SimulatedSync(
          List.of(NODE),
          provider,
          loop,
          report -> {},
          () -> Duration.ofMillis(loop.millis()).toNanos(),
          new SplittableRandom(1));
  private final long begin = loop.millis();

  private void serve(RetryPolicy policy) {
    provider.policy = policy;
    assertThat(sync.start(provider.context()).succeeded()).isTrue();
    sync.acquired(NODE, 0);
    sync.synced(NODE, 0);
    loop.settle();
  }

  private void observe(String... names) {
    for (String name : names) {
      sync.observed(pod(name).view());
    }
  }

  private static RetryPolicy every(Duration delay) {
    return (tries, failure, random) -> Optional.of(delay);
  }

  @Test
  void whatFailsIsTriedAsOftenAsThePolicySaysAndNoMore() {
    serve(RetryPolicy.VIRTUAL_KUBELET);
    provider.failing("create a");
    observe("a");
    loop.advance(Duration.ofDays(1));

    assertThat(provider.calls("create a")).hasSize(20);
    assertThat(provider.times("create a").get(1)).isEqualTo(10);
    assertThat(provider.times("create a").get(19)).isGreaterThan(Duration.ofMinutes(50).toMillis());
    assertThat(loop.timers()).as("nothing waits any more").isZero();
  }

  @Test
  void aPolicyChoosesTheDelays() {
    serve(every(Duration.ofMillis(10)));
    provider.failing("create a");
    observe("a");
    loop.advance(Duration.ofMillis(195));

    assertThat(provider.times("create a"))
        .containsExactlyElementsOf(IntStream.range(0, 20).mapToObj(i -> i * 10L).toList());
  }

  @Test
  void triesOfOnePodDoNotSlowDownAnother() {
    serve(RetryPolicy.VIRTUAL_KUBELET);
    provider.failing("create a");
    observe("a");
    loop.advance(Duration.ofMillis(650));
    provider.failing("create b");
    observe("b");
    loop.advance(Duration.ofMillis(10));

    assertThat(provider.calls("create b")).hasSize(2);
  }

  @Test
  void whatIsForgottenBeforeItsTurnIsNotDone() {
    serve(every(Duration.ofSeconds(1)));
    provider.failing("create a");
    observe("a");
    sync.gone(pod("a").ref());
    loop.advance(Duration.ofMinutes(1));

    assertThat(provider.made).containsExactly("create a", "kill a");
    assertThat(sync.size()).isZero();
  }

  @Test
  void whatIsForgottenWhileItIsDoneIsNotTriedAgain() {
    serve(every(Duration.ofSeconds(1)));
    Promise<Void> answer = Promise.promise();
    provider.answers.put("create a", answer::future);
    observe("a");
    sync.gone(pod("a").ref());
    answer.fail("too late");
    loop.advance(Duration.ofMinutes(1));

    assertThat(provider.made).containsExactly("create a", "kill a");
    assertThat(sync.size()).isZero();
  }

  @Test
  void whatIsDueFirstIsDoneFirst() {
    serve((tries, failure, random) -> Optional.of(Duration.ofSeconds(provider.delay)));
    for (String name : List.of("c", "a", "b")) {
      provider.failing("create " + name);
      provider.delay = 10L * (name.charAt(0) - 'a' + 1);
      observe(name);
    }
    provider.made.clear();
    loop.advance(Duration.ofSeconds(31));

    assertThat(provider.made).startsWith("create a", "create b", "create c");
  }

  @Test
  void anEndIsBroughtForward() {
    serve(every(Duration.ofHours(1)));
    provider.failing("create a");
    observe("a");
    loop.advance(Duration.ofMinutes(1));
    sync.observed(pod("a").deleted(30).view());

    assertThat(provider.made).containsExactly("create a", "delete a");
  }

  @Test
  void aRetryThatWaitsIsBroughtForwardOnce() {
    serve(every(Duration.ofHours(1)));
    provider.failing("create a");
    observe("a");
    loop.advance(Duration.ofMinutes(1));
    sync.enqueued(pod("a").ref());
    sync.enqueued(pod("unknown").ref());
    loop.advance(Duration.ofMinutes(65));

    assertThat(provider.times("create a")).containsExactly(0L, 60_000L, 60_000L + 3_600_000L);
    assertThat(provider.made).hasSize(3);
  }

  @Test
  void whatChangesWhileItIsDoneIsDoneOnceMoreAndNeverTwiceAtOnce() {
    serve(every(Duration.ofSeconds(1)));
    Promise<Void> answer = Promise.promise();
    provider.answers.put("create a", answer::future);
    observe("a");
    sync.observed(pod("a").withLabels(Map.of("color", "red")).at(2).view());
    sync.observed(pod("a").withLabels(Map.of("color", "blue")).at(3).view());
    assertThat(provider.made).containsExactly("create a");
    answer.complete();
    loop.settle();

    assertThat(provider.made).containsExactly("create a", "update a");
    assertThat(provider.newest.labels()).containsEntry("color", "blue");
  }

  @Test
  void manyPodsAreWorkedOnAtOnce() {
    serve(every(Duration.ofSeconds(1)));
    List<Promise<Void>> answers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Promise<Void> answer = Promise.promise();
      answers.add(answer);
      provider.answers.put("create p" + i, answer::future);
      observe("p" + i);
    }

    assertThat(provider.made).hasSize(20);
    answers.forEach(Promise::complete);
    loop.advance(Duration.ofMinutes(1));
    assertThat(provider.made).as("each was done once").hasSize(20);
  }

  /** Remembers calls, and when they were made; answers as it is told. */
  private final class Script implements PodProvider {
    private final List<String> made = new ArrayList<>();
    private final Map<String, List<Long>> at = new HashMap<>();
    private final Map<String, Supplier<Future<Void>>> answers = new HashMap<>();
    private RetryPolicy policy = RetryPolicy.ENDLESS;
    private long delay;
    private PodView newest = pod("none").view();

    void failing(String call) {
      answers.put(call, () -> Future.failedFuture("busy"));
    }

    /** Milliseconds after the beginning at which the call was made. */
    List<Long> times(String call) {
      return at.getOrDefault(call, List.of());
    }

    List<String> calls(String call) {
      return made.stream().filter(call::equals).toList();
    }

    ProviderContext context() {
      return (ProviderContext)
          Proxy.newProxyInstance(
              ProviderContext.class.getClassLoader(),
              new Class<?>[] {ProviderContext.class},
              (proxy, method, arguments) -> null);
    }

    private Future<Void> call(String verb, PodRef pod) {
      String call = verb + " " + pod.name();
      made.add(call);
      at.computeIfAbsent(call, first -> new ArrayList<>()).add(loop.millis() - begin);
      return answers.getOrDefault(call, Future::succeededFuture).get();
    }

    @Override
    public RetryPolicy retries() {
      return policy;
    }

    @Override
    public boolean tellsUnclaimed() {
      return true;
    }

    @Override
    public Future<Void> start(ProviderContext context) {
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> create(PodView pod) {
      newest = pod;
      return call("create", pod.ref());
    }

    @Override
    public Future<Void> update(PodView pod) {
      newest = pod;
      return call("update", pod.ref());
    }

    @Override
    public Future<Void> delete(PodView pod, Duration grace) {
      return call("delete", pod.ref());
    }

    @Override
    public Future<Void> kill(PodRef pod) {
      return call("kill", pod);
    }

    @Override
    public Future<Optional<PodReport>> get(PodRef pod) {
      return Future.succeededFuture(Optional.empty());
    }

    @Override
    public Future<List<PodReport>> list() {
      return Future.succeededFuture(List.of());
    }
  }
}
