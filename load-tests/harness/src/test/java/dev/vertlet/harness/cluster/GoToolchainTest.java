package dev.vertlet.harness.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoToolchainTest {

  @ParameterizedTest
  @CsvSource({
    "go version go1.26.8 linux/amd64, true",
    "go version go1.26rc1 linux/amd64, true",
    "go version go1.30 darwin/arm64, true",
    "go version go2.0.1 linux/amd64, true",
    "go version devel go1.27-4c9a1b2 Mon Jan 5 linux/amd64, true",
    "go version go1.25.9 linux/amd64, false",
    "go version go1.9 linux/amd64, false",
    "go: command failed, false",
    "'', false",
  })
  void takesGo126AndNewer(String version, boolean recent) {
    assertThat(GoToolchain.isRecent(version)).isEqualTo(recent);
  }

  @ParameterizedTest
  @CsvSource({"''", "/nowhere", ":"})
  void findsNothingOnAPathWithoutGo(String path) {
    assertThat(GoToolchain.locate(Map.of("PATH", path))).isEmpty();
  }
}
