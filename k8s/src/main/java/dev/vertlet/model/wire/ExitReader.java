package dev.vertlet.model.wire;

import dev.vertlet.model.container.ContainerExitView;
import dev.vertlet.model.container.RestartRuleView;
import dev.vertlet.model.container.RestartRuleView.Action;
import dev.vertlet.model.container.RestartRuleView.Operator;
import java.util.ArrayList;
import java.util.List;

/** Reads the handling of one container's exits, which most containers do not set. */
final class ExitReader {
  private static final Fields RULE = Fields.of("1 action", "2 exitCodes");
  private static final Fields EXIT_CODES = Fields.of("1 operator", "2 values");
  private static final String FALL_BACK = "FallbackToLogsOnError";

  private List<RestartRuleView> rules = List.of();
  private boolean fallsBackToLogs;

  /** Reads the current field of the container, one of {@code restartPolicyRules}. */
  void rule(ObjectReader in) {
    Action action = Action.UNKNOWN;
    Operator operator = Operator.UNKNOWN;
    List<Integer> codes = new ArrayList<>(1);
    in.enter();
    while (in.next(RULE)) {
      if (in.field().equals("action")) {
        action = Action.of(in.shared());
        continue;
      }
      in.enter();
      while (in.next(EXIT_CODES)) {
        if (in.field().equals("operator")) {
          operator = Operator.of(in.shared());
        } else {
          codes.add((int) in.integer());
        }
      }
    }
    rules = rules.isEmpty() ? new ArrayList<>(1) : rules;
    rules.add(new RestartRuleView(action, operator, codes));
  }

  /** Reads the current field of the container, {@code terminationMessagePolicy}. */
  void messagePolicy(ObjectReader in) {
    fallsBackToLogs = in.shared().equals(FALL_BACK);
  }

  ContainerExitView view() {
    return rules.isEmpty() && !fallsBackToLogs
        ? ContainerExitView.DEFAULT
        : new ContainerExitView(rules, fallsBackToLogs);
  }
}
