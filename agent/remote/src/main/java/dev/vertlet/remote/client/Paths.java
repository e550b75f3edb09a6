package dev.vertlet.remote.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Builds a path with a query, both encoded. */
public final class Paths {
  private final StringBuilder path = new StringBuilder();
  private final List<String> query = new ArrayList<>();

  private Paths() {}

  /** Begins a path of these segments. */
  public static Paths of(String... segments) {
    Paths made = new Paths();
    for (String segment : segments) {
      made.path.append('/').append(encode(segment));
    }
    return made;
  }

  public Paths query(String name, String value) {
    query.add(encode(name) + "=" + encode(value));
    return this;
  }

  public Paths flag(String name, boolean value) {
    return value ? query(name, "true") : this;
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public String toString() {
    return query.isEmpty() ? path.toString() : path + "?" + String.join("&", query);
  }
}
