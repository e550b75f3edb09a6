package dev.vertlet.nodeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import dev.vertlet.kubelet.PodTimes;
import dev.vertlet.model.GoDuration;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code validate} passes, the parts of an agent take. */
class FeatureOptionsTest {
  private static VertletConfig pods(String key, Duration value) {
    JsonObject pods = new JsonObject().put(key, GoDuration.format(value));
    return load(new JsonObject().put("pods", pods).encode());
  }

  private static VertletConfig load(String json) {
    return new ConfigLoader(new Environment(Map.of(), Host.detect()))
        .parse("test", json, List.of())
        .config();
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

    PodTimes times = new FeatureOptions(load(json.encode())).pods();

    assertThat(times.firstContainerBackOff()).isEqualTo(GoDuration.parse(first));
    assertThat(times.maxContainerBackOff()).isEqualTo(GoDuration.parse(longest));
  }

  @ParameterizedTest
  @CsvSource({
    "syncFrequency, 1s, 24h",
    "maxContainerBackOff, 1s, 5m",
    "fileCheckFrequency, 1s, 24h",
    "httpCheckFrequency, 1s, 24h"
  })
  void whatTheSchemaAllowsOfPodsIsTakenAndNoMore(String key, String least, String most) {
    Duration first = GoDuration.parse(least);
    Duration last = GoDuration.parse(most);
    for (Duration value : List.of(first, last)) {
      VertletConfig config = pods(key, value);
      FeatureOptions options = new FeatureOptions(config);

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
    for (Duration value : List.of(first.minusMillis(1), last.plusMillis(1))) {
      assertThatThrownBy(() -> pods(key, value))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("/pods/" + key);
    }
  }

  @Test
  void theAuditLogTellsAgentsOfOneServiceAccountApart() {
    VertletConfig config =
        load("{\"nodes\": [{\"name\": \"n\"}], \"agent\": {\"identity\": \"rep-a\"}}");

    assertThat(new FeatureOptions(config).client().userAgent()).matches("vertlet/\\S+ \\(rep-a\\)");
  }
}
