package dev.vertlet.apiserver.fault;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.QueryFlag;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One request as the server understood it. Texts that do not apply are empty.
 *
 * @param sequence order of arrival, from 1
 * @param receivedAt when its body was complete
 * @param method HTTP method
 * @param httpVersion {@code HTTP_1_1} or {@code HTTP_2}
 * @param path path of the URL
 * @param query query parameters, the first value of each
 * @param verb Kubernetes verb: get, list, watch, create, update, patch, delete, deletecollection;
 *     for other URLs the method in lower case
 * @param group API group
 * @param resource plural name
 * @param subresource such as {@code status}
 * @param namespace namespace in the URL
 * @param name object name in the URL
 * @param contentType media type of the body without parameters
 * @param accept the Accept header
 * @param userAgent the User-Agent header
 * @param body the body, empty when there is none
 */
public record ApiRequest(
    long sequence,
    Instant receivedAt,
    String method,
    String httpVersion,
    String path,
    Map<String, String> query,
    String verb,
    String group,
    String resource,
    String subresource,
    String namespace,
    String name,
    String contentType,
    String accept,
    String userAgent,
    Buffer body) {

  public ApiRequest {
    query = Map.copyOf(query);
  }

  /** A query parameter, empty when absent. */
  public String parameter(String key) {
    return query.getOrDefault(key, "");
  }

  /** A query parameter that says yes or no, none when it is absent. */
  public Optional<Boolean> flag(String key) {
    return Optional.ofNullable(query.get(key)).map(QueryFlag::isTrue);
  }

  /** Whether the verb changes objects. */
  public boolean isWrite() {
    return verb.equals("create")
        || verb.equals("update")
        || verb.equals("patch")
        || verb.startsWith("delete");
  }

  /** Whether verb and {@code resource} or {@code resource/subresource} are these. */
  public boolean is(String wantedVerb, String wantedResource) {
    String full = subresource.isEmpty() ? resource : resource + "/" + subresource;
    return verb.equals(wantedVerb) && full.equals(wantedResource);
  }

  /**
   * The body as JSON, a missing node when there is none.
   *
   * @throws IllegalStateException when the body is not JSON
   */
  public JsonNode json() {
    try {
      return Json.read(body.getBytes());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the body of " + this + " is not JSON", e);
    }
  }

  /** One line for assertion messages; bodies may hold secrets and stay out. */
  @Override
  public String toString() {
    return "#%d %s %s%s".formatted(sequence, verb, path, query.isEmpty() ? "" : "?" + query);
  }
}
