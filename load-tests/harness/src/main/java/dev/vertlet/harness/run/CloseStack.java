package dev.vertlet.harness.run;

import java.util.ArrayDeque;
import java.util.Deque;

/** Resources that are closed in reverse order. Not thread-safe. */
public final class CloseStack implements AutoCloseable {
  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Adds a resource; returns it. */
  public <T extends AutoCloseable> T add(T resource) {
    open.push(resource);
    return resource;
  }

  /** Closes all resources; throws the first failure, with the others suppressed. */
  @Override
  public void close() throws Exception {
    Exception first = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
