package dev.vertlet.stages.cluster;

import dev.vertlet.stages.spec.Stage;
import java.nio.file.Path;
import java.util.List;

/**
 * Settings of the stages that an agent plays.
 *
 * @param stages from files, compiled successfully before
 * @param fromCluster whether Stage objects of the cluster are played, too
 * @param seed of all draws
 * @param version that templates show
 * @param journal file that keeps running delays
 * @param identity of the agent
 * @param shared whether other agents play stages in the same cluster
 */
public record StagesOptions(
    List<Stage> stages,
    boolean fromCluster,
    long seed,
    String version,
    Path journal,
    String identity,
    boolean shared) {
  public StagesOptions {
    stages = List.copyOf(stages);
  }
}
