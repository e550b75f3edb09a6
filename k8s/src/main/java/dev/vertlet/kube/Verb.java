package dev.vertlet.kube;

import io.vertx.core.http.HttpMethod;

/** What a request does, in RBAC's words. */
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

  /** As an RBAC rule spells it. */
  public String rbac() {
    return rbac;
  }

  HttpMethod method() {
    return method;
  }
}
