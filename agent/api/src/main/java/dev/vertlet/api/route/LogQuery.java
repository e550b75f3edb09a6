package dev.vertlet.api.route;

import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.LogRequest.Stream;
import io.vertx.core.MultiMap;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Parses the query of {@code /containerLogs}, Kubernetes' PodLogOptions. Uses no I/O. */
final class LogQuery {
  private static final String NOT_DECODED = "{\"message\": \"Unable to decode query.\"}";
  private static final String NOT_VALID = "{\"message\": \"Invalid request.\"}";

  private final MultiMap query;

  LogQuery(MultiMap query) {
    this.query = query;
  }

  /**
   * Parses the query.
   *
   * @throws HttpFailure 400 for an unreadable value, 422 for an invalid combination
   */
  LogRequest read(ContainerTarget target, Instant now) {
    Long tail = "all".equals(query.get("tail")) ? null : number(tailKey());
    Long limit = number("limitBytes");
    Long seconds = number("sinceSeconds");
    Instant time = time();
    Stream stream = stream();
    boolean valid =
        (tail == null || tail >= 0)
            && (limit == null || limit >= 1)
            && (seconds == null || seconds >= 1)
            && (seconds == null || query.get("sinceTime") == null)
            && stream != null
            && (stream == Stream.ALL || tail == null);
    if (!valid || stream == null) {
      throw new HttpFailure(422, NOT_VALID);
    }
    return new LogRequest(
        target,
        flag("follow"),
        flag("previous"),
        flag("timestamps"),
        seconds == null ? time : before(now, seconds),
        tail,
        limit,
        stream);
  }

  /** Returns the key of the tail length; the older name wins. */
  private String tailKey() {
    String old = query.get("tail");
    return old == null || old.isEmpty() ? "tailLines" : "tail";
  }

  /** Subtracts the seconds, but not beyond the epoch. */
  private static Instant before(Instant now, long seconds) {
    return Instant.ofEpochSecond(Math.max(0, now.getEpochSecond() - seconds), now.getNano());
  }

  /** Parses a flag as Kubernetes does: all values but 0 and false are true, even an empty one. */
  private boolean flag(String key) {
    String value = query.get(key);
    return value != null && !value.equals("0") && !value.equalsIgnoreCase("false");
  }

  private @Nullable Long number(String key) {
    String value = query.get(key);
    if (value == null) {
      return null;
    }
    try {
      return Long.valueOf(value);
    } catch (NumberFormatException e) {
      throw new HttpFailure(400, NOT_DECODED);
    }
  }

  private @Nullable Instant time() {
    String value = query.get("sinceTime");
    if (value == null || value.isEmpty() || value.equals("null")) {
      return null;
    }
    try {
      return OffsetDateTime.parse(value).toInstant();
    } catch (DateTimeParseException e) {
      throw new HttpFailure(400, NOT_DECODED);
    }
  }

  /** Parses the stream; null for an unknown one. */
  private @Nullable Stream stream() {
    String value = query.get("stream");
    return switch (value == null ? "All" : value) {
      case "All" -> Stream.ALL;
      case "Stdout" -> Stream.STDOUT;
      case "Stderr" -> Stream.STDERR;
      default -> null;
    };
  }
}
