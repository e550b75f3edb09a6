package dev.vertlet.apiserver.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.validation.Causes;
import dev.vertlet.apiserver.validation.DataRules;
import dev.vertlet.apiserver.validation.FieldValue;

/** ConfigMaps. */
final class ConfigMapStrategy implements Strategy {
  @Override
  public void validate(ObjectNode map, Causes causes) {
    DataRules.configMap(FieldValue.of(map, causes));
  }

  @Override
  public void validateUpdate(Part part, ObjectNode next, ObjectNode current, Causes causes) {
    FieldValue after = FieldValue.of(next, causes);
    DataRules.frozen(after, FieldValue.of(current, causes), "data", "binaryData");
    DataRules.configMap(after);
  }
}
