package dev.vertlet.stages.cluster;

import dev.vertlet.stages.play.LifeCycle;
import dev.vertlet.stages.play.StageCompiler;
import dev.vertlet.stages.spec.ResourceRef;
import dev.vertlet.stages.spec.Stage;
import dev.vertlet.stages.spec.StageException;
import dev.vertlet.stages.spec.StageFiles;
import dev.vertlet.stages.template.function.Functions;
import dev.vertlet.stages.template.function.KwokFunctions;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Stages that were compiled without a cluster, to check or explain them. Functions that depend on
 * the cluster yield addresses reserved for documentation.
 *
 * @param ignored objects of the files that are no stages
 */
public record UsableStages(
    List<Stage> stages, List<String> ignored, Map<ResourceRef, LifeCycle> lifeCycles) {
  private static final String NODE_IP = "192.0.2.1";
  private static final String POD_IP = "198.51.100.1";
  private static final long KUBELET_PORT = 10250;

  public UsableStages {
    stages = List.copyOf(stages);
    ignored = List.copyOf(ignored);
    lifeCycles = Map.copyOf(lifeCycles);
  }

  /**
   * Reads and compiles the stages of files and directories. Blocks.
   *
   * @throws StageException with every mistake
   */
  public static UsableStages load(Collection<Path> paths) {
    if (paths.isEmpty()) {
      // most agents have no stages: the functions of templates, 250 classes, are not loaded
      return new UsableStages(List.of(), List.of(), Map.of());
    }
    StageFiles.Loaded loaded = StageFiles.load(paths);
    Clock clock = Clock.systemUTC();
    StageCompiler compiler = new StageCompiler(clock, new SplittableRandom(1), functions(clock));
    return new UsableStages(loaded.stages(), loaded.ignored(), compiler.compile(loaded.stages()));
  }

  private static Functions functions(Clock clock) {
    return KwokFunctions.all(clock, "v0.0.0")
        .with("NodeIP", "", none -> NODE_IP)
        .with("NodeName", "", none -> "node")
        .with("NodePort", "", none -> KUBELET_PORT)
        .with("NodeIPWith", "string", a -> NODE_IP)
        .with("NodeIPsWith", "string", a -> new ArrayList<>(List.of(NODE_IP)))
        .with("PodIP", "", none -> POD_IP)
        .with(
            "PodIPWith", "string, bool, string, string, string", a -> a.bool(1) ? NODE_IP : POD_IP)
        .with(
            "PodIPsWith",
            "string, bool, string, string, string",
            a -> new ArrayList<>(List.of(a.bool(1) ? NODE_IP : POD_IP)));
  }
}
