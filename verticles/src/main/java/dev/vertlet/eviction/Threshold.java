package dev.vertlet.eviction;

import dev.vertlet.provider.NodeUsage.Supply;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Below how much of something a node is short of it.
 *
 * @param grace how long it may be before a pod has to go; zero for a hard threshold
 * @param minReclaim how much more must be free before the shortage is over; null for nothing
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
   * Reads a threshold as kubelets do.
   *
   * @param value {@code 100Mi} or {@code 10%}
   * @param minReclaim the same, null for none
   * @return empty for one that means nothing, 0% or 100%
   * @throws IllegalArgumentException that says what is allowed
   */
  public static Optional<Threshold> parse(
      EvictionSignal signal, String value, Duration grace, @Nullable String minReclaim) {
    Amount amount = Amount.parse(signal.resource(), value);
    Amount more = minReclaim == null ? null : Amount.parse(signal.resource(), minReclaim);
    return amount.idle()
        ? Optional.empty()
        : Optional.of(new Threshold(signal, amount, grace, more));
  }

  /** Without a grace period: pods have one second to end. */
  public boolean hard() {
    return grace.isZero();
  }

  /** Too little is free. */
  boolean metBy(Supply supply) {
    return value.of(supply.capacity()) > supply.available();
  }

  /** Too little is free, or not enough more than that. */
  boolean unresolvedBy(Supply supply) {
    long more = minReclaim == null ? 0 : minReclaim.of(supply.capacity());
    return value.of(supply.capacity()) + more > supply.available();
  }
}
