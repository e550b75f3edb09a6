package dev.vertlet.provider.failure;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls a back end so that the caller gets exactly one answer, in time, whatever the back end does.
 */
public final class ProviderCall {
  private ProviderCall() {}

  /**
   * Calls a back end.
   *
   * @param context the caller's own: the answer arrives there, whichever thread the back end
   *     answers on
   * @param limit a call without an answer for this long has failed
   * @return fails with the exception that the call throws or fails with, or, when it is late, with
   *     a {@link ProviderException} of kind TEMPORARY
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
   * Calls a back end; an exception, or null instead of a Future, becomes a failed Future. A class
   * that a provider's jar lacks appears as a {@link LinkageError} of one call.
   *
   * @return completes on the thread that the back end completes it on
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
