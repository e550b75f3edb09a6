package dev.vertlet.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a container's definition says about its exits, beside its restart policy.
 *
 * @param restartRules in order: the first one that matches the exit code counts
 * @param fallsBackToLogs whether the end of the log is the termination message of an instance that
 *     failed and left none
 */
public record ContainerExitView(List<RestartRuleView> restartRules, boolean fallsBackToLogs) {
  /** The API's defaults. */
  public static final ContainerExitView DEFAULT = new ContainerExitView(List.of(), false);

  public ContainerExitView {
    restartRules = List.copyOf(restartRules);
  }

  /** What the first rule that matches asks for; null when none matches. */
  public RestartRuleView.@Nullable Action action(int exitCode) {
    for (RestartRuleView rule : restartRules) {
      if (rule.matches(exitCode)) {
        return rule.action();
      }
    }
    return null;
  }

  /** Whether some exit code leads to this. */
  public boolean mentions(RestartRuleView.Action action) {
    for (RestartRuleView rule : restartRules) {
      if (rule.action() == action) {
        return true;
      }
    }
    return false;
  }

  /** The same where nothing restarts all containers: those rules match, and mean nothing. */
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
