package dev.vertlet.config;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.problem.Problems;
import dev.vertlet.stages.cluster.UsableStages;
import dev.vertlet.stages.spec.Stage;
import dev.vertlet.stages.spec.StageException;
import java.nio.file.Path;
import java.util.List;

/**
 * Section {@code stages}: life cycles of objects of any kind.
 *
 * @param files files and directories with Stage objects
 * @param fromCluster whether the Stage objects of the cluster are played, too
 * @param seed seed of every choice and delay
 */
public record StagesConfig(List<Path> files, boolean fromCluster, long seed) {
  /** Checks the files. Blocks while it reads them. */
  public StagesConfig {
    files = List.copyOf(files);
    Problems problems = new Problems("/stages");
    try {
      UsableStages.load(files);
    } catch (StageException e) {
      e.problems().forEach(problem -> problems.about("/files", problem.toString()));
    }
    problems.done(ConfigException::new);
  }

  /** Whether stages are played at all. */
  public boolean enabled() {
    return fromCluster || !files.isEmpty();
  }

  /**
   * Reads the stages of the files. Blocks.
   *
   * @throws StageException when they have become unusable since they were checked
   */
  public List<Stage> load() {
    return UsableStages.load(files).stages();
  }
}
