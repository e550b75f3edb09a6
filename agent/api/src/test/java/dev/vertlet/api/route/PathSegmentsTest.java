package dev.vertlet.api.route;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathSegmentsTest {
  @Test
  void takesPathsApartAndDecodesThem() {
    assertThat(PathSegments.of("/")).isEmpty();
    assertThat(PathSegments.of("/pods")).containsExactly("pods");
    assertThat(PathSegments.of("/pods/")).containsExactly("pods");
    assertThat(PathSegments.of("/exec/a%2Db/c")).containsExactly("exec", "a-b", "c");
    assertThat(PathSegments.of("/logs/%C3%A4")).containsExactly("logs", "ä");
    assertThat(PathSegments.of("/logs/a%20b.log")).containsExactly("logs", "a b.log");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "pods",
        "//",
        "//pods",
        "/pods//",
        "/exec//pod/c",
        "/exec/./pod/c",
        "/exec/../pods",
        "/exec/%2e%2E/pods",
        "/exec/a%2Fb/c",
        "/exec/a%5Cb/c",
        "/exec/a\\b/c",
        "/exec/a%00/c",
        "/exec/%",
        "/exec/%2",
        "/exec/%zz",
        "/exec/%+1",
        "/exec/%C3",
        "http://node/pods"
      })
  void whatCouldMeanTwoThingsIsNoPath(String path) {
    assertThat(PathSegments.of(path)).isNull();
  }
}
