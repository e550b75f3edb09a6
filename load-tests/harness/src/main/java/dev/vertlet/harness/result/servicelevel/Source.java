package dev.vertlet.harness.result.servicelevel;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Place at which a latency was measured. */
public enum Source {
  /** The API server's own metrics: without the network, webhooks and queues before it. */
  API_SERVER("api_server", "by the API server"),
  /** The proxy before the API server: with everything that the subject waits for. */
  SUBJECT("subject", "by the subject"),
  /** The client that creates and deletes the load. */
  LOAD("load", "by the load"),
  /** The watch of the load. */
  WATCH("watch", "in a watch");

  private final String key;
  private final String text;

  Source(String key, String text) {
    this.key = key;
    this.text = text;
  }

  /** Name in results. */
  public String key() {
    return key;
  }

  /** Completes "measured …". */
  public String text() {
    return text;
  }

  /**
   * Finds a source by its name in results.
   *
   * @throws IllegalArgumentException that names what is allowed
   */
  public static Source of(String key) {
    return Arrays.stream(values())
        .filter(source -> source.key.equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "one of "
                        + Arrays.stream(values())
                            .map(Source::key)
                            .collect(Collectors.joining(", "))));
  }
}
