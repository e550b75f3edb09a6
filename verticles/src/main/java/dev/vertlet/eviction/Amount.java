package dev.vertlet.eviction;

import dev.vertlet.model.Quantities;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * An amount of what a signal is about, or a part of all there is of it.
 *
 * @param text the amount as Kubernetes writes it; empty for a part
 * @param units bytes, or a number of things; 0 for a part
 * @param part from 0 to 1; 0 for an amount. Of the precision that a kubelet has for it
 */
public record Amount(String text, long units, float part) {
  private static final Pattern PERCENTAGE = Pattern.compile("\\d{1,3}(\\.\\d{1,6})?%");
  private static final float WHOLE = 100f;

  /**
   * Reads {@code 100Mi} or {@code 10%}.
   *
   * @param resource it is about
   * @throws IllegalArgumentException for what is neither, not above 0, or beyond 100%
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

  /** Whether it says nothing: kubelets overlook 0% and 100%. */
  boolean idle() {
    return text.isEmpty() && (part == 0 || part == 1);
  }

  /**
   * @param capacity all there is
   */
  long of(long capacity) {
    return text.isEmpty() ? (long) ((double) capacity * part) : units;
  }

  /** As configurations write it: {@code 100Mi} or {@code 10%}. */
  public String written() {
    return text.isEmpty()
        ? new BigDecimal(Float.toString(part))
                .movePointRight(2)
                .stripTrailingZeros()
                .toPlainString()
            + "%"
        : text;
  }

  /** {@link #of} as a kubelet writes it; a part of anything in powers of 1024. */
  String format(long capacity) {
    return text.isEmpty() ? Quantities.binary(of(capacity)).toString() : text;
  }
}
