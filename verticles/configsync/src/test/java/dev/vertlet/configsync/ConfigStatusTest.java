package dev.vertlet.configsync;

import static dev.vertlet.configsync.Sources.resolved;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.configsync.ConfigFacts.Overlay;
import dev.vertlet.configsync.source.Channel;
import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.problem.IgnoredField;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigStatusTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final ResolvedSource C1 = resolved("c1", 1);
  private static final ResolvedSource C2 = resolved("c2", 1);

  @Test
  @Tag("A01")
  void nothingIsAnEmptyObject() {
    assertThat(ConfigFacts.LOCAL.status().json()).hasToString("{}");
  }

  @Test
  void aStatusHasTheFieldsOfTheApi() {
    ConfigFacts facts = new ConfigFacts(C1, null, C2, ConfigError.LOAD, null);

    assertThat(facts.status().json())
        .hasToString(
            "{\"assigned\":{\"configMap\":{\"namespace\":\"kube-system\",\"name\":\"c1\","
                + "\"uid\":\"uid-of-c1\",\"resourceVersion\":\"1\",\"kubeletConfigKey\":\"kubelet\"}},"
                + "\"lastKnownGood\":{\"configMap\":{\"namespace\":\"kube-system\",\"name\":\"c2\","
                + "\"uid\":\"uid-of-c2\",\"resourceVersion\":\"1\",\"kubeletConfigKey\":\"kubelet\"}},\"error\":\"failed"
                + " to load config, see Kubelet log for details\"}");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "LOAD, `failed to load config, see Kubelet log for details`",
        "VALIDATE, `failed to validate config, see Kubelet log for details`",
        "INTERNAL, `internal failure, see Kubelet log for details`",
        "ALL_NIL, `invalid NodeConfigSource, exactly one subfield must be non-nil, but all were"
            + " nil`",
        "DOWNLOAD, `failed to sync: failed to download config, see Kubelet log for details`",
        "SYNC_INTERNAL, `failed to sync: internal failure, see Kubelet log for details`",
      })
  void errorsReadAsThoseOfKubelets(ConfigError error, String text) {
    assertThat(error.text()).isEqualTo(text);
  }

  @Test
  void anOverlayHidesTheBaseErrorWhileItLasts() {
    ConfigFacts facts =
        ConfigFacts.LOCAL
            .withAssigned(C1)
            .withBase(ConfigError.LOAD)
            .withOverlay(new Overlay(ConfigError.DOWNLOAD, "", false));

    assertThat(facts.error()).isEqualTo(ConfigError.DOWNLOAD.text());
    assertThat(facts.withOverlay(null).error()).isEqualTo(ConfigError.LOAD.text());
    assertThat(facts.withOverlay(null).withBase(null).error()).isEmpty();
  }

  @Test
  void theConditionSaysWhatRunsAndWhatIsWrong() {
    ConfigFacts good = new ConfigFacts(C1, C1, C1, null, null);
    ConfigFacts rolled = new ConfigFacts(C2, C1, C1, ConfigError.VALIDATE, null);
    Overlay download = new Overlay(ConfigError.DOWNLOAD, "", false);
    Overlay invalid = new Overlay(ConfigError.DOWNLOAD, "metadata.x: Invalid", false);
    String path = "/api/v1/namespaces/kube-system/configmaps/c1";

    assertThat(ConfigOk.NOT_EVALUATED)
        .isEqualTo(new ConfigOk("Unknown", "NotEvaluated", "unknown - message not provided"));
    assertThat(ConfigOk.of(ConfigFacts.LOCAL))
        .isEqualTo(new ConfigOk("True", "LocalConfig", "using current: local"));
    assertThat(ConfigOk.of(good))
        .isEqualTo(new ConfigOk("True", "RemoteConfig", "using current: " + path));
    assertThat(ConfigOk.of(rolled))
        .isEqualTo(
            new ConfigOk(
                "False",
                "RolledBack",
                "using last-known-good: " + path + "; " + ConfigError.VALIDATE.text()));
    assertThat(ConfigOk.of(rolled.withActive(null).withLastKnownGood(null)).message())
        .startsWith("using last-known-good: local; ");
    assertThat(ConfigOk.of(good.withOverlay(download)))
        .isEqualTo(
            new ConfigOk(
                "False",
                "SyncFailed",
                "using current: " + path + "; " + ConfigError.DOWNLOAD.text()));
    assertThat(ConfigOk.of(ConfigFacts.LOCAL.withOverlay(invalid)))
        .isEqualTo(
            new ConfigOk(
                "False",
                "SourceInvalid",
                "using current: local; " + ConfigError.DOWNLOAD.text() + "; metadata.x: Invalid"));
    assertThat(ConfigOk.of(rolled.withOverlay(invalid)).reason()).isEqualTo("RolledBack");
  }

  @Test
  void theTransitionTimeMovesWhenAnyOfTheThreeDiffers() {
    ConfigOk local = ConfigOk.of(ConfigFacts.LOCAL);
    NodeConditionView first = local.condition(null, NOW);
    Instant later = NOW.plusSeconds(60);

    NodeConditionView same = local.condition(first, later);
    NodeConditionView other =
        new ConfigOk("True", "LocalConfig", "another").condition(first, later);

    assertThat(first.type()).isEqualTo("ConfigOK");
    assertThat(same.lastTransitionTime()).isEqualTo(NOW);
    assertThat(same.lastHeartbeatTime()).isEqualTo(later);
    assertThat(other.lastTransitionTime()).isEqualTo(later);
  }

  @Test
  void theDetailLeavesOutWhatThereIsNot() {
    ConfigDetail none =
        new ConfigDetail(
            Channel.NONE, null, List.of(), List.of(), "", ConfigDetail.hash(Sources.NOTHING));
    ConfigDetail all =
        new ConfigDetail(
            Channel.ANNOTATION,
            NOW,
            List.of(new IgnoredField("/cgroupDriver", "no use")),
            List.of("lease"),
            "hot",
            ConfigDetail.hash(Sources.wanted("c1")));

    assertThat(none.json())
        .hasToString("{\"channel\":\"none\",\"ignoredFields\":[],\"restartedVerticles\":[]}");
    assertThat(all.json().toString())
        .matches(
            "\\{\"channel\":\"annotation\",\"trialEndsAt\":\"2026-01-02T03:04:05Z\",\"ignoredFields\":\\[\"/cgroupDriver\"],\"ignoredBecause\":\\{\"no"
                + " use\":\\[\"/cgroupDriver\"]},\"restartedVerticles\":\\[\"lease\"],"
                + "\"lastChange\":\"hot\",\"observedSourceHash\":\"[0-9a-f]{8}\"}");
    assertThat(ConfigDetail.hash(Sources.wanted("c1")))
        .isNotEqualTo(ConfigDetail.hash(Sources.wanted("c2")));
  }
}
