package dev.vertlet.apiserver.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.apiserver.fault.FaultScript;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** What a fault that is scripted by an admin call can do, and the fields it takes for it. */
enum FaultAction {
  DELAY(
      "delay",
      (script, fields) -> script.delay(Duration.ofMillis(fields.path("millis").asLong())),
      Field.number("millis", 1, 600_000)),
  RESPOND(
      "respond",
      (script, fields) ->
          script.respond(fields.path("code").asInt(), fields.path("reason").asText()),
      Field.number("code", 400, 599),
      Field.text("reason")),
  THROTTLE(
      "throttle",
      (script, fields) -> script.throttle(fields.path("retryAfterSeconds").asInt()),
      Field.number("retryAfterSeconds", 0, 3_600)),
  CONFLICT("conflict", (script, fields) -> script.conflict()),
  EXPIRE("expire", (script, fields) -> script.expire()),
  UNAUTHORIZED("unauthorized", (script, fields) -> script.unauthorized()),
  FORBID("forbid", (script, fields) -> script.forbid()),
  CUT("cut", (script, fields) -> script.cut()),
  RESET("reset", (script, fields) -> script.reset()),
  LOSE_ANSWER("loseAnswer", (script, fields) -> script.loseAnswer()),
  HANG("hang", (script, fields) -> script.hang()),
  STALE_LIST("staleList", (script, fields) -> script.staleList()),
  CUT_MID_EVENT("cutMidEvent", (script, fields) -> script.cutMidEvent()),
  MALFORMED_EVENT("malformedEvent", (script, fields) -> script.malformedEvent()),
  OVERSIZED_EVENT(
      "oversizedEvent",
      (script, fields) -> script.oversizedEvent(fields.path("bytes").asInt()),
      Field.number("bytes", 1, 100_000_000)),
  SILENCE("silence", (script, fields) -> script.silence()),
  SWALLOW_EVENT("swallowEvent", (script, fields) -> script.swallowEvent()),
  EXPIRE_EVENT("expireEvent", (script, fields) -> script.expireEvent());

  private final String word;
  private final BiFunction<FaultScript, JsonNode, Fault> effect;
  private final List<Field> fields;

  FaultAction(String word, BiFunction<FaultScript, JsonNode, Fault> effect, Field... fields) {
    this.word = word;
    this.effect = effect;
    this.fields = List.of(fields);
  }

  static Optional<FaultAction> of(String word) {
    return Arrays.stream(values()).filter(action -> action.word.equals(word)).findFirst();
  }

  static List<String> words() {
    return Arrays.stream(values()).map(action -> action.word).toList();
  }

  String word() {
    return word;
  }

  /** Fields that must be given with this action, and with no other. */
  List<Field> fields() {
    return fields;
  }

  /** Puts the fault in force. */
  Fault script(FaultScript script, JsonNode request) {
    return effect.apply(script, request);
  }
}
