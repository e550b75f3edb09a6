package dev.vertlet.simulated;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kubelet.KubeletCore;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.ProviderGuard;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import dev.vertlet.provider.failure.ProviderException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever a runtime does about the pod {@code bad}, and whatever it tells, other pods of the
 * kubelet core run and end. kubelet row C19.
 */
@ExtendWith(VertxExtension.class)
@SuppressWarnings("NullAway") // code that is compiled without it can do all this
@Tag("C19")
class HostileRuntimeTest {
  private Recorder recorder;
  private Context context;
  private KubeletCore core;
  private volatile RuntimeListener listener;

  /** How every call for the pod {@code bad} is answered. */
  enum Act {
    HANGS(real -> Promise.promise().future()),
    THROWS(
        real -> {
          throw new IllegalStateException();
        }),
    LACKS_A_CLASS(
        real -> {
          throw new NoClassDefFoundError("com/example/Client");
        }),
    RETURNS_NULL(real -> null),
    ANSWERS_NULL(real -> Future.succeededFuture()),
    FAILS(real -> Future.failedFuture("down")),
    FAILS_WITH_NULLS(real -> Future.failedFuture(new ProviderException(null, null, null))),
    ANSWERS_TWICE_ON_A_THREAD_OF_ITS_OWN(
        real -> {
          Promise<Object> answer = Promise.promise();
          Future<?> made = (Future<?>) real.get();
          new Thread(
                  () -> {
                    made.<Object>map(done -> done).onComplete(answer);
                    answer.tryFail("twice");
                  })
              .start();
          return answer.future();
        });

    private final Function<Supplier<Object>, Object> answer;

    Act(Function<Supplier<Object>, Object> answer) {
      this.answer = answer;
    }

    Object answer(Supplier<Object> real) {
      return answer.apply(real);
    }
  }

  @BeforeEach
  void context(Vertx vertx) {
    context = vertx.getOrCreateContext();
  }

  private void start(Vertx vertx, Act act) {
    SimulatedRuntime simulated = Lab.onVertx(vertx, "10.0.0.0/24");
    ContainerRuntime hostile =
        (ContainerRuntime)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ContainerRuntime.class},
                (self, method, arguments) -> {
                  if (method.getName().equals("start")) {
                    listener = (RuntimeListener) arguments[0];
                  }
                  return isBad(arguments)
                      ? act.answer(() -> call(simulated, method, arguments))
                      : call(simulated, method, arguments);
                });
    core = Lab.core(ProviderGuard.of(hostile));
    recorder = new Recorder(vertx);
    get(() -> core.start(recorder));
  }

  private static boolean isBad(Object[] arguments) {
    if (arguments == null || arguments.length == 0) {
      return false;
    }
    return (arguments[0] instanceof PodView view && view.name().equals("bad"))
        || (arguments[0] instanceof PodRef ref && ref.name().equals("bad"));
  }

  private static Object call(Object target, Method method, Object[] arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getTargetException());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private <T> T get(Supplier<Future<T>> call) {
    return begin(call).await();
  }

  private <T> Future<T> begin(Supplier<Future<T>> call) {
    Promise<T> answer = Promise.promise();
    context.runOnContext(v -> call.get().onComplete(answer));
    return answer.future();
  }

  private void runs(String name) {
    PodView pod = Pods.pod(name).view();
    get(() -> core.create(pod));
    eventually(
        () ->
            assertThat(recorder.reports.get(pod.ref()))
                .as(name)
                .isNotNull()
                .matches(report -> report.status().phase() == PodPhase.RUNNING));
  }

  private void ends(String name) {
    PodView pod = Pods.pod(name).view();
    get(() -> core.delete(pod, Duration.ofSeconds(1)));
    eventually(() -> assertThat(recorder.reports.get(pod.ref())).matches(PodReport::finished));
  }

  @ParameterizedTest
  @EnumSource
  void harmsOnlyThePodItDoesItTo(Act act, Vertx vertx) {
    Queue<Throwable> escaped = new ConcurrentLinkedQueue<>();
    vertx.exceptionHandler(escaped::add);
    start(vertx, act);
    PodView bad = Pods.pod("bad").view();
    Future<Void> created = begin(() -> core.create(bad));
    runs("before");

    Future<Void> deleted = begin(() -> core.delete(bad, Duration.ofSeconds(1)));
    tellNonsense(bad.ref());
    runs("after");

    ends("before");
    ends("after");
    if (act != Act.HANGS) {
      await().until(() -> created.isComplete() && deleted.isComplete());
    }
    assertThat(escaped).isEmpty();
  }

  /** From another thread, about pods that are not there and containers that cannot be. */
  private void tellNonsense(PodRef bad) {
    ContainerRecord empty = new ContainerRecord(null, null, -1, null, null, null, null, null);
    ContainerRecord foreign =
        new ContainerRecord(
            "x://1",
            "main",
            99,
            "image",
            "id",
            new ContainerStateView.Terminated(1, 0, null, null, null, null, null),
            null,
            null);
    Thread thread =
        new Thread(
            () -> {
              for (PodRef pod : new PodRef[] {bad, new PodRef("x", "y", "z"), null}) {
                listener.containerChanged(pod, foreign);
                listener.containerChanged(pod, empty);
                listener.containerChanged(pod, null);
                listener.sandboxLost(pod);
              }
            });
    thread.start();
  }
}
