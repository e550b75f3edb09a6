package dev.vertlet.config.node;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reservations of a node template, as written: quantities by resource, in a kubelet's options of
 * these names.
 *
 * @param kubeReserved reserved for the agent
 * @param systemReserved reserved for the provider
 */
public record Reserved(Map<String, String> kubeReserved, Map<String, String> systemReserved) {
  public Reserved {
    // keeps the order of the document, in which problems are reported
    kubeReserved = Collections.unmodifiableMap(new LinkedHashMap<>(kubeReserved));
    systemReserved = Collections.unmodifiableMap(new LinkedHashMap<>(systemReserved));
  }
}
