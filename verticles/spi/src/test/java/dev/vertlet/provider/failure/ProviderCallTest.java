package dev.vertlet.provider.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.ProviderGuard;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.testing.FakeProvider;
import dev.vertlet.testing.Fakes;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a back end does, its caller gets one answer on its own context. */
@ExtendWith(VertxExtension.class)
class ProviderCallTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  /** What the answer was and on which context it came. */
  private record Heard(Object answer, Context on) {}

  private static Heard ask(Context context, Duration limit, Supplier<Future<String>> call) {
    Promise<Heard> heard = Promise.promise();
    context.runOnContext(
        v ->
            ProviderCall.in(context, limit, call)
                .onComplete(
                    answer ->
                        heard.complete(
                            new Heard(
                                answer.succeeded() ? answer.result() : answer.cause(),
                                Vertx.currentContext()))));
    return Waits.get(heard.future());
  }

  @SuppressWarnings("NullAway") // what a provider in a jar may do
  static Stream<Arguments> throwing() {
    return Stream.of(
        Arguments.of("no Future", (Supplier<Future<String>>) () -> null, "returned null"),
        Arguments.of("an exception", thrower(new IllegalStateException("broken")), "broken"),
        Arguments.of("a class that is not there", thrower(new NoClassDefFoundError("A")), "A"),
        Arguments.of("a failed assertion", thrower(new AssertionError("wrong")), "wrong"),
        Arguments.of("endless recursion", thrower(new StackOverflowError("deep")), "deep"));
  }

  private static Supplier<Future<String>> thrower(Throwable failure) {
    return () -> {
      if (failure instanceof Error e) {
        throw e;
      }
      throw (RuntimeException) failure;
    };
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("throwing")
  void whatIsThrownIsAFailure(
      String what, Supplier<Future<String>> call, String said, Vertx vertx) {
    Context own = vertx.getOrCreateContext();

    Heard heard = ask(own, LONG, call);

    assertThat(heard.on()).isSameAs(own);
    assertThat(heard.answer()).isInstanceOf(Throwable.class).asString().contains(said);
  }

  @Test
  void anAnswerOfAForeignThreadArrivesOnTheCallersContext(Vertx vertx) {
    Context own = vertx.getOrCreateContext();
    Promise<String> answer = Promise.promise();
    new Thread(() -> answer.complete("late")).start();

    assertThat(ask(own, LONG, answer::future)).isEqualTo(new Heard("late", own));
  }

  @Test
  void aCompleteAnswerThatBelongsToAnotherContextArrivesOnTheCallers(Vertx vertx) {
    Context own = vertx.getOrCreateContext();
    Context foreign = vertx.getOrCreateContext();
    Promise<Future<String>> made = Promise.promise();
    foreign.runOnContext(
        v -> {
          Future<String> bound = vertx.timer(1).map("done");
          bound.onComplete(done -> made.complete(bound));
        });
    Future<String> answer = Waits.get(made.future());

    assertThat(ask(own, LONG, () -> answer)).isEqualTo(new Heard("done", own));
  }

  @Test
  void noAnswerIsATemporaryFailure(Vertx vertx) {
    Heard heard =
        ask(
            vertx.getOrCreateContext(),
            Duration.ofMillis(5),
            () -> Promise.<String>promise().future());

    assertThat(heard.answer())
        .isInstanceOfSatisfying(
            ProviderException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ProviderException.Kind.TEMPORARY);
              assertThat(e.reason()).isEqualTo("ProviderTimeout");
              assertThat(e).hasMessage("no answer within 5 ms");
            });
  }

  /** virtual-kubelet 2.3-errdefs, §1.13: what a failure means survives being wrapped. */
  @Test
  @Tag("2.3-errdefs")
  void theKindOfAFailureIsFoundInItsCauses() {
    ProviderException said =
        new ProviderException(ProviderException.Kind.NOT_FOUND, "Gone", "no such pod");
    Throwable wrapped = new CompletionException(new IllegalStateException(said));

    assertThat(ProviderException.kindOf(wrapped)).isEqualTo(ProviderException.Kind.NOT_FOUND);
    assertThat(ProviderException.reasonOf(wrapped, "Other")).isEqualTo("Gone");
    assertThat(ProviderException.kindOf(new IllegalStateException("x")))
        .isEqualTo(ProviderException.Kind.TEMPORARY);
    assertThat(ProviderException.reasonOf(new IllegalStateException("x"), "Other"))
        .isEqualTo("Other");
  }

  @Test
  void aCircleOfCausesIsLeft() {
    IllegalStateException one = new IllegalStateException("one");
    one.initCause(new IllegalStateException("two", one));

    assertThat(ProviderException.kindOf(one)).isEqualTo(ProviderException.Kind.TEMPORARY);
  }

  @Test
  void aGuardedProviderFailsWhereItAnswersWithNull() {
    PodProvider nulls = ProviderGuard.of(answering(PodProvider.class, Future.succeededFuture()));
    PodRef pod = new PodRef("default", "a", "uid");

    assertThat(nulls.kill(pod).succeeded()).isTrue(); // Void
    assertThat(nulls.list().cause()).hasMessage("the provider answered list with null");
    assertThat(nulls.get(pod).cause()).hasMessage("the provider answered get with null");
  }

  @Test
  void aGuardedProviderFailsWhereItAnswersWithoutAFutureOrThrows() {
    ContainerRuntime silent = ProviderGuard.of(answering(ContainerRuntime.class, null));
    ContainerRuntime holes =
        ProviderGuard.of(
            answering(ContainerRuntime.class, Future.succeededFuture(Arrays.asList("a", null))));
    ContainerRuntime throwing =
        ProviderGuard.of(
            Fakes.answering(
                ContainerRuntime.class,
                (method, arguments) -> {
                  throw new NoClassDefFoundError("A");
                }));

    assertThat(silent.status().cause()).hasMessage("the provider answered status with null");
    assertThat(holes.list().cause()).hasMessage("the provider answered list with null");
    assertThat(throwing.status().cause()).isInstanceOf(NoClassDefFoundError.class);
  }

  @Test
  void aGuardedProviderIsAskedAndItsAnswersPassed() {
    FakeProvider provider = new FakeProvider();
    provider.runs("a", "uid", "node");
    PodProvider guarded = ProviderGuard.of(provider);

    assertThat(guarded.list().result()).hasSize(1);
    assertThat(guarded.writesEvents()).isFalse();
    assertThat(guarded.release("node").succeeded()).isTrue();
    assertThat(provider.calls()).containsExactly("release node");
  }

  private static <T> T answering(Class<T> kind, @Nullable Object answer) {
    return Fakes.answering(kind, (method, arguments) -> answer);
  }
}
