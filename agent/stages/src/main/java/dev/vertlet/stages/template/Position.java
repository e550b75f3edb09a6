package dev.vertlet.stages.template;

import dev.vertlet.stages.template.value.GoQuote;

/** Where a rendering is, for error messages. */
final class Position {
  private final Source source;
  private String template;
  private Node node;

  Position(Source source, Node node) {
    this.source = source;
    this.template = source.name();
    this.node = node;
  }

  /** The node that is evaluated now. */
  void at(Node current) {
    node = current;
  }

  Node node() {
    return node;
  }

  /** The template that runs now. */
  void template(String name) {
    template = name;
  }

  TemplateException error(String message) {
    int line = source.line(node.start());
    int column = source.byteInLine(node.start());
    String place = source.name() + ":" + line + ":" + column;
    return new TemplateException(
        source.name(),
        line,
        column + 1,
        "template: "
            + place
            + ": executing "
            + GoQuote.quote(template)
            + " at <"
            + node
            + ">: "
            + message);
  }
}
