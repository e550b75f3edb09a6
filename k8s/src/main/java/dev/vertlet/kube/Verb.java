package dev.vertlet.kube;

import io.vertx.core.http.HttpMethod;

/** Operation of a request, as RBAC names it. */
public enum Verb {
  GET("get", HttpMethod.GET),
  LIST("list", HttpMethod.GET),
  WATCH("watch", HttpMethod.GET),
  CREATE("create", HttpMethod.POST),
  UPDATE("update", HttpMethod.PUT),
  PATCH("patch", HttpMethod.PATCH),
  DELETE("delete", HttpMethod.DELETE);

  private final String rbac;
  private final HttpMethod method;

  Verb(String rbac, HttpMethod method) {
    this.rbac = rbac;
    this.method = method;
  }

  /** Spelling in an RBAC rule. */
  public String rbac() {
    return rbac;
  }

  public HttpMethod method() {
    return method;
  }
}
