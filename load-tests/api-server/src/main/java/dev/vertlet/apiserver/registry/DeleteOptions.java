package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * How to delete.
 *
 * @param gracePeriodSeconds asked for by the client, empty for the resource's own; negative means 1
 * @param uid the UID the object must have, empty for any
 * @param resourceVersion the resourceVersion the object must have, empty for any
 */
public record DeleteOptions(
    OptionalLong gracePeriodSeconds, String uid, String resourceVersion, boolean dryRun) {
  public static final DeleteOptions DEFAULT =
      new DeleteOptions(OptionalLong.empty(), "", "", false);

  /** Deletes without grace, as {@code kubectl delete --force --grace-period=0}. */
  public static final DeleteOptions NOW = new DeleteOptions(OptionalLong.of(0), "", "", false);

  private static final List<String> PROPAGATION = List.of("Foreground", "Background", "Orphan");

  public DeleteOptions {
    if (gracePeriodSeconds.isPresent() && gracePeriodSeconds.getAsLong() < 0) {
      gracePeriodSeconds = OptionalLong.of(1);
    }
  }

  /**
   * Reads the options from a body, or from the query when there is none.
   *
   * @param body the DeleteOptions sent, possibly empty
   * @param parameters the value of a query parameter, empty when absent
   */
  public static DeleteOptions of(ObjectNode body, Function<String, String> parameters) {
    String propagation =
        body.path("propagationPolicy").asText(parameters.apply("propagationPolicy"));
    if (!propagation.isEmpty() && !PROPAGATION.contains(propagation)) {
      Causes causes = new Causes();
      causes.unsupported(
          "propagationPolicy", propagation, "Foreground", "Background", "Orphan", "nil");
      causes.throwIfAny("meta.k8s.io", "DeleteOptions", "");
    }
    JsonNode preconditions = body.path("preconditions");
    boolean dryRun = !body.path("dryRun").isEmpty() || !parameters.apply("dryRun").isEmpty();
    return new DeleteOptions(
        grace(body, parameters.apply("gracePeriodSeconds")),
        Json.text(preconditions, "uid"),
        Json.text(preconditions, "resourceVersion"),
        dryRun);
  }

  private static OptionalLong grace(ObjectNode body, String parameter) {
    if (body.path("gracePeriodSeconds").isIntegralNumber()) {
      return OptionalLong.of(body.path("gracePeriodSeconds").asLong());
    } else if (parameter.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(parameter));
    } catch (NumberFormatException e) {
      throw ApiException.badRequest(
          String.format(Locale.ROOT, "gracePeriodSeconds must be a number, got \"%s\"", parameter));
    }
  }
}
