package dev.vertlet.kube.watch;

import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/** Callers that wait for a complete list. Each is answered by a list that began after its call. */
final class ListCallers {
  /** Of the next list. */
  private final List<Promise<Void>> waiting = new ArrayList<>();

  /** Of the list in progress. */
  private final List<Promise<Void>> served = new ArrayList<>();

  void add(Promise<Void> caller) {
    waiting.add(caller);
  }

  /** Whether a caller waits for a list that has not begun. */
  boolean waiting() {
    return !waiting.isEmpty();
  }

  /** A list begins, or begins again after a failure: it answers all callers until now. */
  void listBegins() {
    served.addAll(waiting);
    waiting.clear();
  }

  /** There is no list any more. */
  void fail(String why) {
    listBegins();
    listed().forEach(caller -> caller.fail(why));
  }

  /**
   * The list in progress is complete. Returns the callers to be answered: on the context of the
   * list they continue immediately and may call again.
   */
  List<Promise<Void>> listed() {
    List<Promise<Void>> answered = List.copyOf(served);
    served.clear();
    return answered;
  }
}
