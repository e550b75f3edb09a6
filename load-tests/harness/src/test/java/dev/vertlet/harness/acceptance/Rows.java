package dev.vertlet.harness.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** The list of rows: {@code acceptance.txt}. */
final class Rows {
  private static final String FILE = "/acceptance.txt";

  private Rows() {}

  /** All rows, in the list's order. */
  static List<Row> read() throws IOException {
    try (InputStream in = Rows.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IOException("no " + FILE + " on the class path");
      }
      return parse(new String(in.readAllBytes(), UTF_8));
    }
  }

  static List<Row> parse(String text) {
    List<Row> rows = new ArrayList<>();
    String section = "";
    for (String line : text.lines().toList()) {
      if (line.startsWith("= ")) {
        section = line.substring(2);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        String[] parts = line.split(" ", 2);
        if (parts.length < 2 || section.isEmpty()) {
          throw new IllegalArgumentException(
              "\"" + line + "\": must be an id and what holds, under a heading");
        }
        rows.add(new Row(section, parts[0], parts[1]));
      }
    }
    return rows;
  }
}
