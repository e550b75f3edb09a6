package dev.vertlet.api.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of paths in docs/kubelet-server.md against what is served. */
class EndpointDocTest {
  private static final Path DOCUMENT = Path.of("..", "..", "docs", "kubelet-server.md");

  /** Paths, methods and subresources. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (`/[^|]*`) \\| ([A-Z, ]+) \\| ([^|]*) \\|");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private static List<String> codes(String cell) {
    return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
  }

  /** The longest path that begins it. */
  private static Endpoint endpoint(String path) {
    Endpoint longest = Endpoint.NOTHING;
    for (Endpoint each : Endpoint.values()) {
      boolean fits = (path + "/").startsWith("/" + each.path() + "/");
      if (fits && (longest == Endpoint.NOTHING || each.path().length() > longest.path().length())) {
        longest = each;
      }
    }
    return longest;
  }

  private static String line(Set<String> methods, List<String> subresources) {
    return new TreeSet<>(methods) + " " + subresources;
  }

  @Test
  void whatIsServedIsToldAndNothingElse() throws IOException {
    Map<Endpoint, String> served = new TreeMap<>();
    for (Endpoint each : EnumSet.complementOf(EnumSet.of(Endpoint.NOTHING))) {
      served.put(each, line(each.methods(), each.subresources()));
    }
    Map<Endpoint, String> told = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(DOCUMENT));
    while (row.find()) {
      Set<String> methods = Set.of(row.group(2).trim().split(", "));
      for (String path : codes(row.group(1))) {
        told.put(endpoint(path), line(methods, codes(row.group(3))));
      }
    }

    assertThat(told).isEqualTo(served);
  }
}
