package dev.vertlet.provider;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The one way to call a back end: whatever it does, the caller gets one answer, in time. */
public final class ProviderCall {
  private ProviderCall() {}

  /**
   * Calls a back end.
   *
   * @param context where the answer arrives, on whatever thread the back end gives it: the context
   *     this is called on
   * @param limit a call without an answer for so long has failed
   * @return fails with what the call throws or fails with, or with a {@link ProviderException} of
   *     kind TEMPORARY when it is late
   */
  public static <T> Future<T> in(Context context, Duration limit, Supplier<Future<T>> call) {
    Future<T> answer = ask(call);
    if (answer.isComplete()) {
      // a Future of its own: the back end's may belong to a context of the back end
      return answer.succeeded()
          ? Future.succeededFuture(answer.result())
          : Future.failedFuture(answer.cause());
    }
    return Future.fromCompletionStage(answer.toCompletionStage(), context)
        .timeout(limit.toMillis(), MILLISECONDS)
        .recover(failure -> Future.failedFuture(late(failure, limit)));
  }

  /**
   * Calls a back end and makes a failed answer of whatever it throws, and of no Future at all. A
   * class that a provider's jar lacks shows as a {@link LinkageError} of one call.
   *
   * @return completes on whatever thread the back end completes it
   */
  public static <T> Future<T> ask(Supplier<Future<T>> call) {
    try {
      @Nullable Future<T> answer = call.get();
      return answer == null
          ? Future.failedFuture(new IllegalStateException("the provider returned null, no Future"))
          : answer;
    } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
      return Future.failedFuture(e);
    }
  }

  private static Throwable late(Throwable failure, Duration limit) {
    if (failure instanceof TimeoutException) {
      String message = "no answer within " + limit.toMillis() + " ms";
      return new ProviderException(ProviderException.Kind.TEMPORARY, "ProviderTimeout", message);
    }
    return failure;
  }
}
