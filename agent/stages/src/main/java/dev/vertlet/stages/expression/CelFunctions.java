package dev.vertlet.stages.expression;

import com.google.protobuf.Timestamp;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import java.time.Clock;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** KWOK's functions in CEL. */
@SuppressWarnings(
    "Immutable") // time and chance are what these functions are for; one thread at a time
final class CelFunctions {
  private static final double NANOS = 1e9;

  private final Clock clock;
  private final RandomGenerator random;

  CelFunctions(Clock clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  List<CelFunctionBinding> bindings() {
    return List.of(
        CelFunctionBinding.from("Now", List.of(), none -> CelValues.timestamp(clock.instant())),
        CelFunctionBinding.from("Rand", List.of(), none -> random.nextDouble()),
        CelFunctionBinding.from("SinceSecond", Object.class, this::sinceSecond),
        CelFunctionBinding.from("SinceSecond_method", Object.class, this::sinceSecond),
        CelFunctionBinding.from("UnixSecond", Timestamp.class, CelFunctions::unixSecond),
        CelFunctionBinding.from("UnixSecond_method", Timestamp.class, CelFunctions::unixSecond),
        CelFunctionBinding.from("Quantity", String.class, CelFunctions::quantity),
        CelFunctionBinding.from("Quantity_method", String.class, CelFunctions::quantity));
  }

  /** Seconds since the object was created. */
  private Object sinceSecond(Object object) throws CelEvaluationException {
    Object created =
        object instanceof Map<?, ?> map && map.get("metadata") instanceof Map<?, ?> metadata
            ? metadata.get("creationTimestamp")
            : null;
    Instant now = clock.instant();
    if (created instanceof Timestamp time) {
      return seconds(now) - unixSecond(time);
    }
    if (created instanceof String text) {
      try {
        return seconds(now) - seconds(Instant.parse(text));
      } catch (DateTimeParseException e) {
        // refused below
      }
    }
    throw failure("SinceSecond needs an object with metadata.creationTimestamp");
  }

  private static double seconds(Instant time) {
    return time.getEpochSecond() + time.getNano() / NANOS;
  }

  private static double unixSecond(Timestamp time) {
    return time.getSeconds() + time.getNanos() / NANOS;
  }

  private static Object quantity(String text) throws CelEvaluationException {
    try {
      return CelValues.amount(text);
    } catch (IllegalArgumentException e) {
      throw failure("\"" + text + "\" is no quantity");
    }
  }

  private static CelEvaluationException failure(String message) {
    return new CelEvaluationException(message);
  }
}
