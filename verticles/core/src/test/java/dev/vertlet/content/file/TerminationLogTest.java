package dev.vertlet.content.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files with the last words of containers. */
class TerminationLogTest {
  @TempDir private Path dir;

  @Test
  void eachInstanceHasAFileThatEverybodyCanWrite() throws Exception {
    TerminationLog log = new TerminationLog(dir.resolve("c"));

    Path first = log.create(0, 0xcafe);
    Path second = log.create(1, 0xbeef);

    assertThat(first).exists().hasFileName("0-0000cafe").isNotEqualTo(second);
    assertThat(FileModes.of(first)).isEqualTo(0666);
    Files.writeString(first, "out of cheese");
    assertThat(log.read(0)).isEqualTo("out of cheese");
    assertThat(log.read(1)).isEmpty();
    assertThat(log.read(7)).isEmpty();
  }

  @Test
  void theFilesOfTheLastTwoInstancesStay() throws Exception {
    TerminationLog log = new TerminationLog(dir.resolve("c"));
    for (int i = 0; i < 5; i++) {
      Path unused = log.create(i, i);
    }
    try (Stream<Path> all = Files.list(dir.resolve("c"))) {
      assertThat(all).hasSize(2);
    }
  }

  @Test
  void theLast4096BytesOfALongMessageAreRead() throws Exception {
    TerminationLog log = new TerminationLog(dir.resolve("c"));
    Files.writeString(log.create(0, 1), "a".repeat(5000) + "end");

    assertThat(log.read(0)).hasSize(4096).endsWith("aend");
  }

  /** A container could have its message read from anywhere. */
  @Test
  void aLinkIsNoMessage() throws Exception {
    Files.writeString(dir.resolve("secret"), "hush");
    TerminationLog log = new TerminationLog(dir.resolve("c"));
    Path file = log.create(0, 1);
    Files.delete(file);
    Files.createSymbolicLink(file, dir.resolve("secret"));

    assertThat(log.read(0)).isEmpty();
  }
}
