package dev.vertlet.harness.result;

/**
 * What a subject's heap held, counted right after a full collection: objects that are reachable and
 * nothing else.
 *
 * @param before bytes, when a phase began
 * @param after bytes, when it had ended
 */
public record LiveHeap(long before, long after) {
  /**
   * What each pod takes that is there now and was not before.
   *
   * @param pods how many more there are, or negative: how many fewer
   * @return bytes; NaN where there are as many as before
   */
  public double bytesPerPod(int pods) {
    return pods == 0 ? Double.NaN : (double) (after - before) / pods;
  }
}
