package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.registry.RegistryResolver;
import dev.vertlet.registry.ResolverOptions;
import dev.vertlet.sandbox.DigestResolver.Credentials;
import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What images are, by the word of a real registry. */
@FullRing
@Needs(Tool.REGISTRY)
@ExtendWith(VertxExtension.class)
class RegistryIT {
  private static final Credentials NOBODY = new Credentials("default", List.of());
  private static final Credentials ME = new Credentials("default", List.of("pull"));

  @TempDir private Path folder;
  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private Context context;
  private EmbeddedApiServer api;
  private KubeClient kube;
  private ImageRegistry registry;
  private ImageRegistry guarded;
  private RegistryResolver resolver;

  @BeforeEach
  void start(Vertx vertx) throws Exception {
    context = vertx.getOrCreateContext();
    registry = ImageRegistry.open(folder);
    guarded = ImageRegistry.closed(folder);
    api = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    kube =
        get(
            KubeClient.create(
                vertx,
                KubeClientOptions.defaults(),
                ApiAccess.of(api.url(), api.token()),
                new SimpleMeterRegistry()));
    ResolverOptions options =
        ResolverOptions.DEFAULTS.withPlainHttp(Set.of(registry.host(), guarded.host()));
    resolver = on(() -> Future.succeededFuture(new RegistryResolver(vertx, options, kube, clock)));
  }

  @AfterEach
  void stop() throws Exception {
    registry.close();
    guarded.close();
    get(kube.close());
    get(api.stop());
  }

  private <T> T on(Supplier<Future<T>> question) {
    Promise<T> answer = Promise.promise();
    context.runOnContext(v -> question.get().onComplete(answer));
    return get(answer.future());
  }

  private Optional<String> digest(ImageRegistry where, String image, Credentials credentials) {
    return on(() -> resolver.digest(where.host() + "/" + image, credentials));
  }

  private static JsonObject config(String architecture) {
    return new JsonObject().put("os", "linux").put("architecture", architecture);
  }

  @Test
  void aTagIsWhatWasPushed() throws Exception {
    String one = registry.push("team/app", "v1", config("amd64"));
    String two = registry.push("team/app", "v2", config("arm64"));

    assertThat(digest(registry, "team/app:v1", NOBODY)).contains(one);
    assertThat(digest(registry, "team/app:v2", NOBODY)).contains(two);
    assertThat(digest(registry, "team/app:v3", NOBODY)).as("no such tag").isEmpty();
    assertThat(digest(registry, "team/other:v1", NOBODY)).as("no such image").isEmpty();
  }

  @Test
  void anImageOfManyPlatformsIsItsIndexAndKnowsWhatTheyRun() throws Exception {
    String amd = registry.push("app", "amd64", config("amd64"));
    String arm = registry.push("app", "arm64", config("arm64"));
    String index = registry.pushIndex("app", "v1", List.of(amd, arm));
    String image = registry.host() + "/app:v1";
    String child = registry.host() + "/app@" + arm;

    assertThat(digest(registry, "app:v1", NOBODY)).contains(index);
    assertThat(on(() -> resolver.configDigests(image, NOBODY)))
        .containsExactlyInAnyOrder(
            ImageRegistry.digest(config("amd64").encode()),
            ImageRegistry.digest(config("arm64").encode()));
    assertThat(on(() -> resolver.configDigests(child, NOBODY)))
        .containsExactly(ImageRegistry.digest(config("arm64").encode()));
  }

  @Test
  void aPullSecretOpensARegistryThatIsClosed() throws Exception {
    String pushed = guarded.push("app", "v1", config("amd64"));
    assertThat(digest(guarded, "app:v1", NOBODY)).as("who is nobody").isEmpty();
    secret("wrong");
    assertThat(digest(guarded, "app:v1", ME)).as("whose password is another").isEmpty();

    get(api.objects().delete("secrets", "default", "pull"));
    secret(ImageRegistry.PASSWORD);
    clock.advance(Duration.ofSeconds(31));

    assertThat(digest(guarded, "app:v1", ME)).contains(pushed);
  }

  @Test
  @Tag("B25")
  void b25ARegistryThatIsDownIsAskedAgainAfterAWhile() throws Exception {
    String pushed = registry.push("app", "v1", config("amd64"));
    registry.end();

    assertThat(digest(registry, "app:v1", NOBODY)).isEmpty();
    registry.beginAnew();
    assertThat(digest(registry, "app:v1", NOBODY)).as("not at once").isEmpty();
    clock.advance(Duration.ofSeconds(31));

    assertThat(digest(registry, "app:v1", NOBODY)).contains(pushed);
  }

  private void secret(String password) {
    JsonObject logins =
        new JsonObject()
            .put(
                "auths",
                new JsonObject()
                    .put(
                        guarded.host(),
                        new JsonObject()
                            .put("username", ImageRegistry.USER)
                            .put("password", password)));
    JsonObject secret =
        new JsonObject()
            .put("metadata", new JsonObject().put("name", "pull").put("namespace", "default"))
            .put("type", "kubernetes.io/dockerconfigjson")
            .put(
                "data",
                new JsonObject()
                    .put(
                        ".dockerconfigjson",
                        Base64.getEncoder().encodeToString(logins.encode().getBytes(UTF_8))));
    get(api.objects().create("secrets", secret.encode()));
  }
}
