package dev.vertlet.stages.template.value;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

/** A map from strings to strings; a missing key has the value "". */
public final class TypedMap extends AbstractMap<String, Object> {
  private final Map<String, Object> entries;

  /** A map of strings; the map is not copied. */
  public TypedMap(Map<String, Object> entries) {
    this.entries = entries;
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    return entries.entrySet();
  }
}
