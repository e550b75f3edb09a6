package dev.vertlet.apiserver.validation;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.ApiException.Cause;
import dev.vertlet.apiserver.api.ResourceType;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with an object, so that a client learns of all of it at once. */
public final class Causes {
  private final List<Cause> causes = new ArrayList<>();

  /** How many there are. */
  int size() {
    return causes.size();
  }

  public void required(String field, String why) {
    add("FieldValueRequired", field, why.isEmpty() ? "Required value" : "Required value: " + why);
  }

  /**
   * @param value the offending value as Go prints it, strings in quotes
   */
  public void invalid(String field, String value, String why) {
    add("FieldValueInvalid", field, "Invalid value: %s: %s".formatted(value, why));
  }

  public void forbidden(String field, String why) {
    add("FieldValueForbidden", field, "Forbidden: " + why);
  }

  /**
   * @param value the value that is there twice, as Go prints it
   * @param why empty for no explanation
   */
  void duplicate(String field, String value, String why) {
    add("FieldValueDuplicate", field, "Duplicate value: " + value + explained(why));
  }

  /**
   * @param value the name of what does not exist, as Go prints it
   * @param why empty for no explanation
   */
  void notFound(String field, String value, String why) {
    add("FieldValueNotFound", field, "Not found: " + value + explained(why));
  }

  void tooLong(String field, int mostBytes) {
    add("FieldValueTooLong", field, "Too long: may not be more than %d bytes".formatted(mostBytes));
  }

  void tooMany(String field, int items, int most) {
    add(
        "FieldValueTooMany",
        field,
        "Too many: %d: must have at most %d items".formatted(items, most));
  }

  private static String explained(String why) {
    return why.isEmpty() ? "" : ": " + why;
  }

  public void unsupported(String field, String value, String... supported) {
    notSupported(field, "\"" + value + "\"", supported);
  }

  /** As {@link #unsupported}, about the only item of a list. */
  public void unsupportedItem(String field, String item, String... supported) {
    notSupported(field, "[\"" + item + "\"]", supported);
  }

  private void notSupported(String field, String value, String... supported) {
    add(
        "FieldValueNotSupported",
        field,
        "Unsupported value: %s: supported values: \"%s\""
            .formatted(value, String.join("\", \"", supported)));
  }

  private void add(String reason, String field, String message) {
    causes.add(new Cause(reason, field, message));
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

  /** Throws the code 500 with nothing but the texts: the real server's answer to some requests. */
  public void throwBareIfAny() {
    if (!causes.isEmpty()) {
      throw new ApiException(500, "", ApiException.text(causes));
    }
  }

  /** The {@code 422 Invalid} about what was collected. */
  public ApiException failure(String group, String kind, String name) {
    return ApiException.invalid(group, kind, name, causes);
  }
}
