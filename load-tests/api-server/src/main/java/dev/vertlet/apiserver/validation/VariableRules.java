package dev.vertlet.apiserver.validation;

import java.util.List;

/** Environment variables of a container. */
final class VariableRules {
  private static final List<String> SOURCES =
      List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");

  private VariableRules() {}

  static void each(FieldValue variables) {
    for (FieldValue variable : variables.items()) {
      variable.at("name").requireFormat(Format.VARIABLE);
      if (variable.at("valueFrom").isPresent()) {
        source(variable.at("valueFrom"), !variable.at("value").isEmpty());
      }
    }
  }

  private static void source(FieldValue source, boolean hasValue) {
    if (source.at("fieldRef").isPresent()) {
      DownwardRules.variable(source.at("fieldRef"));
    }
    if (source.at("resourceFieldRef").isPresent()) {
      DownwardRules.resource(source.at("resourceFieldRef"), false);
    }
    for (String keyed : List.of("configMapKeyRef", "secretKeyRef")) {
      FieldValue selector = source.at(keyed);
      if (selector.isPresent()) {
        selector.at("name").check(Format.DNS_SUBDOMAIN);
        selector.at("key").requireFormat(Format.DATA_KEY);
      }
    }
    FieldValue file = source.at("fileKeyRef");
    if (file.isPresent()) {
      file.at("key").requireFormat(Format.VARIABLE);
      file.at("volumeName").requireFormat(Format.DNS_LABEL);
      file.at("path").requireFormat(Format.STRAIGHT_PATH);
    }
    long sources = SOURCES.stream().filter(each -> source.at(each).isPresent()).count();
    if (sources == 0) {
      source.invalid(
          "\"\"",
          "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef`"
              + " or `fileKeyRef`");
    } else if (hasValue) {
      source.invalid("\"\"", "may not be specified when `value` is not empty");
    } else if (sources > 1) {
      source.invalid("\"\"", "may not have more than one field specified at a time");
    }
  }

  /** Variables from all keys of something. */
  static void fromAll(FieldValue sources) {
    for (FieldValue source : sources.items()) {
      source.at("prefix").checkAny(Format.VARIABLE);
      int found = 0;
      for (String reference : List.of("configMapRef", "secretRef")) {
        if (source.at(reference).isPresent()) {
          found++;
          source.at(reference).at("name").requireFormat(Format.DNS_SUBDOMAIN.asBeginning());
        }
      }
      if (found == 0) {
        sources.invalid("\"\"", "must specify one of: `configMapRef` or `secretRef`");
      } else if (found > 1) {
        sources.invalid("\"\"", "may not have more than one field specified at a time");
      }
    }
  }
}
