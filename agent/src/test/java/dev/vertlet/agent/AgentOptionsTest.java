package dev.vertlet.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.config.ConfigException;
import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.Environment;
import dev.vertlet.config.Host;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.lifecycle.PodTimes;
import dev.vertlet.model.GoDuration;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code validate} passes, the parts of an agent take. */
class AgentOptionsTest {
  /** How descriptions in the schema end. */
  private static final Pattern RANGE = Pattern.compile("; (\\S+) to (\\S+)\\.$");

  private record Range(String key, Duration least, Duration most) {}

  private static VertletConfig pods(String key, Duration value) {
    JsonObject pods = new JsonObject().put(key, GoDuration.format(value));
    return load(new JsonObject().put("pods", pods).encode());
  }

  private static VertletConfig load(String json) {
    return new ConfigLoader(new Environment(Map.of(), Host.detect()))
        .parse("test", json, List.of())
        .config();
  }

  /** The durations of the section pods with what the schema says of them. */
  static List<Range> ranges() throws IOException {
    try (InputStream in = ConfigLoader.class.getResourceAsStream("/vertlet.schema.json")) {
      JsonObject keys =
          Buffer.buffer(Objects.requireNonNull(in).readAllBytes())
              .toJsonObject()
              .getJsonObject("properties")
              .getJsonObject("pods")
              .getJsonObject("properties");
      return keys.fieldNames().stream()
          .filter(key -> "#/$defs/duration".equals(keys.getJsonObject(key).getString("$ref")))
          .map(key -> range(key, keys.getJsonObject(key).getString("description")))
          .toList();
    }
  }

  private static Range range(String key, String description) {
    Matcher range = RANGE.matcher(description);
    assertThat(range.find()).as("%s has a range: %s", key, description).isTrue();
    return new Range(key, GoDuration.parse(range.group(1)), GoDuration.parse(range.group(2)));
  }

  /** As a kubelet's newCrashLoopBackOff. */
  @ParameterizedTest
  @CsvSource({
    "false, true, 5m, 10s, 5m",
    "false, true, 20s, 10s, 20s",
    "false, false, 20s, 10s, 5m",
    "true, true, , 1s, 1m",
    "true, true, 20s, 1s, 20s",
    "true, false, 20s, 1s, 1m"
  })
  void gatesSayHowLongWhatCrashesWaits(
      boolean reduced, boolean configurable, @Nullable String max, String first, String longest) {
    JsonObject pods = new JsonObject();
    if (max != null) {
      pods.put("maxContainerBackOff", max);
    }
    JsonObject json =
        new JsonObject()
            .put("pods", pods)
            .put(
                "featureGates",
                new JsonObject()
                    .put("ReduceDefaultCrashLoopBackOffDecay", reduced)
                    .put("KubeletCrashLoopBackOffMax", configurable));

    PodTimes times = new AgentOptions(load(json.encode())).pods();

    assertThat(times.firstContainerBackOff()).isEqualTo(GoDuration.parse(first));
    assertThat(times.maxContainerBackOff()).isEqualTo(GoDuration.parse(longest));
  }

  @Test
  void everyKeyOfPodsHasARange() throws IOException {
    assertThat(ranges())
        .extracting(Range::key)
        .contains("syncFrequency", "maxContainerBackOff")
        .hasSizeGreaterThanOrEqualTo(4);
  }

  @ParameterizedTest
  @MethodSource("ranges")
  void whatTheSchemaAllowsOfPodsIsTaken(Range range) {
    for (Duration value : List.of(range.least, range.most)) {
      VertletConfig config = pods(range.key, value);
      AgentOptions options = new AgentOptions(config);

      assertThat(options.pods().syncFrequency()).isEqualTo(config.pods().syncFrequency());
      assertThat(options.pods().maxContainerBackOff())
          .isEqualTo(config.pods().maxContainerBackOff());
      assertThat(options.sources().fileCheckFrequency())
          .isEqualTo(config.pods().fileCheckFrequency());
      assertThat(options.sources().httpCheckFrequency())
          .isEqualTo(config.pods().httpCheckFrequency());
      assertThat(options.syncLoopLimit())
          .isGreaterThanOrEqualTo(config.pods().syncFrequency().multipliedBy(2));
    }
  }

  @ParameterizedTest
  @MethodSource("ranges")
  void whatIsBeyondTheSchemaIsRefusedBeforeThat(Range range) {
    Stream.of(range.least.minusMillis(1), range.most.plusMillis(1))
        .forEach(
            value ->
                assertThatThrownBy(() -> pods(range.key, value))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("/pods/" + range.key));
  }

  @Test
  void theAuditLogTellsAgentsOfOneServiceAccountApart() {
    VertletConfig config =
        load("{\"nodes\": [{\"name\": \"n\"}], \"agent\": {\"identity\": \"rep-a\"}}");

    assertThat(new AgentOptions(config).client().userAgent()).matches("vertlet/\\S+ \\(rep-a\\)");
  }
}
