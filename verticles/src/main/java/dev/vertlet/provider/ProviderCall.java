package dev.vertlet.provider;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

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
    Future<T> answer = Future.succeededFuture().compose(v -> call.get());
    if (answer.isComplete()) {
      return answer;
    }
    return Future.fromCompletionStage(answer.toCompletionStage(), context)
        .timeout(limit.toMillis(), MILLISECONDS)
        .recover(failure -> Future.failedFuture(late(failure, limit)));
  }

  private static Throwable late(Throwable failure, Duration limit) {
    if (failure instanceof TimeoutException) {
      String message = "no answer within " + limit.toMillis() + " ms";
      return new ProviderException(ProviderException.Kind.TEMPORARY, "ProviderTimeout", message);
    }
    return failure;
  }
}
