package dev.vertlet.env;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.EnvironmentView;
import dev.vertlet.model.EnvironmentView.Variable;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.model.PodView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The environments of all containers of a pod, made at once, for back ends that own whole pods. */
public final class PodEnvironments {
  /** What became of it. */
  public sealed interface Outcome {
    /**
     * All are there.
     *
     * @param pod whose containers have values only, and commands with their variables put in
     * @param skipped what was missing and optional
     */
    record Ready(PodView pod, List<Missing> skipped) implements Outcome {
      public Ready {
        skipped = List.copyOf(skipped);
      }
    }

    /**
     * Something is still being read.
     *
     * @param until when to give up waiting, epoch milliseconds
     */
    record Waiting(long until) implements Outcome {}

    /**
     * One cannot be made now.
     *
     * @param missing all that was missing so far
     */
    record Failed(String message, List<Missing> missing) implements Outcome {
      public Failed {
        missing = List.copyOf(missing);
      }
    }
  }

  private PodEnvironments() {}

  /** Init containers first, as virtual-kubelet. */
  public static Outcome resolve(PodView pod, PodFacts facts, Reading.Lookup lookup) {
    List<Missing> skipped = new ArrayList<>(0);
    List<ContainerView> made = new ArrayList<>();
    List<ContainerView> all = new ArrayList<>(pod.spec().initContainers());
    all.addAll(pod.spec().containers());
    for (ContainerView container : all) {
      Resolution resolution = EnvironmentResolver.resolve(pod, container, facts, true, lookup);
      if (resolution instanceof Resolution.Waiting waiting) {
        return new Outcome.Waiting(waiting.until());
      }
      if (resolution instanceof Resolution.Failed failed) {
        skipped.addAll(failed.all());
        return new Outcome.Failed(failed.message(), skipped);
      }
      if (resolution instanceof Resolution.Resolved resolved) {
        skipped.addAll(resolved.skipped());
        made.add(literal(container, resolved.variables()));
      }
    }
    int init = pod.spec().initContainers().size();
    PodSpecView spec =
        pod.spec().withContainers(made.subList(0, init), made.subList(init, made.size()));
    return new Outcome.Ready(pod.withSpec(spec), skipped);
  }

  private static ContainerView literal(ContainerView container, Map<String, String> variables) {
    List<Variable> env = new ArrayList<>(variables.size());
    variables.forEach((name, value) -> env.add(new Variable(name, value, EnvironmentView.LITERAL)));
    EnvironmentView written = container.environment();
    List<String> paths = written == null ? List.of() : written.subPaths();
    return Commands.expand(
        container.withEnvironment(new EnvironmentView(env, List.of(), paths)), variables);
  }
}
