package dev.vertlet.stages.template.value;

/** A struct of Go: its methods can be called, its fields not be seen; its text is toString's. */
public interface ObjectValue extends Methods {
  /** Go's name of the type, for example {@code time.Time}. */
  String typeName();
}
