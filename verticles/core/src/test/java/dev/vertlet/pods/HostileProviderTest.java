package dev.vertlet.pods;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.ProviderGuard;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.pod.ForwardingProvider;
import dev.vertlet.provider.pod.ProviderContext;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.QuietProvider;
import dev.vertlet.testing.TestPods;
import dev.vertlet.testsupport.ManualClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a provider does about the pod {@code bad}, other pods are created, reported, deleted and
 * gone, from the API server and back. kubelet row C19.
 */
@SuppressWarnings("NullAway") // code that is compiled without it can do all this
@Tag("C19")
class HostileProviderTest {
  private static final String NODE = "node";

  private final Hostile provider = new Hostile(new QuietProvider(true));
  private final ManualClock clock = new ManualClock();
  @AutoClose private final FakeCluster cluster = FakeCluster.start();

  /** Misbehaves for the pod {@code bad} as scripted; runs and ends all other pods at once. */
  private static final class Hostile extends ForwardingProvider {
    private final QuietProvider quiet;
    volatile BiFunction<ProviderContext, PodView, Future<Void>> act =
        (context, pod) -> Future.succeededFuture();
    volatile @Nullable Supplier<Future<List<PodReport>>> listing;
    volatile @Nullable Supplier<Future<Void>> releasing;

    Hostile(QuietProvider quiet) {
      super(quiet);
      this.quiet = quiet;
    }

    private Future<Void> act(PodView pod, Function<PodView, Future<Void>> otherwise) {
      return pod.name().equals("bad") ? act.apply(quiet.context(), pod) : otherwise.apply(pod);
    }

    @Override
    public Future<Void> create(PodView pod) {
      return act(pod, super::create);
    }

    @Override
    public Future<Void> update(PodView pod) {
      return act(pod, super::update);
    }

    @Override
    public Future<Void> delete(PodView pod, Duration grace) {
      return act(pod, other -> super.delete(other, grace));
    }

    @Override
    public Future<List<PodReport>> list() {
      Supplier<Future<List<PodReport>>> scripted = listing;
      return scripted == null ? super.list() : scripted.get();
    }

    @Override
    public Future<Void> release(String node) {
      Supplier<Future<Void>> scripted = releasing;
      return scripted == null ? super.release(node) : scripted.get();
    }
  }

  private interface Act extends BiFunction<ProviderContext, PodView, Future<Void>> {}

  static Stream<Arguments> acts() {
    return Stream.of(
        act("hangs", (context, pod) -> Promise.<Void>promise().future()),
        act("returns null", (context, pod) -> null),
        act(
            "throws",
            (context, pod) -> {
              throw new IllegalStateException("broken");
            }),
        act(
            "throws without a message",
            (context, pod) -> {
              throw new IllegalStateException();
            }),
        act(
            "lacks a class",
            (context, pod) -> {
              throw new NoClassDefFoundError("com/example/Client");
            }),
        act(
            "recurses for ever",
            (context, pod) -> {
              throw new StackOverflowError();
            }),
        act("fails", (context, pod) -> Future.failedFuture("down")),
        act(
            "fails with nulls",
            (context, pod) -> Future.failedFuture(new ProviderException(null, null, null))),
        act(
            "answers on a thread of its own, twice",
            (context, pod) -> {
              Promise<Void> answer = Promise.promise();
              new Thread(
                      () -> {
                        answer.complete();
                        answer.tryFail("and failed");
                      })
                  .start();
              return answer.future();
            }),
        act(
            "reports null",
            (context, pod) -> {
              context.report(null);
              return Future.succeededFuture();
            }),
        act(
            "reports no status",
            (context, pod) -> {
              context.report(new PodReport(pod.ref(), pod.nodeName(), null, false));
              return Future.succeededFuture();
            }),
        act(
            "writes no event",
            (context, pod) -> {
              context.event(null);
              return Future.succeededFuture();
            }),
        act(
            "reports pods that are not there, and nodes that are not its",
            (context, pod) -> {
              context.report(report(new PodRef("x", "y", "z"), NODE, PodPhase.RUNNING, true));
              context.report(report(pod.ref(), "elsewhere", PodPhase.RUNNING, true));
              return Future.succeededFuture();
            }),
        act(
            "says that it runs, that it has ended, and that it runs again",
            (context, pod) -> {
              for (int i = 0; i < 10; i++) {
                context.report(report(pod.ref(), NODE, PodPhase.RUNNING, false));
                context.report(report(pod.ref(), NODE, PodPhase.FAILED, true));
              }
              return Future.succeededFuture();
            }),
        act(
            "speaks from many threads at once",
            (context, pod) -> {
              for (int i = 0; i < 8; i++) {
                new Thread(
                        () -> {
                          for (int n = 0; n < 200; n++) {
                            context.report(report(pod.ref(), NODE, PodPhase.RUNNING, false));
                          }
                        })
                    .start();
              }
              return Future.succeededFuture();
            }));
  }

  private static Arguments act(String name, Act act) {
    return Arguments.of(name, act);
  }

  private static PodReport report(PodRef pod, String node, PodPhase phase, boolean finished) {
    return new PodReport(pod, node, TestPods.status(phase), finished);
  }

  /**
   * Time goes on by itself, so that what fails for another reason, such as a status that is being
   * written when its node's lease is lost, is tried again.
   */
  private void serve() {
    serve(Duration.ofMinutes(2), System::nanoTime);
  }

  /**
   * @param nanos by which the provider's calls wait for their next try
   */
  private void serve(Duration callTimeout, LongSupplier nanos) {
    cluster.deploy(cluster.statuses(System::nanoTime));
    cluster.deploy(
        new PodSyncVerticle(
                0,
                List.of(NODE),
                List.of(),
                ProviderGuard.of(provider),
                cluster.kube(),
                cluster.bus(),
                cluster.env(clock, nanos))
            .callTimeout(callTimeout));
    cluster.watchPods(NODE);
    acquire();
  }

  private void acquire() {
    cluster.acquire(NODE);
  }

  private void runs(String pod) {
    cluster.createPod(pod, NODE);
    eventually(
        () ->
            assertThat(cluster.pod(pod).at("/status/phase").asText())
                .as("phase of %s", pod)
                .isEqualTo("Running"));
  }

  private void goes(String pod) {
    cluster.delete("pods", "default", pod);
    eventually(() -> assertThat(cluster.exists("pods", "default", pod)).isFalse());
  }

  @ParameterizedTest(name = "a provider that {0}")
  @MethodSource("acts")
  void harmsOnlyThePodItDoesItTo(String what, Act act) {
    provider.act = act;
    serve();
    cluster.createPod("bad", NODE);
    runs("before");

    cluster.delete("pods", "default", "bad");
    runs("after");

    goes("before");
    goes("after");
  }

  /** What a provider's list may be, beside a list of reports. */
  enum Listing {
    THROWS {
      @Override
      Future<List<PodReport>> answer() {
        throw new NoClassDefFoundError("com/example/Client");
      }
    },
    FAILS {
      @Override
      Future<List<PodReport>> answer() {
        return Future.failedFuture("down");
      }
    },
    IS_NULL {
      @Override
      Future<List<PodReport>> answer() {
        return Future.succeededFuture();
      }
    },
    HAS_NULLS {
      @Override
      Future<List<PodReport>> answer() {
        return Future.succeededFuture(Collections.singletonList(null));
      }
    },
    HANGS {
      @Override
      Future<List<PodReport>> answer() {
        return Promise.<List<PodReport>>promise().future();
      }
    };

    abstract Future<List<PodReport>> answer();
  }

  @ParameterizedTest
  @EnumSource
  void aListThatCannotBeHadStopsNoPod(Listing listing) {
    provider.listing = listing::answer;
    provider.releasing =
        () -> {
          throw new IllegalStateException("broken");
        };
    serve();

    runs("a");
    cluster.publish(dev.vertlet.bus.Addresses.LEASE_LOST, new LeaseLost(NODE, "test"));
    acquire();
    runs("b");

    goes("a");
    goes("b");
  }

  /** A call that was given up, and its answer that comes all the same. */
  @Test
  void aLateAnswerIsNotTakenForThatOfTheNextCall() {
    Promise<Void> first = Promise.promise();
    Promise<Void> second = Promise.promise();
    Queue<Promise<Void>> answers = new ConcurrentLinkedQueue<>(List.of(first, second));
    AtomicInteger asked = new AtomicInteger();
    provider.act =
        (context, pod) -> {
          asked.incrementAndGet();
          Promise<Void> next = answers.poll();
          return next == null ? Future.succeededFuture() : next.future();
        };
    serve(Duration.ofMillis(200), clock::nanos);
    cluster.createPod("bad", NODE);
    eventually(
        () ->
            assertThat(cluster.pod("bad").at("/status/message").asText())
                .isEqualTo("no answer within 200 ms"));
    assertThat(cluster.pod("bad").at("/status/reason").asText()).isEqualTo("ProviderFailed");

    askedAgain(asked, 2);
    first.complete();
    runs("other");

    // had the late answer counted, the second call's failure would find nothing in flight
    askedAgain(asked, 3);
    goes("other");
  }

  /** When the back-off is over, by whatever clock. */
  private void askedAgain(AtomicInteger asked, int times) {
    eventually(
        () -> {
          clock.advance(Duration.ofMinutes(10));
          assertThat(asked).hasValueGreaterThanOrEqualTo(times);
        });
  }
}
