package dev.vertlet.model.container;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Handling of a container's exits, in addition to its restart policy.
 *
 * @param restartRules in order: the first one that matches the exit code applies
 * @param fallsBackToLogs whether the end of the log replaces the missing termination message of a
 *     failed instance
 */
public record ContainerExitView(List<RestartRuleView> restartRules, boolean fallsBackToLogs) {
  /** The API's defaults. */
  public static final ContainerExitView DEFAULT = new ContainerExitView(List.of(), false);

  public ContainerExitView {
    restartRules = List.copyOf(restartRules);
  }

  /** Returns the action of the first matching rule; null if none matches. */
  public RestartRuleView.@Nullable Action action(int exitCode) {
    for (RestartRuleView rule : restartRules) {
      if (rule.matches(exitCode)) {
        return rule.action();
      }
    }
    return null;
  }

  /** Whether a rule has this action. */
  public boolean mentions(RestartRuleView.Action action) {
    for (RestartRuleView rule : restartRules) {
      if (rule.action() == action) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the same handling with restarts of all containers turned off: those rules match without
   * effect.
   */
  public ContainerExitView withoutRestartOfAll() {
    return new ContainerExitView(
        restartRules.stream()
            .map(
                rule ->
                    rule.action() == RestartRuleView.Action.RESTART_ALL_CONTAINERS
                        ? rule.withAction(RestartRuleView.Action.TURNED_OFF)
                        : rule)
            .toList(),
        fallsBackToLogs);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof ContainerExitView that
            && restartRules.equals(that.restartRules)
            && fallsBackToLogs == that.fallsBackToLogs;
  }

  @Override
  public int hashCode() {
    return 31 * restartRules.hashCode() + Boolean.hashCode(fallsBackToLogs);
  }
}
