package dev.vertlet.apiserver.registry;

import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.selector.FieldSelector;
import dev.vertlet.apiserver.store.StoredObject;

/**
 * A resource the server serves.
 *
 * @param type how clients address it
 * @param storage where its objects are kept; two API groups may share one place, as both Event APIs
 *     do
 * @param strategy its rules
 * @param conversion between the stored form and the form of this API version
 */
public record Resource(
    ResourceType type, String storage, Strategy strategy, Conversion conversion) {

  /** A resource stored in its own form. */
  public static Resource of(ResourceType type, Strategy strategy) {
    return new Resource(type, type.qualifiedResource(), strategy, Conversion.NONE);
  }

  /** Parses a field selector; an unknown label answers as the real server does. */
  FieldSelector fieldSelector(String text) {
    return FieldSelector.parse(text, this::knows, this::unknown);
  }

  private boolean knows(String label) {
    return label.equals("metadata.name")
        || (label.equals("metadata.namespace") && type.namespaced())
        || strategy.fieldLabels().contains(label);
  }

  private ApiException unknown(String label) {
    return strategy.unknownFieldLabel(type, label);
  }

  /** The value a field selector compares with. */
  String field(StoredObject object, String label) {
    if (label.equals("metadata.name")) {
      return object.name();
    } else if (label.equals("metadata.namespace")) {
      return object.namespace();
    }
    return strategy.field(object.json(), label);
  }
}
