package dev.vertlet.admission;

import java.util.Set;

/**
 * Reasons why a node admits no further pods now, independent of free resources.
 *
 * @param pressures resources that it is short of
 * @param shuttingDown whether it ends all its pods
 */
public record NodeStrain(Set<Pressure> pressures, boolean shuttingDown) {
  public static final NodeStrain NONE = new NodeStrain(Set.of(), false);

  public NodeStrain {
    pressures = Set.copyOf(pressures);
  }

  /** Returns the same state during a shutdown. */
  public NodeStrain inShutdown() {
    return new NodeStrain(pressures, true);
  }
}
