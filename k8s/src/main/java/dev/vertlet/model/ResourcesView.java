package dev.vertlet.model;

import java.util.Map;

/**
 * What a container asks for and what it may use: resource name to quantity, as the API server wrote
 * it.
 */
public record ResourcesView(Map<String, String> requests, Map<String, String> limits) {
  /** A container that names none. */
  public static final ResourcesView NONE = new ResourcesView(Map.of(), Map.of());

  public ResourcesView {
    requests = Map.copyOf(requests);
    limits = Map.copyOf(limits);
  }
}
