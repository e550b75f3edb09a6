package dev.vertlet.env;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.container.EnvironmentView.Variable;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.ReferredKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the environments of all containers of a pod at once, for back ends that own whole pods.
 */
public final class PodEnvironments {
  /** Result of resolving a pod's environments. */
  public sealed interface Outcome {
    /**
     * All environments are resolved.
     *
     * @param pod containers have literal values only, and expanded commands
     * @param skipped missing optional references
     */
    record Ready(PodView pod, List<MissingReference> skipped) implements Outcome {
      public Ready {
        skipped = List.copyOf(skipped);
      }
    }

    /**
     * An object is still being read.
     *
     * @param until end of the wait, epoch milliseconds
     */
    record Waiting(long until) implements Outcome {}

    /**
     * An environment cannot be resolved now.
     *
     * @param missing all missing references so far
     */
    record Failed(String message, List<MissingReference> missing) implements Outcome {
      public Failed {
        missing = List.copyOf(missing);
      }
    }
  }

  /**
   * Resolved environments of a pod's containers. A container keeps its environment while its
   * definition of it is unchanged, as a running container does, even if the referenced objects
   * change or disappear.
   *
   * @param written spec as the API server had it
   * @param made the same spec with literal values
   */
  public record Given(PodSpecView written, PodSpecView made) {
    /**
     * Returns a container's resolved environment; null for a new container or a changed definition.
     */
    private @Nullable EnvironmentView of(ContainerView container) {
      ContainerView before = written.container(container.name());
      ContainerView after = made.container(container.name());
      return before != null
              && after != null
              && Objects.equals(before.environment(), container.environment())
          ? after.environment()
          : null;
    }
  }

  private PodEnvironments() {}

  /**
   * Returns the objects that {@link #resolve} needs.
   *
   * @param given null for a pod without resolved environments
   */
  public static Set<ReferredKey> references(PodView pod, @Nullable Given given) {
    if (given == null) {
      return PodReferences.of(pod, true);
    }
    PodSpecView spec = pod.spec();
    PodSpecView added =
        spec.withContainers(
            added(spec.initContainers(), given),
            added(spec.containers(), given),
            added(spec.ephemeralContainers(), given));
    return all(added).isEmpty() ? Set.of() : PodReferences.of(pod.withSpec(added), true);
  }

  private static List<ContainerView> added(List<ContainerView> containers, Given given) {
    return containers.stream().filter(container -> given.of(container) == null).toList();
  }

  /** Returns all containers, init containers first, as in virtual-kubelet. */
  private static List<ContainerView> all(PodSpecView spec) {
    List<ContainerView> all = new ArrayList<>(spec.initContainers());
    all.addAll(spec.containers());
    all.addAll(spec.ephemeralContainers());
    return all;
  }

  /**
   * Resolves the environments that are not resolved yet. One that needs the pod's address waits for
   * it: a back end that owns whole pods assigns an address only after it has the pod, and a
   * container started with an empty address would keep it.
   *
   * @param given null for a pod without resolved environments
   */
  public static Outcome resolve(
      PodView pod, PodFacts facts, @Nullable Given given, ReferenceState.Lookup lookup) {
    List<MissingReference> skipped = new ArrayList<>(0);
    List<ContainerView> made = new ArrayList<>();
    for (ContainerView container : all(pod.spec())) {
      EnvironmentView kept = given == null ? null : given.of(container);
      if (kept != null) {
        made.add(literal(container, kept));
        continue;
      }
      String addressed = addressed(container);
      if (addressed != null && facts.podIPs().isEmpty()) {
        return new Outcome.Failed(addressed, skipped);
      }
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
    int regular = init + pod.spec().containers().size();
    PodSpecView spec =
        pod.spec()
            .withContainers(
                made.subList(0, init),
                made.subList(init, regular),
                made.subList(regular, made.size()));
    return new Outcome.Ready(pod.withSpec(spec), skipped);
  }

  /** Returns why the container must wait for the pod's address; null if it need not. */
  private static @Nullable String addressed(ContainerView container) {
    EnvironmentView environment = container.environment();
    if (environment == null) {
      return null;
    }
    for (Variable variable : environment.env()) {
      if (variable.value().isEmpty()
          && variable.from() instanceof ValueFrom.Field field
          && FieldReference.isAddress(field)) {
        return "variable \"%s\" of container \"%s\" refers to %s, and the pod has no address yet"
            .formatted(variable.name(), container.name(), field.path());
      }
    }
    return null;
  }

  private static ContainerView literal(ContainerView container, EnvironmentView given) {
    Map<String, String> variables = new LinkedHashMap<>();
    given.env().forEach(variable -> variables.put(variable.name(), variable.value()));
    return Commands.expand(container.withEnvironment(given), variables);
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
