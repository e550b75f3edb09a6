package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.GoFormat;
import dev.vertlet.stages.template.value.GoQuote;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code html}, {@code js} and {@code urlquery}. */
final class Escapes {
  private Escapes() {}

  static Map<String, Function> all() {
    return Map.of(
        "html", Function.of("...any", a -> html(text(a))),
        "js", Function.of("...any", a -> javascript(text(a))),
        "urlquery", Function.of("...any", a -> query(text(a))));
  }

  private static String text(Arguments arguments) {
    List<@Nullable Object> values = arguments.from(0);
    values.replaceAll(value -> value == null ? "<no value>" : value);
    return GoFormat.print(values);
  }

  private static String html(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case 0 -> out.append('\ufffd');
        case '"' -> out.append("&#34;");
        case '\'' -> out.append("&#39;");
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  private static String javascript(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (c == '\\' || c == '\'' || c == '"') {
                out.append('\\').append((char) c);
              } else if (c < ' ' || "<>&=".indexOf(c) >= 0 || c > 0x7f && !GoQuote.isPrint(c)) {
                out.append(String.format(Locale.ROOT, "\\u%04X", c));
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.toString();
  }

  private static String query(String text) {
    // Java leaves the star and escapes the tilde, Go the other way round
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("*", "%2A").replace("%7E", "~");
  }
}
