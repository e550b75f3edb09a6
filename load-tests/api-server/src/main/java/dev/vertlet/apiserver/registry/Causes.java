package dev.vertlet.apiserver.registry;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.ApiException.Cause;
import dev.vertlet.apiserver.api.ResourceType;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with an object, so that a client learns of all of it at once. */
public final class Causes {
  private final List<Cause> causes = new ArrayList<>();

  public void required(String field, String why) {
    String text = why.isEmpty() ? "Required value" : "Required value: " + why;
    causes.add(new Cause("FieldValueRequired", field, text));
  }

  /**
   * @param value the offending value as Go prints it, strings in quotes
   */
  public void invalid(String field, String value, String why) {
    causes.add(
        new Cause("FieldValueInvalid", field, "Invalid value: %s: %s".formatted(value, why)));
  }

  public void forbidden(String field, String why) {
    causes.add(new Cause("FieldValueForbidden", field, "Forbidden: " + why));
  }

  public void unsupported(String field, String value, String... supported) {
    notSupported(field, "\"" + value + "\"", supported);
  }

  /** As {@link #unsupported}, about the only item of a list. */
  public void unsupportedItem(String field, String item, String... supported) {
    notSupported(field, "[\"" + item + "\"]", supported);
  }

  private void notSupported(String field, String value, String... supported) {
    causes.add(
        new Cause(
            "FieldValueNotSupported",
            field,
            "Unsupported value: %s: supported values: \"%s\""
                .formatted(value, String.join("\", \"", supported))));
  }

  /** Throws {@code 422 Invalid} about the object when anything was collected. */
  public void throwIfAny(ResourceType type, String name) {
    throwIfAny(type.group(), type.kind(), name);
  }

  /** Throws {@code 422 Invalid} about something that is no resource, such as list options. */
  public void throwIfAny(String group, String kind, String name) {
    if (!causes.isEmpty()) {
      throw failure(group, kind, name);
    }
  }

  /** The {@code 422 Invalid} about what was collected. */
  public ApiException failure(String group, String kind, String name) {
    return ApiException.invalid(group, kind, name, causes);
  }
}
