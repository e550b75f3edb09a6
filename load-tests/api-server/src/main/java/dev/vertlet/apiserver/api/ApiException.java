package dev.vertlet.apiserver.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** A request that the server refuses, with the {@code metav1.Status} that says why. */
public final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** One cause of an {@code Invalid} or {@code Forbidden} answer. */
  public record Cause(String reason, String field, String message) {}

  /** Reasons whose details are there even when they say nothing; kubectl relies on it. */
  private static final Set<String> DETAILED = Set.of("NotFound", "MethodNotAllowed");

  /** Reason and words for answers by their code; no words stand for those of the answer. */
  private static final Map<Integer, Map.Entry<String, String>> SERVER_ANSWERS =
      Map.ofEntries(
          answer(400, "BadRequest", "the server rejected our request for an unknown reason"),
          answer(401, "Unauthorized", "the server has asked for the client to provide credentials"),
          answer(403, "Forbidden", ""),
          answer(404, "NotFound", "the server could not find the requested resource"),
          answer(
              405,
              "MethodNotAllowed",
              "the server does not allow this method on the requested resource"),
          answer(406, "NotAcceptable", ""),
          answer(409, "Conflict", "the server reported a conflict"),
          answer(415, "UnsupportedMediaType", ""),
          answer(422, "Invalid", "the server rejected our request due to an error in our request"),
          answer(
              429,
              "TooManyRequests",
              "the server has received too many requests and has asked us to try again later"),
          answer(503, "ServiceUnavailable", "the server is currently unable to handle the request"),
          answer(
              504,
              "Timeout",
              "the server was unable to return a response in the time allotted, but may still be"
                  + " processing the request"));

  private static Map.Entry<Integer, Map.Entry<String, String>> answer(
      int code, String reason, String message) {
    return Map.entry(code, Map.entry(reason, message));
  }

  private final int code;
  private final String reason;
  private final transient ObjectNode details;
  private final String continueToken;

  /**
   * @param code HTTP status
   * @param reason machine-readable reason, empty for none
   */
  public ApiException(int code, String reason, String message) {
    this(code, reason, message, Json.object());
  }

  private ApiException(int code, String reason, String message, ObjectNode details) {
    this(code, reason, message, details, "");
  }

  private ApiException(
      int code, String reason, String message, ObjectNode details, String continueToken) {
    super(message, null, false, false); // an expected answer needs no stack trace
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.continueToken = continueToken;
  }

  /** HTTP status. */
  public int code() {
    return code;
  }

  /** Machine-readable reason, empty when the real server gives none. */
  public String reason() {
    return reason;
  }

  /** What the {@code Retry-After} header should say, in seconds. */
  public OptionalInt retryAfterSeconds() {
    return details.has("retryAfterSeconds")
        ? OptionalInt.of(details.get("retryAfterSeconds").asInt())
        : OptionalInt.empty();
  }

  /** The same failure with {@code details.retryAfterSeconds}. */
  public ApiException withRetryAfter(long seconds) {
    ObjectNode more = details.deepCopy();
    more.put("retryAfterSeconds", seconds);
    return new ApiException(code, reason, message(), more);
  }

  /** The same failure with {@code metadata.continue}: how to go on with a list nevertheless. */
  public ApiException withContinue(String token) {
    return new ApiException(code, reason, message(), details, token);
  }

  /** The same failure with {@code details.causes}. */
  public ApiException withCauses(List<Cause> causes) {
    ApiException more = new ApiException(code, reason, message(), details.deepCopy());
    putCauses(more.details, causes);
    return more;
  }

  /** The {@code metav1.Status} a client reads. */
  public ObjectNode toStatus() {
    ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
    ObjectNode metadata = status.putObject("metadata");
    if (!continueToken.isEmpty()) {
      metadata.put("continue", continueToken);
    }
    status.put("status", "Failure").put("message", message());
    if (!reason.isEmpty()) {
      status.put("reason", reason);
    }
    if (!details.isEmpty() || DETAILED.contains(reason)) {
      status.set("details", details.deepCopy());
    }
    return status.put("code", code);
  }

  private String message() {
    return String.valueOf(getMessage());
  }

  public static ApiException notFound(ResourceType type, String name) {
    return about(
        404,
        "NotFound",
        "%s \"%s\" not found".formatted(type.qualifiedResource(), name),
        type,
        name);
  }

  public static ApiException noSuchResource() {
    return new ApiException(404, "NotFound", "the server could not find the requested resource");
  }

  public static ApiException alreadyExists(ResourceType type, String name) {
    return about(
        409,
        "AlreadyExists",
        "%s \"%s\" already exists".formatted(type.qualifiedResource(), name),
        type,
        name);
  }

  /** A conflict with the wording of the real server, {@code why} being its last part. */
  public static ApiException conflict(ResourceType type, String name, String why) {
    return about(
        409,
        "Conflict",
        "Operation cannot be fulfilled on %s \"%s\": %s"
            .formatted(type.qualifiedResource(), name, why),
        type,
        name);
  }

  /** The conflict of a write based on an old resourceVersion. */
  public static ApiException modified(ResourceType type, String name) {
    return conflict(
        type,
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  /**
   * The conflict of a delete whose precondition does not hold: the real server names the kind here.
   */
  public static ApiException preconditionFailed(ResourceType type, String name, String why) {
    ObjectNode details = Json.object().put("name", name);
    if (!type.group().isEmpty()) {
      details.put("group", type.group());
    }
    details.put("kind", type.kind());
    return new ApiException(
        409,
        "Conflict",
        "Operation cannot be fulfilled on %s \"%s\": %s".formatted(type.qualifiedKind(), name, why),
        details);
  }

  public static ApiException forbidden(
      ResourceType type, String name, String why, List<Cause> causes) {
    ApiException failure =
        about(
            403,
            "Forbidden",
            "%s \"%s\" is forbidden: %s".formatted(type.qualifiedResource(), name, why),
            type,
            name);
    putCauses(failure.details, causes);
    return failure;
  }

  /** An object that fails validation; the kind is qualified with its group. */
  public static ApiException invalid(String group, String kind, String name, List<Cause> causes) {
    String text = text(causes);
    ObjectNode details = Json.object();
    if (!name.isEmpty()) {
      details.put("name", name);
    }
    if (!group.isEmpty()) {
      details.put("group", group);
    }
    if (!kind.isEmpty()) {
      details.put("kind", kind);
    }
    putCauses(details, causes);
    String qualified = group.isEmpty() ? kind : kind + "." + group;
    return new ApiException(
        422, "Invalid", "%s \"%s\" is invalid: %s".formatted(qualified, name, text), details);
  }

  /** Causes in one line, in brackets when there are many. */
  public static String text(List<Cause> causes) {
    List<String> lines =
        causes.stream().map(cause -> cause.field() + ": " + cause.message()).distinct().toList();
    return lines.size() == 1 ? lines.get(0) : "[" + String.join(", ", lines) + "]";
  }

  public static ApiException badRequest(String message) {
    return new ApiException(400, "BadRequest", message);
  }

  /** Something went wrong within the server, or within what it relies on. */
  public static ApiException internal(String why) {
    return new ApiException(500, "InternalError", "Internal error occurred: " + why)
        .withCauses(List.of(new Cause("", "", why)));
  }

  /**
   * The Status that the real server makes of an answer without one.
   *
   * @param code HTTP status other than 2xx
   * @param words the body of the answer
   * @param resource what was asked for, such as {@code pods/log}
   * @param name the object's name
   */
  public static ApiException ofServer(int code, String words, String resource, String name) {
    Map.Entry<String, String> known = SERVER_ANSWERS.get(code);
    String reason = known == null ? "" : known.getKey();
    String message =
        known == null
            ? "the server responded with the status code %d but did not return more information"
                .formatted(code)
            : known.getValue();
    if (known == null && code >= 500) {
      reason = "InternalError";
      message =
          "an error on the server (\"%s\") has prevented the request from succeeding"
              .formatted(words.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
    }
    return new ApiException(
        code,
        reason,
        "%s ( %s %s)".formatted(message.isEmpty() ? words : message, resource, name),
        Json.object().put("name", name).put("kind", resource));
  }

  /** A resourceVersion or continue token older than the history that is kept. */
  public static ApiException expired(String message) {
    return new ApiException(410, "Expired", message);
  }

  public static ApiException unauthorized() {
    return new ApiException(401, "Unauthorized", "Unauthorized");
  }

  public static ApiException methodNotAllowed() {
    return new ApiException(
        405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
  }

  /** A resourceVersion from the future. */
  public static ApiException tooLargeResourceVersion(long asked, long current) {
    ObjectNode details = Json.object();
    details
        .putArray("causes")
        .addObject()
        .put("reason", "ResourceVersionTooLarge")
        .put("message", "Too large resource version");
    details.put("retryAfterSeconds", 1);
    return new ApiException(
        504,
        "Timeout",
        "Timeout: Too large resource version: %d, current: %d".formatted(asked, current),
        details);
  }

  private static ApiException about(
      int code, String reason, String message, ResourceType type, String name) {
    ObjectNode details = Json.object();
    if (!name.isEmpty()) {
      details.put("name", name);
    }
    if (!type.group().isEmpty()) {
      details.put("group", type.group());
    }
    details.put("kind", type.plural());
    return new ApiException(code, reason, message, details);
  }

  private static void putCauses(ObjectNode details, List<Cause> causes) {
    if (causes.isEmpty()) {
      return;
    }
    var array = details.putArray("causes");
    for (Cause cause : causes) {
      ObjectNode added = array.addObject();
      if (!cause.reason().isEmpty()) {
        added.put("reason", cause.reason());
      }
      if (!cause.message().isEmpty()) {
        added.put("message", cause.message());
      }
      if (!cause.field().isEmpty()) {
        added.put("field", cause.field());
      }
    }
  }
}
