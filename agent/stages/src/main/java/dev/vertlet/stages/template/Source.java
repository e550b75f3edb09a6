package dev.vertlet.stages.template;

import dev.vertlet.stages.template.value.GoQuote;

/**
 * Text of a template.
 *
 * @param name that error messages show
 */
record Source(String name, String text) {
  /** Line of a character, from 1. */
  int line(int index) {
    return 1 + (int) text.substring(0, index).chars().filter(c -> c == '\n').count();
  }

  /** UTF-8 bytes before a character in its line. */
  int byteInLine(int index) {
    int start = text.lastIndexOf('\n', index - 1) + 1;
    return GoQuote.utf8Length(text.substring(start, index));
  }
}
