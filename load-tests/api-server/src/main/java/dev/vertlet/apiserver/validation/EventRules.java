package dev.vertlet.apiserver.validation;

import java.util.List;

/** Events, in their stored form, by the rules of the API that they come through. */
public final class EventRules {
  private static final int LONGEST = 128;
  private static final int LONGEST_NOTE = 1024;
  private static final List<String> FROZEN =
      List.of(
          "involvedObject",
          "reason",
          "message",
          "source",
          "firstTimestamp",
          "lastTimestamp",
          "count",
          "type",
          "eventTime",
          "action",
          "related");

  private static final String[] REFERENCE = {
    "Kind", "Namespace", "Name", "UID", "APIVersion", "ResourceVersion", "FieldPath"
  };

  private EventRules() {}

  /**
   * Checks an event as any API does.
   *
   * @param reporter the name of the field of the reporting controller in that API
   */
  public static void any(FieldValue event, String reporter) {
    FieldValue about = event.at("involvedObject", "namespace");
    String home = event.at("metadata", "namespace").text();
    boolean dated = event.at("eventTime").isPresent();
    boolean fits =
        about.isEmpty()
            ? home.equals("default") || (dated && home.equals("kube-system"))
            : dated || about.text().equals(home);
    if (!fits) {
      about.invalid(GoText.quoted(about.text()), "does not match event.namespace");
    }
    if (dated) {
      FieldValue controller = event.at(reporter).reporting(event.at("reportingComponent"));
      controller.requireAny();
      controller.check(Format.QUALIFIED_NAME);
      for (String field : List.of("reportingInstance", "action", "reason")) {
        event.at(field).requireAny();
        atMost(event.at(field), LONGEST);
      }
      atMost(event.at("message"), LONGEST_NOTE);
    }
  }

  private static void atMost(FieldValue text, int most) {
    if (MetadataRules.bytes(text.text()) > most) {
      text.invalid("\"\"", "can have at most %d characters".formatted(most));
    }
  }

  /** Checks an event that comes through {@code events.k8s.io}. */
  public static void created(FieldValue event) {
    series(event.at("series"));
    if (!event.at("eventTime").isPresent()) {
      event.at("eventTime").required();
    }
    String type = event.at("type").text();
    if (!type.equals("Normal") && !type.equals("Warning")) {
      event.at("type").invalid("\"\"", "has invalid value: " + type);
    }
    for (String field : List.of("firstTimestamp", "lastTimestamp", "count", "source")) {
      FieldValue old = event.at(field);
      boolean set = old.json().isContainerNode() ? !old.isEmpty() : old.isPresent() && !old.is("0");
      if (set && !(old.json().isNumber() && old.number() == 0)) {
        old.invalid("\"\"", "needs to be unset");
      }
    }
  }

  /** Checks a change of an event that comes through {@code events.k8s.io}: a series goes on. */
  public static void updated(FieldValue next, FieldValue current) {
    if (!next.at("series").json().equals(current.at("series").json())) {
      series(next.at("series"));
    }
    for (String field : FROZEN) {
      frozen(next.at(field), current.at(field));
    }
    frozen(
        next.at("reportingController").reporting(next.at("reportingComponent")),
        current.at("reportingComponent"));
    frozen(next.at("reportingInstance"), current.at("reportingInstance"));
  }

  private static void frozen(FieldValue next, FieldValue current) {
    if (!next.json().equals(current.json())) {
      String shown =
          next.json().isObject()
              ? GoText.struct(next.json(), REFERENCE).toString()
              : GoText.of(next.json());
      next.invalid(shown, "field is immutable");
    }
  }

  private static void series(FieldValue series) {
    if (!series.isPresent()) {
      return;
    }
    if (series.at("count").number() < 2) {
      series.at("count").invalid("\"\"", "should be at least 2");
    }
    if (!series.at("lastObservedTime").isPresent()) {
      series.at("lastObservedTime").required();
    }
  }
}
