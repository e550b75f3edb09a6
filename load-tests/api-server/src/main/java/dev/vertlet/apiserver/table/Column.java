package dev.vertlet.apiserver.table;

/**
 * One column.
 *
 * @param type OpenAPI type of its cells
 * @param format OpenAPI format, {@code name} for the column that identifies the object
 * @param priority 0 for always, 1 for {@code -o wide} only
 */
public record Column(String name, String type, String format, int priority) {
  /** The column every table starts with. */
  static final Column NAME = new Column("Name", "string", "name", 0);

  static final Column AGE = text("Age");

  static Column text(String name) {
    return new Column(name, "string", "", 0);
  }

  /** A text column of {@code -o wide}. */
  static Column wide(String name) {
    return new Column(name, "string", "", 1);
  }

  /** A text column whose cells have an OpenAPI format. */
  static Column formatted(String name, String format) {
    return new Column(name, "string", format, 0);
  }

  static Column integer(String name) {
    return new Column(name, "integer", "", 0);
  }
}
