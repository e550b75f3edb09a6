package dev.vertlet.eviction;

import dev.vertlet.model.resource.Quantities;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * Value of a threshold: an amount, or a fraction of the capacity.
 *
 * @param text the amount as Kubernetes writes it; empty for a fraction
 * @param units bytes, or a count; 0 for a fraction
 * @param part from 0 to 1; 0 for an amount. Has a kubelet's precision
 */
public record Amount(String text, long units, float part) {
  private static final Pattern PERCENTAGE = Pattern.compile("\\d{1,3}(\\.\\d{1,6})?%");
  private static final float WHOLE = 100f;

  /**
   * Parses {@code 100Mi} or {@code 10%}.
   *
   * @param resource of the amount
   * @throws IllegalArgumentException for another format, a value not above 0, or one beyond 100%
   */
  static Amount parse(String resource, String text) {
    if (PERCENTAGE.matcher(text).matches()) {
      float percent = Float.parseFloat(text.substring(0, text.length() - 1));
      if (percent > WHOLE) {
        throw new IllegalArgumentException("must be from 0% to 100%, or a quantity");
      }
      return new Amount("", 0, percent / WHOLE);
    }
    Quantity quantity = Quantities.parseNotNegative(resource, text);
    if (Quantities.isZero(text)) {
      throw new IllegalArgumentException("must be positive");
    }
    return new Amount(quantity.toString(), Quantities.units(text), 0);
  }

  /** Whether the value is ignored: kubelets ignore 0% and 100%. */
  boolean idle() {
    return text.isEmpty() && (part == 0 || part == 1);
  }

  /**
   * Returns the value as an amount.
   *
   * @param capacity total amount
   */
  long of(long capacity) {
    return text.isEmpty() ? (long) ((double) capacity * part) : units;
  }

  /** Formats the value as in configurations: {@code 100Mi} or {@code 10%}. */
  public String written() {
    return text.isEmpty()
        ? new BigDecimal(Float.toString(part))
                .movePointRight(2)
                .stripTrailingZeros()
                .toPlainString()
            + "%"
        : text;
  }

  /** Formats {@link #of} as a kubelet does; a fraction of any resource in powers of 1024. */
  String format(long capacity) {
    return text.isEmpty() ? Quantities.binary(of(capacity)).toString() : text;
  }
}
