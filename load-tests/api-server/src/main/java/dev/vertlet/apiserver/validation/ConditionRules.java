package dev.vertlet.apiserver.validation;

/** {@code metav1.Condition}. */
final class ConditionRules {
  private static final int LONGEST_REASON = 1024;
  private static final int LONGEST_MESSAGE = 32_768;

  private ConditionRules() {}

  static void standard(FieldValue condition) {
    condition.at("type").requireFormat(Format.QUALIFIED_NAME);
    condition.at("status").oneOf("False", "True", "Unknown");
    condition.at("observedGeneration").notNegative();
    if (!condition.at("lastTransitionTime").isPresent()) {
      condition.at("lastTransitionTime").required();
    }
    FieldValue reason = condition.at("reason");
    if (!reason.requireAny()) {
      if (!isReason(reason.text())) {
        reason.invalid(
            "a condition reason must start with alphabetic character, optionally followed by a"
                + " string of alphanumeric characters or '_,:', and must end with an alphanumeric"
                + " character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or"
                + " 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is"
                + " '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')");
      }
      if (reason.text().length() > LONGEST_REASON) {
        reason.tooLong(LONGEST_REASON);
      }
    }
    if (condition.at("message").text().length() > LONGEST_MESSAGE) {
      condition.at("message").tooLong(LONGEST_MESSAGE);
    }
  }

  private static boolean isReason(String reason) {
    return reason.matches("[A-Za-z][A-Za-z0-9_,:]*")
        && !reason.endsWith(",")
        && !reason.endsWith(":");
  }
}
