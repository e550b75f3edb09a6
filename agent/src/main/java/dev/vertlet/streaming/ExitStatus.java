package dev.vertlet.streaming;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * How a command has ended, in the words that clients of Kubernetes read.
 *
 * @param json for protocols as of version 4, a {@code Status}
 * @param text for those before; empty says that all went well
 */
record ExitStatus(JsonObject json, String text) {
  private static final ExitStatus SUCCESS =
      new ExitStatus(
          new JsonObject().put("metadata", new JsonObject()).put("status", "Success"), "");

  static ExitStatus exited(int code) {
    if (code == 0) {
      return SUCCESS;
    }
    String message =
        "command terminated with non-zero exit code: command terminated with exit code " + code;
    JsonObject cause =
        new JsonObject().put("reason", "ExitCode").put("message", String.valueOf(code));
    return failure(message)
        .with("reason", "NonZeroExitCode")
        .with("details", new JsonObject().put("causes", new JsonArray().add(cause)));
  }

  /** It could not be run, or nobody knows how it ended. */
  static ExitStatus failed(Throwable failure) {
    @Nullable String message = failure.getMessage();
    String known = message == null ? failure.toString() : message;
    JsonObject cause = new JsonObject().put("message", known);
    return failure("Internal error occurred: " + known)
        .with("reason", "InternalError")
        .with("details", new JsonObject().put("causes", new JsonArray().add(cause)))
        .with("code", 500);
  }

  private static ExitStatus failure(String message) {
    return new ExitStatus(
        new JsonObject()
            .put("metadata", new JsonObject())
            .put("status", "Failure")
            .put("message", message),
        message);
  }

  private ExitStatus with(String key, Object value) {
    json.put(key, value);
    return this;
  }

  /** For the error stream; nothing is to be written when it is empty. */
  Buffer bytes(boolean structured) {
    return structured ? json.toBuffer() : Buffer.buffer(text);
  }
}
