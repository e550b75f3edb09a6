package dev.vertlet.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of paths in docs/page.md against where the agent's port is served. */
class AgentPathsDocTest {
  private static final Path MAIN = Path.of("src/main/java/dev/vertlet");

  /** Lines that say what is answered where. */
  private static final Pattern SERVED =
      Pattern.compile("(?m)^ *(?:case |router\\.get\\(|mount\\(router, )(\"/.*)$");

  private static final Pattern TOLD = Pattern.compile("(?m)^\\| (`/[^|]*) \\|");

  private static TreeSet<String> paths(Pattern lines, String quote, String text) {
    Pattern path = Pattern.compile(quote + "(/[a-z./]*)" + quote);
    TreeSet<String> paths = new TreeSet<>();
    lines
        .matcher(text)
        .results()
        .flatMap(line -> path.matcher(line.group(1)).results())
        .forEach(found -> paths.add(found.group(1)));
    return paths;
  }

  @Test
  void whatIsServedIsToldAndNothingElse() throws IOException {
    StringBuilder sources = new StringBuilder();
    for (String file :
        new String[] {"server/HealthServer", "page/PageVerticle", "page/PageFiles"}) {
      sources.append(Files.readString(MAIN.resolve(file + ".java")));
    }

    assertThat(paths(TOLD, "`", Files.readString(Path.of("../docs/page.md"))))
        .hasSize(12)
        .isEqualTo(paths(SERVED, "\"", sources.toString()));
  }
}
