package dev.vertlet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.vertlet.model.Names;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSettings;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What both kinds of providers have in common: what the kit is told, and what a factory promises.
 */
abstract class ProviderTck {
  @SuppressWarnings("NullAway.Init") // set before each test
  private Lab lab;

  /** Makes the provider under test. */
  protected abstract ProviderFactory factory();

  /** The provider's section of the configuration. */
  protected JsonObject settings() {
    return new JsonObject();
  }

  /** The spec of a pod that runs until it is deleted and obeys TERM. */
  protected JsonObject runningSpec() {
    return new JsonObject()
        .put(
            "containers",
            new JsonArray()
                .add(
                    new JsonObject()
                        .put("name", "main")
                        .put("image", "example.com/tck:1")
                        .put("imagePullPolicy", "IfNotPresent")));
  }

  /** A change that makes a pod impossible; empty for a provider that takes every pod. */
  protected Optional<UnaryOperator<TckPod>> impossible() {
    return Optional.empty();
  }

  /** A command that copies its standard input and then ends with code 3. */
  protected List<String> copyingCommand() {
    return List.of("sh", "-c", "cat; exit 3");
  }

  /** How long any effect may take. */
  protected Duration patience() {
    return Duration.ofSeconds(30);
  }

  /** How many pods run at once in the tests of concurrency. */
  protected int crowd() {
    return 50;
  }

  @BeforeEach
  final void openLab() {
    lab = new Lab(factory(), ProviderSettings.of(settings()), patience());
  }

  @AfterEach
  final void closeLab() {
    lab.close();
  }

  final Lab lab() {
    return lab;
  }

  /** A new pod on the first node. */
  protected final TckPod pod(String name) {
    return podOn(Lab.NODE, name);
  }

  final TckPod podOn(String node, String name) {
    return TckPod.of(name, node, runningSpec());
  }

  @Test
  void theFactoryHasAValidNameAndTheCurrentVersion() {
    ProviderFactory factory = factory();

    assertThat(Names.checkLabel(factory.name())).as(factory.name()).isEmpty();
    assertThat(factory.name()).isEqualTo(factory().name());
    assertThat(factory.spiVersion()).isEqualTo(ProviderFactory.SPI_VERSION);
  }

  @Test
  void theFactoryTakesItsSettings() {
    assertThatCode(() -> factory().check(ProviderSettings.of(settings())))
        .doesNotThrowAnyException();
  }
}
