package dev.vertlet.kube;

import dev.vertlet.model.KubeObject;
import dev.vertlet.model.ObjectDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Objects that a {@link dev.vertlet.kube.watch.Reflector} lists and watches.
 *
 * @param name for logs and metrics, for example {@code pods of node a}
 * @param fieldSelector empty for none
 * @param labelSelector empty for none
 * @param pageSize objects per page of a paged list, 0 for unpaged
 * @param maxEventBytes an event larger than this ends the watch with a clear error and a relist
 * @param watchTimeout requested duration of a watch, at least 1 s; jittered up to double
 */
public record ListWatch<T extends KubeObject>(
    String name,
    KubePath path,
    String fieldSelector,
    String labelSelector,
    ObjectDecoder<T> decoder,
    int pageSize,
    int maxEventBytes,
    Duration watchTimeout) {
  /** Page size of client-go's pager. */
  private static final int DEFAULT_PAGE_SIZE = 500;

  /** etcd rejects objects above 1.5 MiB by default; JSON and managedFields can double that. */
  private static final int DEFAULT_MAX_EVENT_BYTES = 4 << 20;

  /** client-go's: a random time between 5 and 10 min. */
  private static final Duration DEFAULT_WATCH_TIMEOUT = Duration.ofMinutes(5);

  public ListWatch {
    if (pageSize < 0) {
      throw new IllegalArgumentException("pageSize must be 0 (unpaged) or more, got " + pageSize);
    }
    if (maxEventBytes < 1) {
      throw new IllegalArgumentException("maxEventBytes must be at least 1, got " + maxEventBytes);
    }
    if (watchTimeout.toSeconds() < 1) {
      throw new IllegalArgumentException("watchTimeout must be at least 1 s, got " + watchTimeout);
    }
  }

  /** All objects at {@code path}: pages of 500, events up to 4 MiB, watches of 5 to 10 min. */
  public static <T extends KubeObject> ListWatch<T> of(
      String name, KubePath path, ObjectDecoder<T> decoder) {
    return new ListWatch<>(
        name,
        path,
        "",
        "",
        decoder,
        DEFAULT_PAGE_SIZE,
        DEFAULT_MAX_EVENT_BYTES,
        DEFAULT_WATCH_TIMEOUT);
  }

  /**
   * Selects by fields.
   *
   * @param selector for example {@code spec.nodeName=a}, not encoded
   */
  public ListWatch<T> withFieldSelector(String selector) {
    return new ListWatch<>(
        name, path, selector, labelSelector, decoder, pageSize, maxEventBytes, watchTimeout);
  }

  /**
   * Selects by labels.
   *
   * @param selector not encoded
   */
  public ListWatch<T> withLabelSelector(String selector) {
    return new ListWatch<>(
        name, path, fieldSelector, selector, decoder, pageSize, maxEventBytes, watchTimeout);
  }

  /** Query of one page; has no resourceVersion, so the list is the most recent one. */
  public String listQuery(boolean paged, @Nullable String continueToken) {
    StringBuilder query = new StringBuilder();
    if (paged) {
      query.append("&limit=").append(pageSize);
    }
    if (continueToken != null) {
      query.append("&continue=").append(encode(continueToken));
    }
    appendSelectors(query);
    return query.isEmpty() ? "" : query.substring(1);
  }

  /** Query of a watch that begins with the whole list. */
  public String streamingQuery(RandomGenerator random) {
    return watchQuery("sendInitialEvents=true&resourceVersionMatch=NotOlderThan", random);
  }

  /** Query of a watch for all changes after {@code resourceVersion}. */
  public String watchQuery(long resourceVersion, RandomGenerator random) {
    return watchQuery("resourceVersion=" + resourceVersion, random);
  }

  private String watchQuery(String start, RandomGenerator random) {
    long seconds = watchTimeout.toSeconds();
    StringBuilder query =
        new StringBuilder("watch=1&allowWatchBookmarks=true&timeoutSeconds=")
            .append(seconds + random.nextLong(seconds + 1))
            .append('&')
            .append(start);
    appendSelectors(query);
    return query.toString();
  }

  private void appendSelectors(StringBuilder query) {
    if (!fieldSelector.isEmpty()) {
      query.append("&fieldSelector=").append(encode(fieldSelector));
    }
    if (!labelSelector.isEmpty()) {
      query.append("&labelSelector=").append(encode(labelSelector));
    }
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
