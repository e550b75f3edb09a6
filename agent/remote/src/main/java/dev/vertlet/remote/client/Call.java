package dev.vertlet.remote.client;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request of the contract.
 *
 * @param operation name for metrics and messages, from the contract
 * @param target path with query, after the back end's URL
 * @param body JSON; null for none
 * @param headers besides those that every call has
 * @param extra time that the call may take beyond the configured limit
 * @param repeats whether the request is sent again when its connection closes before the answer
 */
public record Call(
    HttpMethod method,
    String operation,
    String target,
    @Nullable Buffer body,
    Map<String, String> headers,
    Duration extra,
    boolean repeats) {
  private Call(HttpMethod method, String operation, String target, @Nullable Buffer body) {
    this(method, operation, target, body, Map.of(), Duration.ZERO, true);
  }

  public static Call get(String operation, String target) {
    return new Call(HttpMethod.GET, operation, target, null);
  }

  /** Makes a GET with a body, as interLink's plugins want it. */
  public static Call get(String operation, String target, Buffer body) {
    return new Call(HttpMethod.GET, operation, target, body);
  }

  public static Call delete(String operation, String target) {
    return new Call(HttpMethod.DELETE, operation, target, null);
  }

  public static Call put(String operation, String target, Buffer body) {
    return new Call(HttpMethod.PUT, operation, target, body);
  }

  public static Call post(String operation, String target, Buffer body) {
    return new Call(HttpMethod.POST, operation, target, body);
  }

  static Call patch(String operation, String target, Buffer body) {
    return new Call(HttpMethod.PATCH, operation, target, body);
  }

  /** Returns the call with this header; an empty value leaves it out. */
  Call with(String header, String value) {
    return value.isEmpty()
        ? this
        : new Call(method, operation, target, body, Map.of(header, value), extra, repeats);
  }

  /** Returns the call with more time for its answer. */
  public Call patient(Duration more) {
    return new Call(method, operation, target, body, headers, more, repeats);
  }

  /** Returns the call for a back end on which two of them differ from one. */
  public Call once() {
    return new Call(method, operation, target, body, headers, extra, false);
  }

  /** Method and path, for messages: queries may hold what a client typed. */
  public String display() {
    int query = target.indexOf('?');
    return method + " " + (query < 0 ? target : target.substring(0, query));
  }

  /** Leaves out the body, the query and the headers, which may hold secrets. */
  @Override
  public String toString() {
    return display();
  }
}
