package dev.vertlet.harness.replay.plan;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The priority classes that pods name, which a trace does not have. */
public final class PriorityClasses {
  private static final String FIELD = "priorityClassName";

  private PriorityClasses() {}

  static Set<String> of(List<Step> steps) {
    Set<String> names = new TreeSet<>();
    for (Step step : steps) {
      JsonObject object = object(step);
      if (object != null) {
        walk(
            object,
            name -> {
              names.add(name);
              return false;
            });
      }
    }
    return names;
  }

  /** Removes the classes that a cluster does not have, whose pods it would refuse. */
  public static void remove(ReplayPlan plan, Set<String> missing) {
    plan.changes()
        .forEach(
            step -> {
              JsonObject object = object(step);
              if (object != null) {
                walk(object, missing::contains);
              }
            });
  }

  private static @Nullable JsonObject object(Step step) {
    if (step instanceof Step.Create create) {
      return create.object();
    }
    return step instanceof Step.Change change ? change.patch() : null;
  }

  /** Calls {@code removed} with each name, and removes the field where it answers true. */
  private static void walk(Object value, Predicate<String> removed) {
    if (value instanceof JsonArray array) {
      array.forEach(element -> walk(element, removed));
    } else if (value instanceof JsonObject object) {
      if (object.getValue(FIELD) instanceof String name && removed.test(name)) {
        object.remove(FIELD);
        object.remove("priority");
      }
      object.forEach(
          field -> {
            if (field.getValue() != null) {
              walk(field.getValue(), removed);
            }
          });
    }
  }
}
