package dev.vertlet.simulation;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.RequestScope;
import dev.vertlet.kube.Verb;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.ObjectMeta;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What lies between an agent and the API server: requests and answers take time and get lost. */
final class Wire {
  private final SplittableRandom random;
  private final FakeLoop loop;
  private final Server server;
  private final WriteRules rules;

  /** Calls without an answer, of whatever scope. */
  private final Set<Call> open = new LinkedHashSet<>();

  Wire(SplittableRandom random, FakeLoop loop, Server server, WriteRules rules) {
    this.random = random;
    this.loop = loop;
    this.server = server;
    this.rules = rules;
  }

  /**
   * A request that is on its way.
   *
   * @param uid of the pod it is about
   * @param seen the newest revision of the pod that its writer had heard of by the watch
   * @param answered the newest one that it had made
   */
  record Sent(String uid, long seen, long answered) {}

  /** The requests of an agent in one term of a lease. */
  RequestScope scope(CoreLoop agent) {
    return new Scope(agent);
  }

  /** The agent is dead: what it sent arrives now or never, and nobody hears the answer. */
  void cutOff() {
    open.forEach(Call::maybeArrive);
    open.clear();
  }

  private final class Scope implements RequestScope {
    private final CoreLoop agent;

    Scope(CoreLoop agent) {
      this.agent = agent;
    }

    @Override
    public Future<KubeResponse> send(KubeRequest request) {
      Call call = new Call(this, request);
      open.add(call);
      loop.setTimer(delay(), call::arrive);
      return call.promise.future();
    }

    @Override
    public void close() {
      for (Call call : List.copyOf(open)) {
        if (call.scope == this) {
          call.maybeArrive();
          call.fail(Server.failure(Kind.CANCELLED, 0));
        }
      }
    }
  }

  private int delay() {
    return 1 + random.nextInt(random.nextInt(12) == 0 ? 3_000 : 40);
  }

  private final class Call {
    final Scope scope;
    final KubeRequest request;
    final Promise<KubeResponse> promise = Promise.promise();
    final @Nullable Sent sent;
    boolean arrived;

    Call(Scope scope, KubeRequest request) {
      this.scope = scope;
      this.request = request;
      this.sent = request.verb() == Verb.GET ? null : rules.sent(uid(request.body()));
    }

    private static String uid(@Nullable Buffer body) {
      String text = String.valueOf(body);
      int at = text.indexOf("\"uid\":\"") + 7;
      return text.substring(at, text.indexOf('"', at));
    }

    void maybeArrive() {
      if (!arrived && random.nextBoolean()) {
        try {
          KubeResponse unheard = handle();
        } catch (KubeException e) {
          // nobody hears of it
        }
      }
      arrived = true;
    }

    private KubeResponse handle() {
      return server.handle(request, sent == null ? new Sent("", 0, 0) : sent);
    }

    void arrive() {
      if (arrived) {
        return;
      }
      arrived = true;
      Kind trouble = server.trouble();
      if (trouble == Kind.TIMEOUT) {
        maybeHandle();
        later(5_000 + random.nextInt(25_000), () -> fail(Server.failure(trouble, 0)));
      } else if (trouble == Kind.TRANSPORT) {
        maybeHandle();
        later(delay(), () -> fail(Server.failure(trouble, 0)));
      } else if (trouble != null) {
        later(delay(), () -> fail(Server.failure(trouble, 500)));
      } else {
        answer();
      }
    }

    private void maybeHandle() {
      arrived = false;
      maybeArrive();
    }

    private void answer() {
      try {
        KubeResponse response = handle();
        later(delay(), () -> complete(response));
      } catch (KubeException e) {
        later(delay(), () -> fail(e));
      }
    }

    private void later(int millis, Runnable answer) {
      scope.agent.setTimer(millis, answer);
    }

    private void complete(KubeResponse response) {
      if (close()) {
        ObjectMeta told = ObjectMeta.decode(response.body());
        if (request.verb() == Verb.PATCH) {
          rules.answered(told.uid(), told.resourceVersion());
        } else if (request.verb() == Verb.GET) {
          rules.seen(told.uid(), told.resourceVersion());
        }
        promise.complete(response);
      }
    }

    void fail(KubeException failure) {
      if (close()) {
        promise.fail(failure);
      }
    }

    private boolean close() {
      boolean first = open.remove(this);
      if (first && sent != null) {
        rules.answered(sent.uid());
      }
      return first;
    }
  }
}
