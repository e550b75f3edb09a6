package dev.vertlet.apiserver.fault;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The rule book of scripted faults, for example {@code faults.on("patch",
 * "pods/status").times(3).conflict()}.
 *
 * <p>Test threads add rules while the server's event loop reads them: a copy-on-write list needs no
 * lock on the hot path. A rule is in force when the scripting call returns.
 */
public final class Faults {
  /** Stands for a 403 that names the verb and resource of the request it answers. */
  static final ApiException FORBIDDEN = new ApiException(403, "Forbidden", "forbidden");

  /** Stands for a 409 that names the object of the request it answers. */
  static final ApiException CONFLICT = new ApiException(409, "Conflict", "conflict");

  private final List<Fault> rules = new CopyOnWriteArrayList<>();
  private final LongSupplier revision;
  private final LongSupplier nanoTime;

  /**
   * @param revision the store's current revision, readable from any thread
   * @param nanoTime a monotonic clock
   */
  public Faults(LongSupplier revision, LongSupplier nanoTime) {
    this.revision = revision;
    this.nanoTime = nanoTime;
  }

  /**
   * Begins a rule for a verb on a resource.
   *
   * @param verb get, list, watch, create, update, patch, delete, deletecollection, or {@code *}
   * @param resource {@code pods}, {@code pods/status}, or {@code *} for every resource
   */
  public FaultScript on(String verb, String resource) {
    return on(
        request ->
            (verb.equals("*") || verb.equals(request.verb()))
                && (resource.equals("*") || request.is(request.verb(), resource)));
  }

  /** Begins a rule for whatever matches. */
  public FaultScript on(Predicate<ApiRequest> matching) {
    return new FaultScript(this, matching, Integer.MAX_VALUE, 0, Long.MAX_VALUE);
  }

  /** Lifts every fault. */
  public void clear() {
    rules.forEach(Fault::lift);
    rules.clear();
  }

  Fault add(FaultScript script, Action action) {
    Fault fault = new Fault(script, action, revision.getAsLong(), nanoTime);
    rules.removeIf(Fault::isSpent);
    rules.add(fault);
    return fault;
  }

  /**
   * The faults that strike this request: any delays, then at most one that replaces the service.
   */
  public List<Fault> strike(ApiRequest request) {
    if (rules.isEmpty()) {
      return List.of();
    }
    List<Fault> struck = new ArrayList<>();
    for (Fault rule : rules) {
      if (rule.action() instanceof Action.OnRequest && rule.strikes(request)) {
        struck.add(rule);
        if (!(rule.action() instanceof Action.Delay)) {
          break;
        }
      }
    }
    return struck;
  }

  /** The fault that strikes the next event of this watch, if any. */
  public Optional<Action.OnEvent> strikeEvent(ApiRequest watch) {
    for (Fault rule : rules) {
      if (rule.action() instanceof Action.OnEvent action && rule.strikes(watch)) {
        return Optional.of(action);
      }
    }
    return Optional.empty();
  }

  /** Whether a watch is to be mute now. */
  public boolean silences(ApiRequest watch) {
    for (Fault rule : rules) {
      if (rule.action() instanceof Action.Silence && rule.wouldStrike(watch)) {
        return true;
      }
    }
    return false;
  }

  /** The failure a scripted answer gives to this request. */
  public static ApiException answer(Action.Answer answer, ApiRequest request, String user) {
    if (answer.failure() == FORBIDDEN) {
      return forbidden(request, user);
    } else if (answer.failure() == CONFLICT) {
      ResourceType type =
          ResourceType.namespaced(
              request.group().isEmpty() ? "v1" : request.group() + "/v1", request.resource(), "");
      return ApiException.modified(type, request.name());
    }
    return answer.failure();
  }

  /** The refusal that a user without the right to use a resource gets. */
  public static ApiException forbidden(ApiRequest request, String user) {
    return forbidden(request, user, request.verb());
  }

  /**
   * @param verb what the user may not do, where it is not the request's own verb
   */
  public static ApiException forbidden(ApiRequest request, String user, String verb) {
    String scope =
        request.namespace().isEmpty()
            ? "at the cluster scope"
            : "in the namespace \"%s\"".formatted(request.namespace());
    String resource =
        request.subresource().isEmpty()
            ? request.resource()
            : request.resource() + "/" + request.subresource();
    String about = request.name().isEmpty() ? "" : " \"" + request.name() + "\"";
    String qualified =
        request.group().isEmpty() ? request.resource() : request.resource() + "." + request.group();
    return new ApiException(
        403,
        "Forbidden",
        "%s%s is forbidden: User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s"
            .formatted(qualified, about, user, verb, resource, request.group(), scope));
  }
}
