package dev.vertlet.harness.result;

/**
 * Live heap of a subject, measured right after a full collection: reachable objects only.
 *
 * @param before bytes at the start of a phase
 * @param after bytes at its end
 */
public record LiveHeap(long before, long after) {
  /**
   * Heap per additional pod.
   *
   * @param pods additional pods; negative for fewer pods
   * @return bytes; NaN if the number of pods is unchanged
   */
  public double bytesPerPod(int pods) {
    return pods == 0 ? Double.NaN : (double) (after - before) / pods;
  }
}
