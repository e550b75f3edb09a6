package dev.vertlet.api.route;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Serves {@code /healthz} and its checks {@code ping}, {@code log} and {@code syncloop}. */
public final class HealthRoutes {
  private final Supplier<List<String>> overdue;

  /**
   * @param overdue names of the blocked event loops
   */
  public HealthRoutes(Supplier<List<String>> overdue) {
    this.overdue = overdue;
  }

  /**
   * Runs the checks.
   *
   * @param rest empty for all checks, else the name of one
   */
  public Future<Void> answer(HttpServerRequest request, List<String> rest) {
    return switch (rest.isEmpty() ? "" : rest.get(0)) {
      case "" -> all(request);
      // a process that responds also writes its log
      case "ping", "log" -> text(request, 200, "ok");
      case "syncloop" -> syncLoop(request);
      default -> text(request, 404, "404 page not found\n");
    };
  }

  private Future<Void> syncLoop(HttpServerRequest request) {
    List<String> late = overdue.get();
    return late.isEmpty()
        ? text(request, 200, "ok")
        : text(
            request,
            500,
            "internal server error: sync Loop took longer than expected: "
                + String.join(", ", late)
                + "\n");
  }

  private Future<Void> all(HttpServerRequest request) {
    List<String> excluded = request.params().getAll("exclude");
    boolean failed = !excluded.contains("syncloop") && !overdue.get().isEmpty();
    if (!failed && request.getParam("verbose") == null) {
      return text(request, 200, "ok");
    }
    List<String> lines = new ArrayList<>();
    for (String check : List.of("ping", "log", "syncloop")) {
      boolean bad = failed && check.equals("syncloop");
      String outcome = excluded.contains(check) ? " excluded: ok" : " ok";
      lines.add(bad ? "[-]syncloop failed: reason withheld" : "[+]" + check + outcome);
    }
    lines.add("healthz check " + (failed ? "failed" : "passed"));
    return text(request, failed ? 500 : 200, String.join("\n", lines) + "\n");
  }

  private static Future<Void> text(HttpServerRequest request, int status, String text) {
    return ApiCall.answer(request, status, ApiCall.TEXT, Buffer.buffer(text));
  }
}
