package dev.vertlet.config;

import dev.vertlet.model.Quantities;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is taken off a node's capacity, as kubelets read {@code kubeReserved} and {@code
 * systemReserved}.
 */
final class Reservation {
  private static final List<String> RESERVABLE =
      List.of("cpu", "memory", "ephemeral-storage", "pid");

  private Reservation() {}

  /**
   * The sum of both; a quantity that cannot be reserved is a mistake in the kubelet's words.
   *
   * @param pointer of the node template
   */
  static Map<String, Quantity> parse(
      String pointer,
      Map<String, String> kubeReserved,
      Map<String, String> systemReserved,
      List<Mistake> mistakes) {
    Map<String, Quantity> sum = new TreeMap<>();
    add(pointer + "/kubeReserved", kubeReserved, sum, mistakes);
    add(pointer + "/systemReserved", systemReserved, sum, mistakes);
    return sum;
  }

  private static void add(
      String pointer,
      Map<String, String> reserved,
      Map<String, Quantity> sum,
      List<Mistake> mistakes) {
    reserved.forEach(
        (resource, value) -> {
          String place = pointer + Pointers.of(List.of(resource));
          if (!RESERVABLE.contains(resource)) {
            mistakes.add(
                Mistake.of(
                    place,
                    value,
                    "cannot reserve \"%s\" resource; it must be one of %s"
                        .formatted(resource, String.join(", ", RESERVABLE))));
            return;
          }
          try {
            sum.merge(resource, Quantities.parseNotNegative(resource, value), Quantities::add);
          } catch (IllegalArgumentException e) {
            mistakes.add(Mistake.of(place, value, String.valueOf(e.getMessage())));
          }
        });
  }
}
