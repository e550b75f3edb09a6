package dev.vertlet.lease;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.model.DecodeException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the leases of nodes: one by one, or with one list where many are to be read, as at the
 * start of an agent with many nodes and after an outage. Confined to its verticle's context.
 */
final class LeaseReads {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseReads.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads from which on one list takes their place. The list holds the leases of all nodes of the
   * cluster, so that it does not pay for the few nodes of one host.
   */
  static final int LIST_FROM = 64;

  /** Half of the in-flight window, so that renewals do not wait for reads. */
  static final int AT_ONCE = 32;

  /** Leases in one page, a third of a megabyte: decoding one takes a few milliseconds. */
  private static final int PAGE = 500;

  private final KubeClient kube;
  private final Context context;
  private final Map<String, Read> queue = new LinkedHashMap<>();
  private int inFlight;
  private boolean listing;
  private boolean mayList = true;
  private boolean flushing;
  private boolean stopped;

  private record Read(Duration timeout, Promise<LeaseRecord> promise) {}

  /**
   * Creates an object without reads.
   *
   * @param context of the verticle
   */
  LeaseReads(KubeClient kube, Context context) {
    this.kube = kube;
    this.context = context;
  }

  /**
   * Reads a node's lease; of many reads, the leases that expire first are answered first.
   *
   * @param timeout of the request, which does not count the wait for other reads
   * @return fails with {@link KubeException}, of kind NOT_FOUND if there is no lease
   */
  Future<LeaseRecord> read(String node, Duration timeout) {
    Read before = queue.get(node);
    if (before != null) {
      return before.promise().future();
    }
    Promise<LeaseRecord> promise = Promise.promise();
    if (stopped) {
      promise.fail(stop(node));
      return promise.future();
    }
    queue.put(node, new Read(timeout, promise));
    if (!flushing) {
      flushing = true;
      // reads of one turn of the loop are seen together
      context.runOnContext(v -> flush());
    }
    return promise.future();
  }

  /** Fails the reads that wait. */
  void stop() {
    stopped = true;
    Map<String, Read> left = new LinkedHashMap<>(queue);
    queue.clear();
    left.forEach((node, read) -> read.promise().fail(stop(node)));
  }

  private static KubeException stop(String node) {
    return new KubeException(
        KubeException.Kind.CANCELLED, 0, "get leases/" + node + ": given up", null, null);
  }

  private void flush() {
    flushing = false;
    if (listing) {
      return; // what it reads may be older than these reads
    }
    if (mayList && queue.size() >= LIST_FROM) {
      Map<String, Read> wanted = new LinkedHashMap<>(queue);
      queue.clear();
      list(wanted);
      return;
    }
    while (inFlight < AT_ONCE && !queue.isEmpty()) {
      String node = queue.keySet().iterator().next();
      Read read = queue.remove(node);
      if (read != null) {
        get(node, read);
      }
    }
  }

  private void get(String node, Read read) {
    inFlight++;
    kube.send(KubeRequest.get(Lane.LEASE, KubePath.nodeLease(node)).withTimeout(read.timeout()))
        .map(answer -> LeaseRecord.decode(answer.body()))
        .onComplete(
            done -> {
              inFlight--;
              flush();
              if (done.succeeded()) {
                read.promise().complete(done.result());
              } else {
                read.promise().fail(done.cause());
              }
            });
  }

  private void list(Map<String, Read> wanted) {
    listing = true;
    Duration timeout = wanted.values().iterator().next().timeout();
    page("", timeout, wanted.keySet()::contains, new HashMap<>())
        .onComplete(
            done -> {
              listing = false;
              if (done.succeeded()) {
                answer(wanted, done.result());
              } else if (KubeException.from(done.cause()).kind() == KubeException.Kind.FORBIDDEN) {
                mayList = false;
                LOG.debug("leases are read one by one: {}", done.cause().getMessage());
                queue.putAll(wanted);
              } else {
                wanted.values().forEach(read -> read.promise().fail(done.cause()));
              }
              flush();
            });
  }

  private Future<Map<String, LeaseRecord>> page(
      String token, Duration timeout, Predicate<String> wanted, Map<String, LeaseRecord> found) {
    String more =
        token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
    KubeRequest request =
        KubeRequest.list(Lane.LEASE, KubePath.nodeLeases(), "limit=" + PAGE + more, MediaType.JSON);
    return kube.send(request.withTimeout(timeout))
        .compose(
            answer -> {
              String next = decode(answer, wanted, found);
              return next.isEmpty()
                  ? Future.succeededFuture(found)
                  : page(next, timeout, wanted, found);
            });
  }

  /** Returns the token of the next page, empty after the last. */
  private static String decode(
      KubeResponse answer, Predicate<String> wanted, Map<String, LeaseRecord> found) {
    try {
      JsonNode list = JSON.readTree(answer.body().getBytes());
      for (JsonNode item : list.path("items")) {
        String name = item.path("metadata").path("name").asText();
        if (wanted.test(name) && item instanceof ObjectNode lease) {
          found.put(name, LeaseRecord.of(lease));
        }
      }
      return list.path("metadata").path("continue").asText("");
    } catch (IOException e) {
      throw new DecodeException("malformed LeaseList", e);
    }
  }

  private static void answer(Map<String, Read> wanted, Map<String, LeaseRecord> found) {
    List<Map.Entry<String, Read>> order = new ArrayList<>(wanted.entrySet());
    order.sort(Comparator.comparing(read -> expiry(found.get(read.getKey()))));
    for (Map.Entry<String, Read> read : order) {
      Promise<LeaseRecord> promise = read.getValue().promise();
      LeaseRecord lease = found.get(read.getKey());
      if (lease != null) {
        promise.complete(lease);
      } else {
        promise.fail(absent(read.getKey()));
      }
    }
  }

  private static Instant expiry(@Nullable LeaseRecord lease) {
    return lease == null ? Instant.MAX : lease.expiry();
  }

  private static KubeException absent(String node) {
    return new KubeException(
        KubeException.Kind.NOT_FOUND,
        404,
        "get leases/" + node + ": not in the list of leases",
        null,
        null);
  }
}
