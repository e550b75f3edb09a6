package dev.vertlet.sandbox.pool;

import java.util.Map;
import java.util.TreeMap;

/**
 * How a pool stands.
 *
 * @param size pods that are wanted
 * @param ready pods that a claim would get at once
 * @param waiting claims that wait for a pod
 * @param phases pods by phase; "" for those without
 */
public record PoolStatus(
    String name, String namespace, int size, int ready, int waiting, Map<String, Integer> phases) {
  public PoolStatus {
    phases = new TreeMap<>(phases);
  }
}
