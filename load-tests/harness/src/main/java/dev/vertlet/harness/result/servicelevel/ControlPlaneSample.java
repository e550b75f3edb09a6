package dev.vertlet.harness.result.servicelevel;

import java.util.EnumMap;
import java.util.Map;

/**
 * Figures of a control plane at one time.
 *
 * @param seconds time after the beginning of the record
 * @param values figures that were measured
 */
public record ControlPlaneSample(double seconds, Map<Curve, Double> values) {
  public ControlPlaneSample {
    EnumMap<Curve, Double> own = new EnumMap<>(Curve.class);
    own.putAll(values);
    values = own;
  }
}
