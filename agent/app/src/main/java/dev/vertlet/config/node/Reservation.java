package dev.vertlet.config.node;

import dev.vertlet.model.resource.Quantities;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problems;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Computes the reservations of a node: the sum of {@code kubeReserved}, {@code systemReserved} and
 * {@code evictionHard}, read as kubelets read them.
 */
final class Reservation {
  private static final List<String> RESERVABLE =
      List.of("cpu", "memory", "ephemeral-storage", "pid");

  /** Eviction signals that reduce allocatable, with their resource. */
  private static final Map<String, String> SIGNALS =
      Map.of("memory.available", "memory", "nodefs.available", "ephemeral-storage");

  private static final Pattern PERCENTAGE = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,6})?)%");

  private final Map<String, Quantity> capacity;
  private final Problems problems;
  private final Map<String, Quantity> sum = new TreeMap<>();

  private Reservation(Map<String, Quantity> capacity, Problems problems) {
    this.capacity = capacity;
    this.problems = problems;
  }

  /**
   * The sum of all three by resource; what cannot be reserved is a problem, where the kubelet has a
   * message for it in the kubelet's words.
   *
   * @param capacity what percentages are of
   * @param problems whose place is the template's
   */
  static Map<String, Quantity> parse(
      NodeTemplate template, Map<String, Quantity> capacity, Problems problems) {
    Reservation reservation = new Reservation(capacity, problems);
    Reserved reserved = template.reserved();
    reserved.kubeReserved().forEach((r, v) -> reservation.reserve("kubeReserved", r, v));
    reserved.systemReserved().forEach((r, v) -> reservation.reserve("systemReserved", r, v));
    Map<String, String> hard = template.evictionHard();
    if (hard != null) {
      hard.forEach(reservation::keepFree);
    }
    return reservation.sum;
  }

  private void reserve(String field, String resource, String value) {
    String place = Pointers.of(field, resource);
    if (!RESERVABLE.contains(resource)) {
      problems.refuse(
          place,
          value,
          "cannot reserve \"%s\" resource; it must be one of %s"
              .formatted(resource, String.join(", ", RESERVABLE)));
      return;
    }
    add(place, resource, value);
  }

  /** Adds an eviction threshold. The eviction reader reports invalid thresholds. */
  private void keepFree(String signal, String threshold) {
    String resource = SIGNALS.get(signal);
    if (resource == null) {
      return;
    }
    Quantity has = capacity.get(resource);
    Matcher percentage = PERCENTAGE.matcher(threshold);
    if (!percentage.matches()) {
      amount(resource, threshold).ifPresent(free -> sum.merge(resource, free, Quantities::add));
    } else if (has != null && Double.parseDouble(percentage.group(1)) <= 100) {
      BigDecimal share = new BigDecimal(percentage.group(1)).movePointLeft(2);
      sum.merge(resource, Quantities.share(has, share), Quantities::add);
    }
  }

  private static Optional<Quantity> amount(String resource, String value) {
    try {
      return Optional.of(Quantities.parseNotNegative(resource, value));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private void add(String place, String resource, String value) {
    try {
      sum.merge(resource, Quantities.parseNotNegative(resource, value), Quantities::add);
    } catch (IllegalArgumentException e) {
      problems.refuse(place, value, String.valueOf(e.getMessage()));
    }
  }
}
