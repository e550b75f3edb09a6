package dev.vertlet.streaming;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Result of a command in the format that clients of Kubernetes expect.
 *
 * @param json a {@code Status}, for protocols from version 4 on
 * @param text a text for earlier protocols; empty for success
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

  /** Returns the result of a command that could not run or whose exit code is unknown. */
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

  /** Returns the bytes for the error stream; empty when nothing is to be written. */
  Buffer bytes(boolean structured) {
    return structured ? json.toBuffer() : Buffer.buffer(text);
  }
}
