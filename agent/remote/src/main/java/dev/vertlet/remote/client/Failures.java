package dev.vertlet.remote.client;

import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.regex.Pattern;

/** Failures of calls, as the SPI knows them. */
public final class Failures {
  /** Reason of a failure without one of the back end's. */
  static final String BACKEND = "BackendError";

  /** Reason when the back end lacks a route of the contract. */
  static final String NO_ROUTE = "NotOffered";

  private static final Pattern REASON = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}");
  private static final int LONGEST_MESSAGE = 512;
  private static final int DEEPEST = 16;

  private Failures() {}

  /** Describes an answer that is no success. */
  public static BackendException of(Call call, int status, Buffer body) {
    JsonObject said = json(body);
    String reason = text(said, "reason");
    String message = oneLine(text(said, "message"));
    // every back end has the routes that end something: a 404 of theirs is no route that is missing
    boolean ends = call.method().equals(HttpMethod.DELETE);
    boolean named = REASON.matcher(reason).matches();
    String text = call.display() + ": " + status + (message.isEmpty() ? "" : ": " + message);
    String shown = named ? reason : status == 404 && !ends ? NO_ROUTE : BACKEND;
    return new BackendException(
        status, new ProviderException(kind(status, named || ends), shown, text));
  }

  private static Kind kind(int status, boolean offered) {
    return switch (status) {
      // a back end of an older version does not know the route, and says so without a reason
      case 404 -> offered ? Kind.NOT_FOUND : Kind.UNSUPPORTED;
      case 405, 501 -> Kind.UNSUPPORTED;
      case 400, 413, 422 -> Kind.INVALID;
      default -> Kind.TEMPORARY;
    };
  }

  /** Describes a call that had no answer, or one that cannot be read. */
  static Throwable broken(Call call, Throwable cause) {
    if (cause instanceof BackendException) {
      return cause;
    }
    String known = ProviderException.reasonOf(cause, "BackendUnreachable");
    return new ProviderException(
        Kind.TEMPORARY, known, call.display() + ": " + oneLine(withReason(cause)));
  }

  /** Message of a failure with that of its first cause: TLS hides there why it refuses. */
  private static String withReason(Throwable failure) {
    Throwable first = failure;
    for (int depth = 0; first.getCause() != null && depth < DEEPEST; depth++) {
      first = first.getCause();
    }
    String message = message(failure);
    return first == failure || message.contains(message(first))
        ? message
        : message + ": " + message(first);
  }

  private static String message(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  /** Describes an answer, or a line of the event stream, that breaks the contract. */
  public static ProviderException invalid(String where, String problem) {
    return new ProviderException(Kind.TEMPORARY, "InvalidAnswer", where + ": " + problem);
  }

  /** Describes an answer, or a line of the event stream, that breaks the contract. */
  public static ProviderException invalid(String where, ContractException problem) {
    return invalid(where, String.valueOf(problem.getMessage()));
  }

  /** Succeeds also where nothing was there to end. */
  public static Future<Void> unlessMissing(Future<Void> answer) {
    return answer.recover(
        failure ->
            ProviderException.kindOf(failure) == Kind.NOT_FOUND
                ? Future.succeededFuture()
                : Future.failedFuture(failure));
  }

  static boolean noRoute(Throwable failure) {
    return ProviderException.kindOf(failure) == Kind.UNSUPPORTED;
  }

  private static JsonObject json(Buffer body) {
    try {
      return body.length() == 0 ? new JsonObject() : new JsonObject(body);
    } catch (DecodeException | ClassCastException e) {
      return new JsonObject();
    }
  }

  private static String text(JsonObject json, String key) {
    return json.getValue(key) instanceof String text ? text : "";
  }

  private static String oneLine(String text) {
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE) + "…";
  }
}
