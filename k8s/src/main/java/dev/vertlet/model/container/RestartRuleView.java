package dev.vertlet.model.container;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of a container's {@code restartPolicyRules}.
 *
 * @param exitCodes operands of the operator; a rule without an operator matches nothing
 */
public record RestartRuleView(Action action, Operator operator, List<Integer> exitCodes) {
  /** Action of a matching rule. */
  public enum Action {
    RESTART("Restart"),
    RESTART_ALL_CONTAINERS("RestartAllContainers"),
    /** Restart of all containers, disabled on the node: the container's policy applies. */
    TURNED_OFF(""),
    /** Action of a newer API: the container's policy applies. */
    UNKNOWN("");

    private final String text;

    Action(String text) {
      this.text = text;
    }

    public static Action of(String text) {
      return Arrays.stream(values())
          .filter(action -> !text.isEmpty() && action.text.equals(text))
          .findFirst()
          .orElse(UNKNOWN);
    }
  }

  /** Comparison of an exit code with a rule's. */
  public enum Operator {
    IN,
    NOT_IN,
    /** Matches nothing. */
    UNKNOWN;

    public static Operator of(String text) {
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
