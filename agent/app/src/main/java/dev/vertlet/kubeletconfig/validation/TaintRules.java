package dev.vertlet.kubeletconfig.validation;

import dev.vertlet.model.Names;
import io.vertx.core.json.JsonObject;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;

/** Rules for the taints that a node registers with. */
final class TaintRules {
  private static final String FIELD = "registerWithTaints";
  private static final String TIME = "timeAdded";

  /** Time format of Go's {@code String}. */
  private static final DateTimeFormatter FOR_PEOPLE =
      new DateTimeFormatterBuilder()
          .appendPattern("yyyy-MM-dd HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .appendLiteral(" +0000 UTC")
          .toFormatter(Locale.ROOT);

  private TaintRules() {}

  static void check(Judged judged) {
    List<JsonObject> taints = judged.objects(FIELD);
    for (int i = 0; i < taints.size(); i++) {
      JsonObject taint = taints.get(i);
      if (!isValid(taint)) {
        judged.refuse(FIELD, "invalid taint: " + written(taint), i);
      }
      if (taint.getValue(TIME) != null) {
        judged.invalid(FIELD, "taint.TimeAdded is not nil", i, TIME);
      }
    }
  }

  private static boolean isValid(JsonObject taint) {
    String effect = text(taint, "effect");
    return Names.checkLabelKey(text(taint, "key")).isEmpty()
        && Names.checkLabelValue(text(taint, "value")).isEmpty()
        && (effect.isEmpty() || Names.checkTaintEffect(effect).isEmpty());
  }

  private static String written(JsonObject taint) {
    String time = text(taint, TIME);
    return "{%s %s %s %s}"
        .formatted(
            text(taint, "key"),
            text(taint, "value"),
            text(taint, "effect"),
            time.isEmpty()
                ? "<nil>"
                : FOR_PEOPLE.format(
                    OffsetDateTime.parse(time).withOffsetSameInstant(ZoneOffset.UTC)));
  }

  private static String text(JsonObject taint, String key) {
    return taint.getValue(key) instanceof String text ? text : "";
  }
}
