package dev.vertlet.kube.client;

import dev.vertlet.kube.Failures;
import dev.vertlet.kube.Verb;
import io.vertx.core.Vertx;
import java.util.HashSet;
import java.util.Set;

/**
 * Answers that are passed on in parts: watches and large bodies. Confined to the client's context.
 */
final class StreamedAnswers {
  private final Vertx vertx;
  private final Calls calls;
  private final Links links;
  private final Set<WatchCall> open = new HashSet<>();
  private final Set<BodyReader> readers = new HashSet<>();
  private boolean closed;

  StreamedAnswers(Vertx vertx, Calls calls, Links links) {
    this.vertx = vertx;
    this.calls = calls;
    this.links = links;
  }

  WatchCall open(WatchCall.Asked asked, WatchCall.Receiver receiver) {
    WatchCall call = new WatchCall(calls, links, asked, receiver, open::remove);
    open.add(call);
    call.open();
    return call;
  }

  void read(BodyReader reader, String accept) {
    if (closed) {
      reader.failed(Failures.closed(Verb.GET, reader.path()));
      return;
    }
    readers.add(reader);
    reader.done().future().onComplete(over -> readers.remove(reader));
    WatchCall.Asked asked = new WatchCall.Asked(Verb.GET, reader.path(), "", accept);
    reader.begin(vertx, open(asked, reader));
  }

  /** Ends watches without a notice; readers fail. */
  void close() {
    closed = true;
    Set.copyOf(open).forEach(WatchCall::close);
    Set.copyOf(readers).forEach(reader -> reader.failed(Failures.closed(Verb.GET, reader.path())));
  }
}
