package dev.vertlet.stages.template.value;

import java.util.AbstractList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A slice whose elements are not {@code interface {}}, for example []string. */
public final class TypedList extends AbstractList<@Nullable Object> {
  private final String elementType;
  private final List<?> elements;

  /** A slice of a type, named as Go does; the list is not copied. */
  public TypedList(String elementType, List<?> elements) {
    this.elementType = elementType;
    this.elements = elements;
  }

  /** Name of the elements' type. */
  public String elementType() {
    return elementType;
  }

  @Override
  public @Nullable Object get(int index) {
    return elements.get(index);
  }

  @Override
  public int size() {
    return elements.size();
  }
}
