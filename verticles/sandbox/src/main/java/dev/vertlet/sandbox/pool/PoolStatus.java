package dev.vertlet.sandbox.pool;

import java.util.Map;
import java.util.TreeMap;

/**
 * Status of a pool.
 *
 * @param size desired number of pods
 * @param ready number of pods that can be claimed immediately
 * @param waiting number of claims that wait for a pod
 * @param phases number of pods by phase; "" for those without one
 */
public record PoolStatus(
    String name, String namespace, int size, int ready, int waiting, Map<String, Integer> phases) {
  public PoolStatus {
    phases = new TreeMap<>(phases);
  }
}
