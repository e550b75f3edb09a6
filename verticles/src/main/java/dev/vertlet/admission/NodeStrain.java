package dev.vertlet.admission;

import java.util.Set;

/**
 * Why a node may not want further pods now, whatever room it has.
 *
 * @param pressures what it is short of
 * @param shuttingDown whether it ends all its pods
 */
public record NodeStrain(Set<Pressure> pressures, boolean shuttingDown) {
  public static final NodeStrain NONE = new NodeStrain(Set.of(), false);

  public NodeStrain {
    pressures = Set.copyOf(pressures);
  }

  /** The same of a node that ends all its pods. */
  public NodeStrain inShutdown() {
    return new NodeStrain(pressures, true);
  }
}
