package dev.vertlet.simulated;

import dev.vertlet.model.Utf8;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.simulated.rule.Annotations;
import dev.vertlet.simulated.rule.Consumption;
import dev.vertlet.simulated.rule.ContainerOutput;
import dev.vertlet.simulated.rule.DurationRule;
import dev.vertlet.simulated.rule.ExitCodes;
import dev.vertlet.simulated.rule.Hash64;
import dev.vertlet.simulated.rule.LifeCycle;
import dev.vertlet.simulated.rule.ListeningPorts;
import dev.vertlet.simulated.rule.Role;
import dev.vertlet.simulated.rule.RuleKey;
import dev.vertlet.simulated.rule.SimulatedRule;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Plans the life of a container instance: annotations before rules before defaults. The same seed,
 * pod UID, container and attempt give the same plan in every process.
 */
public final class Planner {
  private static final String JOB = "Job";

  /** A kubelet's MaxContainerTerminationMessageLength. */
  private static final int MESSAGE_BYTES = 4096;

  final long seed;
  private final Function<String, List<SimulatedRule>> rules;

  public Planner(long seed, List<SimulatedRule> rules) {
    this(seed, node -> rules);
  }

  /**
   * @param rules current rules of a node by its name
   */
  Planner(long seed, Function<String, List<SimulatedRule>> rules) {
    this.seed = seed;
    this.rules = rules;
  }

  public Plan plan(PodView pod, String container, int attempt) {
    Role role = Role.of(pod.spec(), container);
    LifeCycle life = Annotations.of(pod, container, role).or(ruleFor(pod, container, role));
    long bits = Hash64.of(Hash64.of(seed, pod.uid(), container), attempt);
    long runFor = draw(life, RuleKey.RUN_FOR, defaultRunFor(pod, role), bits);
    long oomAfter = draw(life, RuleKey.OOM_AFTER, DurationRule.NEVER, bits);
    ExitCodes codes = life.exitCode() == null ? ExitCodes.ZERO : life.exitCode();
    return new Plan(
        draw(life, RuleKey.SANDBOX_DELAY, DurationRule.ZERO, bits),
        draw(life, RuleKey.PULL_DELAY, DurationRule.ZERO, bits),
        draw(life, RuleKey.START_DELAY, DurationRule.ZERO, bits),
        role == Role.INIT ? 0 : draw(life, RuleKey.READY_DELAY, DurationRule.ZERO, bits),
        Math.min(runFor, oomAfter),
        end(oomAfter < runFor, codes, bits).leaving(message(life.talk(), pod, container)),
        Plan.Stop.of(
            draw(life, RuleKey.STOP_DELAY, DurationRule.ZERO, bits),
            draw(life, RuleKey.KILL_DELAY, DurationRule.ZERO, bits)),
        life.errors(),
        life.checks(),
        consumption(life, pod.spec(), container, bits),
        life.talk().portsOrAny());
  }

  private static Plan.End end(boolean oom, ExitCodes codes, long bits) {
    return oom
        ? Plan.End.OOM_KILLED
        : Plan.End.of(codes.draw(Hash64.of(bits, RuleKey.EXIT_CODE.key())));
  }

  /** Returns the end of the message file, as a kubelet reads it. */
  private static @Nullable String message(ContainerOutput talk, PodView pod, String container) {
    String text = talk.message();
    if (text == null) {
      return null;
    }
    String named =
        text.replace("{pod}", pod.name())
            .replace("{namespace}", pod.namespace())
            .replace("{container}", container)
            .replace("{node}", pod.nodeName());
    return Utf8.last(named, MESSAGE_BYTES);
  }

  private static Consumption consumption(
      LifeCycle life, PodSpecView spec, String container, long bits) {
    ContainerView view = life.consumption() == Consumption.UNSET ? null : spec.container(container);
    Map<String, String> requests = view == null ? Map.of() : view.resources().requests();
    return life.consumption().resolve(requests, bits);
  }

  /** Plans the sandbox from the settings of the pod's first regular container. */
  Plan sandbox(PodView pod, int attempt) {
    return plan(pod, first(pod), attempt);
  }

  /** Returns the pod's ports from the settings of its first regular container. */
  public ListeningPorts ports(PodView pod) {
    return talk(pod, first(pod)).portsOrAny();
  }

  private static String first(PodView pod) {
    List<ContainerView> containers = pod.spec().containers();
    return containers.isEmpty() ? "" : containers.get(0).name();
  }

  /** Returns the log, port and message settings of a container. */
  public ContainerOutput talk(PodView pod, String container) {
    Role role = Role.of(pod.spec(), container);
    return Annotations.of(pod, container, role).or(ruleFor(pod, container, role)).talk();
  }

  /** Draws the duration of a hook in milliseconds. */
  long hook(PodView pod, String container, int attempt, RuleKey hook, DurationRule takes) {
    return draw(takes, Hash64.of(Hash64.of(seed, pod.uid(), container), attempt), hook);
  }

  /** Draws the duration of a resize in milliseconds. */
  public long resize(PodView pod, String container, int attempt) {
    Role role = Role.of(pod.spec(), container);
    LifeCycle life = Annotations.of(pod, container, role).or(ruleFor(pod, container, role));
    long bits = Hash64.of(Hash64.of(seed, pod.uid(), container), attempt);
    return draw(life, RuleKey.RESIZE_DELAY, DurationRule.ZERO, bits);
  }

  private static long draw(LifeCycle life, RuleKey setting, DurationRule fallback, long bits) {
    return draw(life.time(setting, fallback), bits, setting);
  }

  /** Draws with the setting as salt, so that settings are independent. */
  private static long draw(DurationRule rule, long bits, RuleKey setting) {
    return rule.draw(Hash64.of(bits, setting.key()));
  }

  /** Returns the default run time: init containers and Jobs finish, others run for ever. */
  private static DurationRule defaultRunFor(PodView pod, Role role) {
    boolean finishes =
        role == Role.INIT || (role == Role.REGULAR && JOB.equals(pod.controllerKind()));
    return finishes ? DurationRule.ZERO : DurationRule.NEVER;
  }

  private LifeCycle ruleFor(PodView pod, String container, Role role) {
    for (SimulatedRule rule : rules.apply(pod.nodeName())) {
      if (matches(rule, pod, container)) {
        boolean whole = role == Role.REGULAR || !rule.containers().isEmpty();
        return whole ? rule.lifeCycle() : rule.lifeCycle().withoutEnd();
      }
    }
    return LifeCycle.UNSET;
  }

  private boolean matches(SimulatedRule rule, PodView pod, String container) {
    return (rule.containers().isEmpty() || rule.containers().contains(container))
        && rule.selector().matches(pod, container)
        && Hash64.unit(Hash64.of(seed, rule.name(), pod.uid())) < rule.share();
  }
}
