package dev.vertlet.remote;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.remote.client.BackendClient;
import dev.vertlet.remote.client.Call;
import dev.vertlet.remote.client.ContractException;
import dev.vertlet.remote.client.Failures;
import dev.vertlet.remote.client.Fields;
import dev.vertlet.remote.client.Paths;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** Calls of the contract about one whole pod. Confined to one context. */
final class PodCalls {
  private static final int CONFLICT = 409;
  private static final int NOT_FOUND = 404;

  private final BackendClient client;
  private final PodState.Reader reader;

  PodCalls(BackendClient client, PodState.Reader reader) {
    this.client = client;
    this.reader = reader;
  }

  private static Paths path(String uid) {
    return Paths.of("v1", "pods", uid);
  }

  /**
   * Creates or updates a pod.
   *
   * @return its state afterwards, which is that of a newer version where the back end has one
   */
  Future<PodState> put(PodView pod, Buffer body) {
    Call call = Call.put("put", path(pod.uid()).toString(), body);
    return client
        .answer(call)
        .compose(
            answer -> {
              if (answer.ok()) {
                return state(call, pod, answer.body());
              }
              Throwable failure = Failures.of(call, answer.status(), answer.body());
              return answer.status() == CONFLICT
                  ? newer(pod, failure)
                  : Future.failedFuture(failure);
            });
  }

  /** A conflict is over a newer version of the pod, or over something else. */
  private Future<PodState> newer(PodView pod, Throwable conflict) {
    Call call = Call.get("get", path(pod.uid()).toString());
    return client
        .answer(call)
        .compose(
            answer ->
                answer.ok()
                    ? state(call, pod, answer.body())
                    : Future.failedFuture(
                        answer.status() == NOT_FOUND
                            ? conflict
                            : Failures.of(call, answer.status(), answer.body())))
        .compose(
            there ->
                there.generation() >= pod.resourceVersion()
                    ? Future.succeededFuture(there)
                    : Future.failedFuture(conflict));
  }

  private Future<PodState> state(Call call, PodView pod, Buffer body) {
    try {
      PodState state = reader.read(Fields.of(pod.uid(), body));
      return Future.succeededFuture(state);
    } catch (ContractException e) {
      return Future.failedFuture(Failures.invalid(call.display(), e));
    }
  }

  /** Sends new content; a back end without this call keeps the first. */
  Future<Void> patch(String uid, List<VolumeContent> volumes) {
    return client.sendContent(path(uid).toString(), volumes);
  }

  /**
   * Ends a pod.
   *
   * @param graceSeconds 0 to kill and forget it
   */
  Future<Void> delete(String uid, long graceSeconds) {
    Paths path = path(uid).query("gracePeriodSeconds", String.valueOf(graceSeconds));
    return client.call(Call.delete("delete", path.toString())).mapEmpty();
  }
}
