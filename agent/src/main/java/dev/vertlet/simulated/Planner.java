package dev.vertlet.simulated;

import dev.vertlet.model.PodView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a container instance lives: annotations before rules before defaults. The same seed,
 * pod UID, container and attempt give the same plan in every process.
 */
final class Planner {
  private static final String JOB = "Job";

  private final long seed;
  private final List<SimulatedRule> rules;

  Planner(long seed, List<SimulatedRule> rules) {
    this.seed = seed;
    this.rules = List.copyOf(rules);
  }

  Plan plan(PodView pod, String container, int attempt) {
    Role role = Role.of(pod.spec(), container);
    LifeCycle life = Annotations.of(pod, container, role).or(ruleFor(pod, container, role));
    long bits = Hash64.of(Hash64.of(seed, pod.uid(), container), attempt);
    return new Plan(
        draw(life.pullDelay(), DurationRule.ZERO, bits, Setting.PULL_DELAY),
        draw(life.startDelay(), DurationRule.ZERO, bits, Setting.START_DELAY),
        role == Role.INIT
            ? 0
            : draw(life.readyDelay(), DurationRule.ZERO, bits, Setting.READY_DELAY),
        draw(life.runFor(), defaultRunFor(pod, role), bits, Setting.RUN_FOR),
        life.exitCode() == null ? 0 : life.exitCode(),
        draw(life.stopDelay(), DurationRule.ZERO, bits, Setting.STOP_DELAY),
        life.pullError(),
        life.startError(),
        life.checks(),
        life.consumption());
  }

  /** How long a hook of this instance takes, milliseconds. */
  long hook(PodView pod, String container, int attempt, Setting hook, DurationRule takes) {
    return draw(
        takes, DurationRule.ZERO, Hash64.of(Hash64.of(seed, pod.uid(), container), attempt), hook);
  }

  /** Settings draw independently of one another, hence the salt. */
  private static long draw(
      @Nullable DurationRule rule, DurationRule fallback, long bits, Setting setting) {
    return (rule == null ? fallback : rule).draw(Hash64.of(bits, setting.key()));
  }

  /** Init containers and Jobs are there to finish; everything else is there to stay. */
  private static DurationRule defaultRunFor(PodView pod, Role role) {
    boolean finishes =
        role == Role.INIT || (role == Role.REGULAR && JOB.equals(pod.controllerKind()));
    return finishes ? DurationRule.ZERO : DurationRule.NEVER;
  }

  private LifeCycle ruleFor(PodView pod, String container, Role role) {
    for (SimulatedRule rule : rules) {
      if (matches(rule, pod, container)) {
        boolean whole = role == Role.REGULAR || !rule.containers().isEmpty();
        return whole ? rule.lifeCycle() : rule.lifeCycle().withoutEnd();
      }
    }
    return LifeCycle.UNSET;
  }

  private boolean matches(SimulatedRule rule, PodView pod, String container) {
    return (rule.namespace() == null || rule.namespace().equals(pod.namespace()))
        && (rule.controllerKind() == null || rule.controllerKind().equals(pod.controllerKind()))
        && (rule.containers().isEmpty() || rule.containers().contains(container))
        && pod.labels().entrySet().containsAll(rule.matchLabels().entrySet())
        && Hash64.unit(Hash64.of(seed, rule.name(), pod.uid())) < rule.share();
  }
}
