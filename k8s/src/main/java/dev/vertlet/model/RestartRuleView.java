package dev.vertlet.model;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of a container's {@code restartPolicyRules}.
 *
 * @param exitCodes that the operator compares with; a rule without an operator matches nothing
 */
public record RestartRuleView(Action action, Operator operator, List<Integer> exitCodes) {
  /** What a rule that matches asks for. */
  public enum Action {
    RESTART("Restart"),
    RESTART_ALL_CONTAINERS("RestartAllContainers"),
    /** Restarts all containers, had the node not turned that off: the container's policy counts. */
    TURNED_OFF(""),
    /** One of a newer API: the container's policy counts. */
    UNKNOWN("");

    private final String text;

    Action(String text) {
      this.text = text;
    }

    static Action of(String text) {
      return Arrays.stream(values())
          .filter(action -> !text.isEmpty() && action.text.equals(text))
          .findFirst()
          .orElse(UNKNOWN);
    }
  }

  /** How the exit codes of a rule are compared. */
  public enum Operator {
    IN,
    NOT_IN,
    /** Matches nothing. */
    UNKNOWN;

    static Operator of(String text) {
      return switch (text) {
        case "In" -> IN;
        case "NotIn" -> NOT_IN;
        default -> UNKNOWN;
      };
    }
  }

  public RestartRuleView {
    exitCodes = List.copyOf(exitCodes);
  }

  boolean matches(int exitCode) {
    return switch (operator) {
      case IN -> exitCodes.contains(exitCode);
      case NOT_IN -> !exitCodes.contains(exitCode);
      case UNKNOWN -> false;
    };
  }

  RestartRuleView withAction(Action other) {
    return new RestartRuleView(other, operator, exitCodes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof RestartRuleView that
            && action == that.action
            && operator == that.operator
            && exitCodes.equals(that.exitCodes);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * action.ordinal() + operator.ordinal()) + exitCodes.hashCode();
  }
}
