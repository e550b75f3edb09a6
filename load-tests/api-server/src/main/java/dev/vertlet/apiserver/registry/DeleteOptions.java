package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.QueryFlag;
import dev.vertlet.apiserver.validation.Causes;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * How to delete.
 *
 * @param propagation what becomes of dependents
 * @param gracePeriodSeconds asked for by the client, empty for the resource's own; negative means 1
 * @param uid the UID the object must have, empty for any
 * @param resourceVersion the resourceVersion the object must have, empty for any
 */
public record DeleteOptions(
    OptionalLong gracePeriodSeconds,
    String uid,
    String resourceVersion,
    boolean dryRun,
    Propagation propagation) {
  /** What becomes of the objects that name the deleted one as their owner. */
  public enum Propagation {
    /** What the object's finalizers say, else {@link #BACKGROUND}. */
    DEFAULT,
    /** They are deleted afterwards. */
    BACKGROUND,
    /** They are deleted first. */
    FOREGROUND,
    /** They stay and lose their owner. */
    ORPHAN
  }

  public static final DeleteOptions DEFAULT =
      new DeleteOptions(OptionalLong.empty(), "", "", false);

  /** Deletes without grace, as {@code kubectl delete --force --grace-period=0}. */
  public static final DeleteOptions NOW = DEFAULT.withGrace(OptionalLong.of(0));

  private static final List<String> PROPAGATION = List.of("Foreground", "Background", "Orphan");

  /** Options that say nothing about dependents. */
  public DeleteOptions(
      OptionalLong gracePeriodSeconds, String uid, String resourceVersion, boolean dryRun) {
    this(gracePeriodSeconds, uid, resourceVersion, dryRun, Propagation.DEFAULT);
  }

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
    JsonNode orphan = body.path("orphanDependents");
    String orphanParameter = parameters.apply("orphanDependents");
    if (orphan.isMissingNode() && !orphanParameter.isEmpty()) {
      orphan = BooleanNode.valueOf(QueryFlag.isTrue(orphanParameter));
    }
    if (!propagation.isEmpty() && orphan.isBoolean()) {
      Causes causes = new Causes();
      causes.invalid(
          "propagationPolicy",
          '"' + propagation + '"',
          "orphanDependents and deletionPropagation cannot be both set");
      causes.throwIfAny("meta.k8s.io", "DeleteOptions", "");
    }
    JsonNode preconditions = body.path("preconditions");
    String asked = body.at("/dryRun/0").asText(parameters.apply("dryRun"));
    return new DeleteOptions(
        grace(body, parameters.apply("gracePeriodSeconds")),
        Json.text(preconditions, "uid"),
        Json.text(preconditions, "resourceVersion"),
        DryRun.isAsked("DeleteOptions", asked),
        propagation(propagation, orphan));
  }

  /**
   * @param orphan the older way to say it, which counts when the newer one is absent
   */
  private static Propagation propagation(String policy, JsonNode orphan) {
    if (!policy.isEmpty()) {
      return Propagation.valueOf(policy.toUpperCase(Locale.ROOT));
    } else if (orphan.isBoolean()) {
      return orphan.asBoolean() ? Propagation.ORPHAN : Propagation.BACKGROUND;
    }
    return Propagation.DEFAULT;
  }

  /** The same options with another grace period. */
  public DeleteOptions withGrace(OptionalLong seconds) {
    return new DeleteOptions(seconds, uid, resourceVersion, dryRun, propagation);
  }

  /** The same options with a resourceVersion the object must have. */
  public DeleteOptions withResourceVersion(String version) {
    return new DeleteOptions(gracePeriodSeconds, uid, version, dryRun, propagation);
  }

  /** The same options with another fate of dependents. */
  public DeleteOptions withPropagation(Propagation other) {
    return new DeleteOptions(gracePeriodSeconds, uid, resourceVersion, dryRun, other);
  }

  /** The same options without any effect. */
  public DeleteOptions asDryRun() {
    return new DeleteOptions(gracePeriodSeconds, uid, resourceVersion, true, propagation);
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
