package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ThirdPartyIT {
  /** What is missing is written by {@code .ci/third-party --write}. */
  @Test
  void everyLibraryIsListedWithItsLicence() throws IOException {
    Set<String> listed;
    try (Stream<String> lines = Files.lines(Path.of("../../THIRD-PARTY.md"))) {
      listed =
          lines
              .filter(line -> line.startsWith("| `"))
              .map(ThirdPartyIT::jar)
              .collect(Collectors.toSet());
    }
    List<String> used;
    try (Stream<Path> files = Files.list(Path.of("target/lib"))) {
      used =
          files
              .map(file -> file.getFileName().toString())
              // ./vertlet puts its class-data archive beside the jars
              .filter(name -> name.endsWith(".jar") && !name.startsWith("vertlet-"))
              .toList();
    }

    assertThat(used).isNotEmpty().allMatch(name -> listed.stream().anyMatch(name::startsWith));
  }

  /** Such as {@code jackson-core-2.21.6}, before a classifier. */
  private static String jar(String row) {
    String[] cells = row.split(" *\\| *");
    return cells[1].replaceAll("`|.*:", "") + "-" + cells[2];
  }
}
