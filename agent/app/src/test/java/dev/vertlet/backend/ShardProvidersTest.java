package dev.vertlet.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.cli.FailedException;
import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.env.ReferenceSource;
import dev.vertlet.kubelet.KubeletOptions;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.container.EnvironmentView.Variable;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredView;
import dev.vertlet.nodeconfig.ActiveConfigs;
import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.pods.PodFeed;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.pod.ForwardingProvider;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.junit5.VertxExtension;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a provider of whole pods is given, by what it asks for. */
@ExtendWith(VertxExtension.class)
class ShardProvidersTest {
  private static final PodView POD =
      PodFeed.decode(
          Buffer.buffer(
              """
              {"metadata": {"name": "a", "namespace": "default", "uid": "u", "resourceVersion": "1"},
               "spec": {"nodeName": "node", "containers": [{"name": "c", "image": "i", "env": [
                 {"name": "WHERE", "valueFrom": {"fieldRef":
                   {"apiVersion": "v1", "fieldPath": "spec.nodeName"}}}]}]}}
              """));

  private final References references = new References();
  private final List<PodView> handed = new ArrayList<>();

  @Test
  @Tag("WithNoDownwardAPIResolution")
  void aProviderThatDoesNotAskGetsPodsWithTheirReferencesAsTheyAre(Vertx vertx) {
    create(vertx, false);

    assertThat(handed).containsExactly(POD);
    assertThat(variable().from()).isInstanceOf(ValueFrom.Field.class);
    assertThat(references.followed).isEmpty();
  }

  @Test
  void aProviderThatAsksGetsValues(Vertx vertx) {
    create(vertx, true);

    assertThat(variable().from()).isInstanceOf(ValueFrom.Literal.class);
    assertThat(variable().value()).isEqualTo("node");
  }

  private Variable variable() {
    return Objects.requireNonNull(handed.get(0).spec().containers().get(0).environment())
        .env()
        .get(0);
  }

  @Test
  void aProviderOfWholePodsCannotAskForFiles(Vertx vertx) {
    PodProvider taker =
        new ForwardingProvider(taker(true)) {
          @Override
          public PodInput input() {
            return PodInput.FILES;
          }
        };

    assertThatThrownBy(() -> make(vertx, taker))
        .isInstanceOf(FailedException.class)
        .hasMessage("provider \"mine\" cannot be made: the input FILES is for container runtimes");
  }

  private void create(Vertx vertx, boolean asks) {
    PodProvider made = make(vertx, taker(asks));
    assertThat(made.start(context(vertx)).succeeded()).isTrue();
    Future<Void> created = made.create(POD);
    references.tell();
    assertThat(created.succeeded()).isTrue();
  }

  private PodProvider make(Vertx vertx, PodProvider provider) {
    ProviderFactory factory = ProviderFactory.of("mine", setup -> new Backend.Pods(provider));
    LoadedConfig loaded =
        new ConfigLoader(
                new Environment(Map.of(), Host.detect()), ProviderCatalog.of(List.of(factory)))
            .parse(
                "test", "{\"nodes\": [{\"name\": \"node\", \"provider\": \"mine\"}]}", List.of());
    return new ShardProviders(
            vertx,
            loaded.config(),
            KubeletOptions.DEFAULTS,
            ActiveConfigs.local(loaded, DnsSettings.DEFAULTS),
            new SimpleMeterRegistry(),
            Clock.systemUTC())
        .make("mine", loaded.config().nodes(), references, node -> false);
  }

  private static ProviderContext context(Vertx vertx) {
    return (ProviderContext)
        Proxy.newProxyInstance(
            ProviderContext.class.getClassLoader(),
            new Class<?>[] {ProviderContext.class},
            (proxy, method, arguments) ->
                method.getName().equals("clock") ? Clock.systemUTC() : vertx);
  }

  /** A cluster that has none of what is asked for. */
  private static final class References implements ReferenceSource {
    private final List<ReferredKey> followed = new ArrayList<>();
    private BiConsumer<ReferredKey, List<ReferredView>> listener = (key, objects) -> {};

    @Override
    public void start(BiConsumer<ReferredKey, List<ReferredView>> told) {
      listener = told;
    }

    @Override
    public void follow(ReferredKey key) {
      followed.add(key);
    }

    @Override
    public void leave(ReferredKey key) {}

    @Override
    public void stop() {}

    void tell() {
      List.copyOf(followed).forEach(key -> listener.accept(key, List.of()));
    }
  }

  /** Takes pods and does nothing with them. */
  private PodProvider taker(boolean asks) {
    return (PodProvider)
        Proxy.newProxyInstance(
            PodProvider.class.getClassLoader(),
            new Class<?>[] {PodProvider.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("usesEnvironment")) {
                return asks;
              }
              if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
              }
              if (method.getName().equals("create")) {
                handed.add((PodView) arguments[0]);
              }
              return Future.succeededFuture();
            });
  }
}
