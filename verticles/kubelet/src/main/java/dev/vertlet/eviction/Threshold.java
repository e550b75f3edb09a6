package dev.vertlet.eviction;

import dev.vertlet.provider.node.NodeUsage.Supply;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Eviction threshold: below it a node is short of a resource.
 *
 * @param grace how long the threshold must be met before a pod is evicted; zero for a hard
 *     threshold
 * @param minReclaim additional amount that must be free before the shortage is over; null for none
 */
public record Threshold(
    EvictionSignal signal, Amount value, Duration grace, @Nullable Amount minReclaim) {
  public Threshold {
    if (grace.isNegative()) {
      throw new IllegalArgumentException(
          "invalid eviction grace period specified: " + grace + ", must be a positive value");
    }
  }

  /**
   * Parses a threshold as kubelets do.
   *
   * @param value {@code 100Mi} or {@code 10%}
   * @param minReclaim in the same format, null for none
   * @return empty for an ignored value, 0% or 100%
   * @throws IllegalArgumentException naming what is allowed
   */
  public static Optional<Threshold> parse(
      EvictionSignal signal, String value, Duration grace, @Nullable String minReclaim) {
    Amount amount = Amount.parse(signal.resource(), value);
    Amount more = minReclaim == null ? null : Amount.parse(signal.resource(), minReclaim);
    return amount.idle()
        ? Optional.empty()
        : Optional.of(new Threshold(signal, amount, grace, more));
  }

  /** Whether there is no grace period: evicted pods then have one second to end. */
  public boolean hard() {
    return grace.isZero();
  }

  /** Whether less than the threshold is available. */
  boolean metBy(Supply supply) {
    return value.of(supply.capacity()) > supply.available();
  }

  /** Whether less than the threshold plus {@code minReclaim} is available. */
  boolean unresolvedBy(Supply supply) {
    long more = minReclaim == null ? 0 : minReclaim.of(supply.capacity());
    return value.of(supply.capacity()) + more > supply.available();
  }
}
