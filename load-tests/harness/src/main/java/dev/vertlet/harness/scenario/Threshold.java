package dev.vertlet.harness.scenario;

import dev.vertlet.harness.result.servicelevel.ServiceLevel;

/**
 * Range of a figure that a run must meet to pass.
 *
 * @param figure path in the result's JSON, for example {@code phases.up.create.p99_ms}
 * @param min minimum; negative infinity for none
 * @param max maximum; infinity for none
 * @param place JSON pointer in the scenario's file, for messages
 */
public record Threshold(String figure, double min, double max, String place) {
  /** Creates a threshold that is in no file. */
  public Threshold(String figure, double min, double max) {
    this(figure, min, max, "");
  }

  /** Whether a result without the figure meets it: no request of a service level misses it. */
  boolean metWithoutMeasurement() {
    return ServiceLevel.ofFigure(figure).isPresent();
  }
}
