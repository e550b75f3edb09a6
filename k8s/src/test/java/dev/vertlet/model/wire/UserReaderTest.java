package dev.vertlet.model.wire;

import static dev.vertlet.model.wire.Fixtures.JSON;
import static dev.vertlet.model.wire.Fixtures.PROTOBUF;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.status.StatusPatch;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** As whom containers run by their definitions, and what statuses tell of it. */
class UserReaderTest {
  private static final String STATUS =
      """
      {"metadata":{"name":"p","namespace":"ns","uid":"u","resourceVersion":"7"},
       "status":{"containerStatuses":[{"name":"c","image":"i","imageID":"",
         "user":{"linux":{"uid":1000,"gid":3000,"supplementalGroups":[3000,4000]}}}]}}
      """;

  private static ContainerUserView user(String contentType, String pod, String container) {
    String spec =
        "{'securityContext': {%s}, 'containers': [{'name': 'c', 'securityContext': {%s}}]}"
            .formatted(pod, container);
    return EncodedPods.withSpec(contentType, spec.replace('\'', '"'))
        .spec()
        .containers()
        .get(0)
        .user();
  }

  private static String text(ContainerUserView user) {
    return "%d %d %s".formatted(user.uid(), user.gid(), user.supplementalGroups());
  }

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          ^^                                        | ^^                     | 0 0 [0]
          'runAsUser': 1000                         | ^^                     | 1000 0 [0]
          'runAsUser': 1000, 'runAsGroup': 3000     | ^^                     | 1000 3000 [3000]
          'runAsUser': 1000, 'runAsGroup': 3000     | 'runAsUser': 5         | 5 3000 [3000]
          'runAsGroup': 3000                        | 'runAsGroup': 4        | 0 4 [4]
          'fsGroup': 2000                           | ^^                     | 0 0 [0, 2000]
          'supplementalGroups': [9, 8], 'fsGroup': 9 | 'runAsGroup': 8       | 0 8 [8, 9]
          'runAsNonRoot': true                      | ^^                     | 65532 65532 [65532]
          'runAsNonRoot': true                      | 'runAsNonRoot': false  | 0 0 [0]
          'runAsNonRoot': true, 'runAsUser': 7      | ^^                     | 7 0 [0]
          ^^                                        | 'runAsNonRoot': true   | 65532 65532 [65532]
          """)
  void aContainersOwnWordCountsBeforeItsPods(String pod, String container, String user) {
    assertThat(text(user(JSON, pod, container))).isEqualTo(user);
    assertThat(text(user(PROTOBUF, pod, container))).isEqualTo(user);
  }

  @Test
  void onlyTheContainerThatSaysSoRunsAsAnother() {
    PodSpecView spec =
        EncodedPods.withSpec(
                JSON,
                """
                {"initContainers":[{"name":"i","securityContext":{"runAsUser":1}}],
                 "containers":[{"name":"a"},{"securityContext":{"runAsUser":2},"name":"b"}],
                 "ephemeralContainers":[{"name":"e","securityContext":{"runAsUser":3}}]}
                """)
            .spec();

    assertThat(spec.initContainers()).extracting(c -> c.user().uid()).containsExactly(1L);
    assertThat(spec.containers()).extracting(c -> c.user().uid()).containsExactly(0L, 2L);
    assertThat(spec.ephemeralContainers()).extracting(c -> c.user().uid()).containsExactly(3L);
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void readsTheUserOfAContainerThatRuns(String contentType) {
    assertThat(EncodedPods.decode(contentType, STATUS).status().containerStatuses().get(0).user())
        .isEqualTo(new ContainerUserView(1000, 3000, List.of(3000L, 4000L)));
  }

  @Test
  void writesTheUserOfAContainer() {
    PodView pod = EncodedPods.decode(JSON, STATUS);

    assertThat(StatusPatch.encode(pod.ref(), PodStatusView.EMPTY, pod.status()).toString(UTF_8))
        .contains(
            "\"user\":{\"linux\":{\"uid\":1000,\"gid\":3000,"
                + "\"supplementalGroups\":[3000,4000]}}");
  }

  /** Servers before 1.33 keep none: nothing is written for it alone, and not again and again. */
  @Test
  void aStatusWithoutUsersIsAsGood() {
    PodStatusView wanted = EncodedPods.decode(JSON, STATUS).status();
    PodStatusView without =
        EncodedPods.decode(JSON, STATUS.replace("\"user\"", "\"unknown\"")).status();

    assertThat(StatusPatch.needed(without, wanted)).isFalse();
    assertThat(
            StatusPatch.needed(
                EncodedPods.decode(JSON, STATUS.replace("1000", "1001")).status(), wanted))
        .isTrue();
  }
}
