package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.regex.Pattern;

/** What labels may look like ({@code k8s.io/apimachinery/pkg/util/validation}). */
final class Labels {
  private static final int LONGEST_PART = 63;
  private static final int LONGEST_PREFIX = 253;

  private static final String NAME_REGEX = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
  private static final Pattern NAME = Pattern.compile(NAME_REGEX);
  private static final String VALUE_REGEX = "(" + NAME_REGEX + ")?";
  private static final Pattern VALUE = Pattern.compile(VALUE_REGEX);

  private static final String BAD_NAME =
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
          + " character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '"
          + NAME_REGEX
          + "')";
  private static final String BAD_VALUE =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and"
          + " end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for"
          + " validation is '"
          + VALUE_REGEX
          + "')";

  private Labels() {}

  static void validate(ObjectNode object, Causes causes) {
    Json.objectAt(object, "metadata", "labels")
        .ifPresent(
            labels ->
                labels
                    .properties()
                    .forEach(label -> validate(label.getKey(), label.getValue().asText(), causes)));
  }

  private static void validate(String key, String value, Causes causes) {
    int slash = key.indexOf('/');
    String name = key.substring(slash + 1);
    String quotedKey = '"' + key + '"';
    if (name.length() > LONGEST_PART || slash > LONGEST_PREFIX) {
      causes.invalid("metadata.labels", quotedKey, "name part must be no more than 63 bytes");
    } else if (!NAME.matcher(name).matches()) {
      causes.invalid("metadata.labels", quotedKey, BAD_NAME);
    }
    String quotedValue = '"' + value + '"';
    if (value.length() > LONGEST_PART) {
      causes.invalid("metadata.labels", quotedValue, "must be no more than 63 bytes");
    } else if (!VALUE.matcher(value).matches()) {
      causes.invalid("metadata.labels", quotedValue, BAD_VALUE);
    }
  }
}
