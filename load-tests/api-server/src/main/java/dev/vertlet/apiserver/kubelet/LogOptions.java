package dev.vertlet.apiserver.kubelet;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.validation.Causes;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * {@code PodLogOptions}: which lines of a container's log a client wants.
 *
 * @param container name of the container, empty for the pod's only one
 * @param follow whether the answer goes on while the container writes
 * @param previous whether the log of the instance before is wanted
 * @param timestamps whether each line begins with its time
 * @param sinceSeconds age of the oldest line in seconds, at least 1
 * @param sinceTime time of the oldest line
 * @param tailLines number of lines from the end, at least 0
 * @param limitBytes size after which the answer ends, at least 1
 */
public record LogOptions(
    String container,
    boolean follow,
    boolean previous,
    boolean timestamps,
    Optional<Long> sinceSeconds,
    Optional<OffsetDateTime> sinceTime,
    Optional<Long> tailLines,
    Optional<Long> limitBytes) {

  private static final String GREATER_THAN_0 = "must be greater than 0";

  /**
   * Reads the options of a request.
   *
   * @throws ApiException 400 when a value cannot be read, 422 when it is out of its range
   */
  public static LogOptions of(Query query, String pod) {
    LogOptions options =
        new LogOptions(
            query.text("container"),
            query.flag("follow"),
            query.flag("previous"),
            query.flag("timestamps"),
            query.number("sinceSeconds"),
            time(query.text("sinceTime")),
            query.number("tailLines"),
            query.number("limitBytes"));
    options.check(pod, query.has("stream"));
    return options;
  }

  private static Optional<OffsetDateTime> time(String text) {
    if (text.isEmpty() || text.equals("null")) { // clients that write JSON into the query
      return Optional.empty();
    }
    try {
      return Optional.of(OffsetDateTime.parse(text));
    } catch (DateTimeParseException e) {
      throw ApiException.badRequest(
          "parsing time \"%s\" as \"2006-01-02T15:04:05Z07:00\": cannot parse it".formatted(text));
    }
  }

  private void check(String pod, boolean stream) {
    Causes causes = new Causes();
    tailLines
        .filter(lines -> lines < 0)
        .ifPresent(
            lines ->
                causes.invalid(
                    "tailLines", lines.toString(), "must be greater than or equal to 0"));
    limitBytes
        .filter(bytes -> bytes < 1)
        .ifPresent(bytes -> causes.invalid("limitBytes", bytes.toString(), GREATER_THAN_0));
    if (sinceSeconds.isPresent() && sinceTime.isPresent()) {
      causes.forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified");
    } else {
      sinceSeconds
          .filter(seconds -> seconds < 1)
          .ifPresent(seconds -> causes.invalid("sinceSeconds", seconds.toString(), GREATER_THAN_0));
    }
    if (stream) { // behind a feature gate that is off
      causes.forbidden("stream", "may not be specified");
    }
    causes.throwIfAny("", "PodLogOptions", pod);
  }

  /** What the kubelet is asked; the container is in the path. */
  public Query toKubelet() {
    Query query = new Query();
    flag(query, "follow", follow);
    flag(query, "previous", previous);
    flag(query, "timestamps", timestamps);
    sinceSeconds.ifPresent(seconds -> query.add("sinceSeconds", seconds.toString()));
    sinceTime.ifPresent(
        time ->
            query.add(
                "sinceTime",
                DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                    time.withOffsetSameInstant(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS))));
    tailLines.ifPresent(lines -> query.add("tailLines", lines.toString()));
    limitBytes.ifPresent(bytes -> query.add("limitBytes", bytes.toString()));
    return query;
  }

  private static void flag(Query query, String name, boolean set) {
    if (set) {
      query.add(name, "true");
    }
  }
}
