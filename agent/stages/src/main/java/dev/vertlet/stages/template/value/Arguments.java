package dev.vertlet.stages.template.value;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Arguments of one call, of the types that the {@link Signature} names. */
public final class Arguments {
  private final List<@Nullable Object> values;

  /** Takes the values as they are; the list is not copied. */
  public Arguments(List<@Nullable Object> values) {
    this.values = values;
  }

  /** Number of arguments, those of the variadic part included. */
  public int size() {
    return values.size();
  }

  /** The argument of any type. */
  public @Nullable Object any(int index) {
    return values.get(index);
  }

  /** The argument of type string. */
  public String string(int index) {
    return (String) values.get(index);
  }

  /** The argument of type int. */
  public long integer(int index) {
    return (Long) values.get(index);
  }

  /** The argument of type float64. */
  public double real(int index) {
    return (Double) values.get(index);
  }

  /** The argument of type bool. */
  public boolean bool(int index) {
    return (Boolean) values.get(index);
  }

  /** The argument of type map[string]interface {}; an empty map that cannot be changed for nil. */
  @SuppressWarnings("unchecked")
  public Map<String, @Nullable Object> map(int index) {
    Object map = values.get(index);
    return map == null ? Collections.emptyMap() : (Map<String, @Nullable Object>) map;
  }

  /** All arguments from an index on. */
  public List<@Nullable Object> from(int index) {
    return new ArrayList<>(values.subList(index, values.size()));
  }
}
