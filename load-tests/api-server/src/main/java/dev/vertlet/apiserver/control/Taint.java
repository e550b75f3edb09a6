package dev.vertlet.apiserver.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Json;
import java.util.ArrayList;
import java.util.List;

/** A taint without the time it was added. */
public record Taint(String key, String value, String effect) {
  public static final String NO_SCHEDULE = "NoSchedule";
  public static final String NO_EXECUTE = "NoExecute";

  public static Taint of(JsonNode taint) {
    return new Taint(
        Json.text(taint, "key"), Json.text(taint, "value"), Json.text(taint, "effect"));
  }

  /** The taints of a node. */
  public static List<Taint> allOf(JsonNode node) {
    List<Taint> taints = new ArrayList<>();
    Json.at(node, "spec", "taints").forEach(taint -> taints.add(of(taint)));
    return taints;
  }

  /** Whether a pod with this effect stays away or has to go, unless it tolerates the taint. */
  public boolean keepsPodsOff() {
    return effect.equals(NO_SCHEDULE) || effect.equals(NO_EXECUTE);
  }

  /** Whether one toleration covers this taint. */
  public boolean isToleratedBy(JsonNode toleration) {
    String wantedEffect = Json.text(toleration, "effect");
    String wantedKey = Json.text(toleration, "key");
    if (!(wantedEffect.isEmpty() || wantedEffect.equals(effect))
        || !(wantedKey.isEmpty() || wantedKey.equals(key))) {
      return false;
    }
    String operator = Json.text(toleration, "operator");
    if (operator.equals("Exists")) {
      return true;
    }
    return (operator.isEmpty() || operator.equals("Equal"))
        && !wantedKey.isEmpty()
        && Json.text(toleration, "value").equals(value);
  }

  /** Whether any of the tolerations covers this taint. */
  public boolean isToleratedByAny(JsonNode tolerations) {
    for (JsonNode toleration : tolerations) {
      if (isToleratedBy(toleration)) {
        return true;
      }
    }
    return false;
  }
}
