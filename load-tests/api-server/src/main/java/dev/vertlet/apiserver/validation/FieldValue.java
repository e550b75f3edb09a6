package dev.vertlet.apiserver.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value of an object under validation, absent ones included, which knows its path and where to
 * report. Paths are built only when something is reported.
 */
public final class FieldValue {
  private static final JsonNode ABSENT = MissingNode.getInstance();

  private final @Nullable FieldValue parent;
  private final String step;
  private final JsonNode json;
  private final Causes causes;

  private FieldValue(@Nullable FieldValue parent, String step, JsonNode json, Causes causes) {
    this.parent = parent;
    this.step = step;
    this.json = json;
    this.causes = causes;
  }

  /**
   * A whole object.
   *
   * @param causes takes what is reported about the object and all within
   */
  public static FieldValue of(ObjectNode object, Causes causes) {
    return new FieldValue(null, "", object, causes);
  }

  /** The value of a field. */
  FieldValue at(String field) {
    return new FieldValue(
        this, step.isEmpty() && parent == null ? field : "." + field, json.path(field), causes);
  }

  FieldValue at(String field, String... more) {
    FieldValue value = at(field);
    for (String next : more) {
      value = value.at(next);
    }
    return value;
  }

  /** Another value, which the real server reports at the path of this one. */
  FieldValue reporting(FieldValue other) {
    return new FieldValue(parent, step, other.json, causes);
  }

  /** The value at a key of a map, which paths show in brackets. */
  FieldValue key(String key) {
    return new FieldValue(this, "[" + key + "]", json.path(key), causes);
  }

  /** An item of a list, absent beyond its end. */
  FieldValue item(int index) {
    return new FieldValue(this, "[" + index + "]", json.path(index), causes);
  }

  /** The items of a list, none of what is no list. */
  List<FieldValue> items() {
    if (!json.isArray() || json.isEmpty()) {
      return List.of();
    }
    List<FieldValue> items = new ArrayList<>(json.size());
    for (int i = 0; i < json.size(); i++) {
      items.add(item(i));
    }
    return items;
  }

  /** The names of the fields, or the keys of a map. */
  List<String> keys() {
    return json.isObject() ? json.properties().stream().map(Map.Entry::getKey).toList() : List.of();
  }

  JsonNode json() {
    return json;
  }

  boolean isPresent() {
    return !json.isMissingNode() && !json.isNull();
  }

  /** Whether this is absent, an empty text, or something without fields or items. */
  boolean isEmpty() {
    return json.isTextual()
        ? json.textValue().isEmpty()
        : !isPresent() || json.isContainerNode() && json.isEmpty();
  }

  boolean isTrue() {
    return json.asBoolean(false);
  }

  /** Whether this is present and false. */
  boolean isFalse() {
    return json.isBoolean() && !json.booleanValue();
  }

  /** The text, empty when absent. */
  String text() {
    return json.asText("");
  }

  boolean is(String text) {
    return json.isTextual() && json.textValue().equals(text);
  }

  /** The number, 0 when absent. */
  long number() {
    return json.asLong(0);
  }

  String path() {
    StringBuilder path = new StringBuilder();
    append(path);
    return path.toString();
  }

  private void append(StringBuilder path) {
    if (parent != null) {
      parent.append(path);
    }
    path.append(step);
  }

  Causes causes() {
    return causes;
  }

  void required() {
    required("");
  }

  void required(String why) {
    causes.required(path(), why);
  }

  /** Reports an absent or empty value; returns whether it was one. */
  boolean requireAny() {
    boolean empty = isEmpty();
    if (empty) {
      required();
    }
    return empty;
  }

  void invalid(String why) {
    invalid(GoText.of(json), why);
  }

  /**
   * @param value what to show in the place of the value, as Go prints it
   */
  void invalid(String value, String why) {
    causes.invalid(path(), value, why);
  }

  void forbidden(String why) {
    causes.forbidden(path(), why);
  }

  /** Forbids a value that is there. */
  void forbidAny(String why) {
    if (isPresent()) {
      forbidden(why);
    }
  }

  void duplicate() {
    causes.duplicate(path(), GoText.of(json), "");
  }

  void notFound() {
    causes.notFound(path(), GoText.of(json), "");
  }

  void tooLong(int mostBytes) {
    causes.tooLong(path(), mostBytes);
  }

  /** Checks the text, an absent one too. */
  void check(Format format) {
    for (String problem : format.problems(text())) {
      invalid(GoText.quoted(text()), problem);
    }
  }

  /** Checks the text unless it is absent or empty. */
  void checkAny(Format format) {
    if (!isEmpty()) {
      check(format);
    }
  }

  /** Checks a text that must be there. */
  void requireFormat(Format format) {
    if (!requireAny()) {
      check(format);
    }
  }

  /** Checks that the text is one of a few, an absent one too. */
  void oneOf(String... supported) {
    String text = text();
    for (String each : supported) {
      if (each.equals(text)) {
        return;
      }
    }
    causes.unsupported(path(), text, supported);
  }

  /** Checks that the text is one of a few unless it is absent. */
  void anyOneOf(String... supported) {
    if (isPresent()) {
      oneOf(supported);
    }
  }

  /** Checks that a number that is there lies between two, both included. */
  void between(long least, long most) {
    if (isPresent() && (number() < least || number() > most)) {
      invalid("must be between %d and %d, inclusive".formatted(least, most));
    }
  }

  void notNegative() {
    if (number() < 0) {
      invalid("must be greater than or equal to 0");
    }
  }

  /** Checks a port's number, which must be there. */
  void portNumber() {
    if (number() < 1 || number() > 65535) {
      invalid(Long.toString(number()), "must be between 1 and 65535, inclusive");
    }
  }

  /** Checks a port's number or name. */
  void port() {
    if (json.isTextual()) {
      check(Format.PORT_NAME);
    } else {
      portNumber();
    }
  }

  /** Checks the mode of a file that is there. */
  void fileMode() {
    if (isPresent() && (number() < 0 || number() > 0777)) {
      invalid("must be a number between 0 and 0777 (octal), both inclusive");
    }
  }

  /** Checks an ID of a user or group that is there. */
  void id() {
    between(0, Integer.MAX_VALUE);
  }
}
