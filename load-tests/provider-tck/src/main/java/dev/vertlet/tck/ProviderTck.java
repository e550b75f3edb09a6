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

/** Base of both kits: settings of the provider's test, and the promises of a factory. */
abstract class ProviderTck {
  @SuppressWarnings("NullAway.Init") // set before each test
  private Lab lab;

  /** Creates the factory of the provider under test. */
  protected abstract ProviderFactory factory();

  /** The provider's section of the configuration. */
  protected JsonObject settings() {
    return new JsonObject();
  }

  /** Spec of a pod that runs until it is deleted and ends on SIGTERM. */
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

  /** Change that makes a pod impossible to run; empty for a provider that accepts every pod. */
  protected Optional<UnaryOperator<TckPod>> impossible() {
    return Optional.empty();
  }

  /** Command that copies its standard input and then exits with code 3. */
  protected List<String> copyingCommand() {
    return List.of("sh", "-c", "cat; exit 3");
  }

  /** Whether each pod has addresses of its own; false if pods have those of their node. */
  protected boolean ownAddresses() {
    return true;
  }

  /** Time limit of every effect. */
  protected Duration patience() {
    return Duration.ofSeconds(30);
  }

  /** Number of pods that the concurrency tests run at once. */
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

  /** Creates a pod on the first node. */
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
