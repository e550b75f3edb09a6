package dev.vertlet.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is taken off a node's capacity before pods may use it, quantities by resource as they are
 * written; a kubelet's options of these names.
 *
 * @param kubeReserved for the agent
 * @param systemReserved for the back end
 */
public record Reserved(Map<String, String> kubeReserved, Map<String, String> systemReserved) {
  public Reserved {
    // problems are told in the order of the document, which copies without an order lose
    kubeReserved = Collections.unmodifiableMap(new LinkedHashMap<>(kubeReserved));
    systemReserved = Collections.unmodifiableMap(new LinkedHashMap<>(systemReserved));
  }
}
