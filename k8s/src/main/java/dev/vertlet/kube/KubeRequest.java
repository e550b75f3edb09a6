package dev.vertlet.kube;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One unary request.
 *
 * @param query without the leading question mark, already encoded; empty for none
 * @param contentType of the body, null without one
 * @param accept value of the Accept header
 * @param timeout from leaving the lane to the last byte of the answer; null for the client's own
 * @param user that the request impersonates; null for the client's own
 */
public record KubeRequest(
    Lane lane,
    Verb verb,
    KubePath path,
    String query,
    @Nullable String contentType,
    @Nullable Buffer body,
    String accept,
    @Nullable Duration timeout,
    @Nullable String user) {
  /** Creates a request of the client's own user. */
  public KubeRequest(
      Lane lane,
      Verb verb,
      KubePath path,
      String query,
      @Nullable String contentType,
      @Nullable Buffer body,
      String accept,
      @Nullable Duration timeout) {
    this(lane, verb, path, query, contentType, body, accept, timeout, null);
  }

  public static KubeRequest get(Lane lane, KubePath path) {
    return new KubeRequest(lane, Verb.GET, path, "", null, null, MediaType.JSON, null);
  }

  /**
   * Lists objects.
   *
   * @param query selectors and paging, already encoded
   * @param accept value of the Accept header
   */
  public static KubeRequest list(Lane lane, KubePath path, String query, String accept) {
    return new KubeRequest(lane, Verb.LIST, path, query, null, null, accept, null);
  }

  public static KubeRequest create(Lane lane, KubePath path, Buffer json) {
    return new KubeRequest(lane, Verb.CREATE, path, "", MediaType.JSON, json, MediaType.JSON, null);
  }

  public static KubeRequest update(Lane lane, KubePath path, Buffer json) {
    return new KubeRequest(lane, Verb.UPDATE, path, "", MediaType.JSON, json, MediaType.JSON, null);
  }

  public static KubeRequest patch(Lane lane, KubePath path, String patchType, Buffer patch) {
    return new KubeRequest(lane, Verb.PATCH, path, "", patchType, patch, MediaType.JSON, null);
  }

  /** Deletes now (grace 0), and only the object with this UID. */
  public static KubeRequest deleteNow(Lane lane, KubePath path, String uid) {
    return delete(lane, path, uid, 0);
  }

  /** Deletes with this grace, and only the object with this UID. */
  public static KubeRequest delete(Lane lane, KubePath path, String uid, long graceSeconds) {
    Buffer options =
        Buffer.buffer(
            "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"gracePeriodSeconds\":"
                + graceSeconds
                + ",\"preconditions\":{\"uid\":\""
                + uid
                + "\"}}");
    return new KubeRequest(
        lane, Verb.DELETE, path, "", MediaType.JSON, options, MediaType.METADATA_ONLY, null);
  }

  /** Returns the same request with an answer reduced to the object's metadata. */
  public KubeRequest metadataOnly() {
    return new KubeRequest(
        lane, verb, path, query, contentType, body, MediaType.METADATA_ONLY, timeout, user);
  }

  public KubeRequest withTimeout(Duration limit) {
    return new KubeRequest(lane, verb, path, query, contentType, body, accept, limit, user);
  }

  /**
   * Returns the same request in the name of another user; needs the verb {@code impersonate}.
   *
   * @param name empty for the client's own user
   */
  public KubeRequest as(String name) {
    return new KubeRequest(
        lane, verb, path, query, contentType, body, accept, timeout, name.isEmpty() ? null : name);
  }
}
