package dev.vertlet.apiserver.fault;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * The latest requests in order of arrival. The server's event loop appends, test threads read; the
 * lock is held for the copy of a list at most.
 */
public final class RequestLog {
  private final int capacity;
  private final Deque<ApiRequest> requests = new ArrayDeque<>();

  /**
   * @param capacity requests kept, 0 to keep none
   */
  public RequestLog(int capacity) {
    this.capacity = capacity;
  }

  /** Appends a request, dropping the oldest when full. */
  public synchronized void add(ApiRequest request) {
    if (capacity == 0) {
      return;
    }
    if (requests.size() == capacity) {
      requests.removeFirst();
    }
    requests.addLast(request);
  }

  public synchronized List<ApiRequest> requests() {
    return List.copyOf(requests);
  }

  public synchronized void clear() {
    requests.clear();
  }

  /** How many of the kept requests match. */
  public long count(Predicate<ApiRequest> matching) {
    return requests().stream().filter(matching).count();
  }
}
