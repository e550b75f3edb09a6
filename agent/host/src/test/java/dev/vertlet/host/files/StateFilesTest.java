package dev.vertlet.host.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Waits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFilesTest {
  @TempDir private Path dir;

  /** An agent that stops may still write the end that its successor finds, too. */
  @Test
  void writersOfOneFileDoNotDisturbEachOther() throws Exception {
    Path file = dir.resolve("exit");
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> writers = new ArrayList<>();
    for (int writer = 0; writer < 4; writer++) {
      String text = "writer " + writer;
      writers.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 200; i++) {
                  StateFiles.write(file, text);
                }
                return null;
              }));
    }
    for (Future<?> writer : writers) {
      Object unused = Waits.get(writer);
    }
    threads.shutdown();

    assertThat(Files.readString(file)).matches("writer [0-3]");
    try (Stream<Path> left = Files.list(dir)) {
      assertThat(left).containsExactly(file);
    }
  }
}
