package dev.vertlet.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationDocTest {
  private static final Path FILE = Path.of("..", "..", "docs", "configuration.md");

  @Test
  void theDocumentSaysWhatTheSchemaSays() throws IOException {
    String written = ConfigurationDoc.write();
    if (Boolean.getBoolean("vertlet.docs.write")) {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, written);
    }

    assertThat(FILE)
        .as("write it anew with -Dvertlet.docs.write=true; the document says how")
        .hasContent(written);
  }
}
