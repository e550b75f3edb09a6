package dev.vertlet.harness.result.html;

import dev.vertlet.harness.result.Comparison;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Page that shows runs side by side. It contains all its parts, and its content security policy
 * forbids loading others.
 */
public final class HtmlReport {
  private static final String LIBRARY = "/META-INF/maven/org.webjars.npm/chart.js/pom.properties";
  private static final String LIBRARY_FILE =
      "/META-INF/resources/webjars/chart.js/%s/dist/chart.umd.js";

  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

  private HtmlReport() {}

  /** Renders the document. */
  public static String of(Comparison comparison) {
    return page(ReportData.of(comparison), "charts.js");
  }

  /**
   * Renders a page of the same form with other charts.
   *
   * @param data what the page's script reads: title, subjects, figures, tiles, thresholds,
   *     environments
   * @param charts script with the page's charts, a resource beside this class
   */
  public static String page(JsonObject data, String charts) {
    Map<String, String> parts =
        Map.of(
            "title", escaped(data.getString("title")),
            "style", text("report.css"),
            "library", library(),
            "draw", text("draw.js"),
            "plane", text("plane.js"),
            "plots", text("plots.js"),
            "charts", text(charts),
            "page", text("page.js"),
            "data", harmless(data));
    return PLACE
        .matcher(text("report.html"))
        .replaceAll(place -> Matcher.quoteReplacement(part(parts, place.group(1))));
  }

  private static String part(Map<String, String> parts, String name) {
    String part = parts.get(name);
    if (part == null) {
      throw new IllegalStateException("the page has a place for " + name + ", which nobody fills");
    }
    return part;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Escapes the data so that no name in it can end the surrounding script. */
  private static String harmless(JsonObject data) {
    return data.encode()
        .replace("&", "\\u0026")
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  /** The chart library without the name of its source map, which developer tools would load. */
  private static String library() {
    return text(LIBRARY_FILE.formatted(libraryVersion()))
        .replaceFirst("(?m)^//# sourceMappingURL=.*$", "");
  }

  private static String libraryVersion() {
    Properties properties = new Properties();
    try (InputStream in = open(LIBRARY)) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  private static String text(String name) {
    try (InputStream in = open(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String name) {
    InputStream in = HtmlReport.class.getResourceAsStream(name);
    if (in == null) {
      throw new IllegalStateException(name + " is not on the class path");
    }
    return in;
  }
}
