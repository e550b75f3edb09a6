package dev.vertlet.tck;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.node.NodeSpec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/** Event loop on which the kit calls a provider, as an agent does. Used by the test's thread. */
final class Lab implements AutoCloseable {
  /** Name of the first of the two nodes that the provider serves. */
  static final String NODE = "tck-a";

  static final String OTHER_NODE = "tck-b";

  /** Longest time that a call may block the event loop before it returns its Future. */
  static final Duration LONGEST_CALL = Duration.ofSeconds(2);

  private final LoopWatch watch = new LoopWatch();
  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final ProviderFactory factory;
  private final ProviderSettings settings;
  private final Duration patience;
  private final Path pods;

  Lab(ProviderFactory factory, ProviderSettings settings, Duration patience) {
    this.factory = factory;
    this.settings = settings;
    this.patience = patience;
    try {
      this.pods = Files.createTempDirectory("tck-pods");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates the directory of a pod, as vertlet does for its runtime. */
  Path directory(PodRef pod) {
    try {
      return Files.createDirectories(pods.resolve(pod.uid()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Vertx vertx() {
    return vertx;
  }

  /** Creates a new instance, as after a restart of the agent. */
  Backend make() {
    ProviderSetup setup =
        new ProviderSetup(
            vertx,
            Clock.systemUTC(),
            new SplittableRandom(1),
            new SimpleMeterRegistry(),
            settings,
            List.of(node(NODE, "10.201.0.0/24"), node(OTHER_NODE, "10.201.1.0/24")),
            pods);
    return call(() -> Future.succeededFuture(factory.create(setup)));
  }

  private static NodeSpec node(String name, String podCidr) {
    Map<String, String> resources = Map.of("cpu", "64", "memory", "64Gi", "pods", "250");
    return new NodeSpec(
        name,
        Map.of(),
        Map.of(),
        List.of(),
        resources,
        resources,
        List.of(new NodeAddressView("InternalIP", "192.0.2.10")),
        Map.of(),
        podCidr);
  }

  /** Returns the provider's answer; fails the test when the call fails or does not answer. */
  <T> T call(Supplier<Future<T>> call) {
    try {
      return begin(call).await(patience.toMillis(), MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("no answer within " + patience, e);
    }
  }

  /** Returns the failure of a call; fails the test when the call succeeds or does not answer. */
  Throwable failure(Supplier<? extends Future<?>> call) {
    return call(() -> call.get().transform(answer -> Future.succeededFuture(failed(answer))));
  }

  private static Throwable failed(io.vertx.core.AsyncResult<?> answer) {
    return answer.failed() ? answer.cause() : new AssertionError("succeeded: " + answer.result());
  }

  /** Makes a call on the event loop without waiting for its answer. */
  <T> Future<T> begin(Supplier<Future<T>> call) {
    Promise<T> answer = Promise.promise();
    context.runOnContext(
        v -> {
          Future<T> made;
          watch.begin();
          try {
            made = call.get();
          } catch (RuntimeException | Error e) {
            answer.fail(new AssertionError("a call threw instead of failing its Future", e));
            return;
          }
          Duration taken = watch.end();
          if (taken.compareTo(LONGEST_CALL) > 0) {
            answer.fail(new AssertionError("a call held the event loop for " + taken));
          } else {
            made.onComplete(answer);
          }
        });
    return answer.future();
  }

  void eventually(ThrowingRunnable assertion) {
    Awaitility.await()
        .atMost(patience)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(assertion);
  }

  @Override
  public void close() {
    watch.close();
    vertx.close().await();
    try (Stream<Path> all = Files.walk(pods)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
