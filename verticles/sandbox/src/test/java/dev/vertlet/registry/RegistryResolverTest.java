package dev.vertlet.registry;

import static dev.vertlet.testsupport.Waits.get;
import static dev.vertlet.testsupport.Waits.take;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.sandbox.DigestResolver.Credentials;
import dev.vertlet.testsupport.ManualClock;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class RegistryResolverTest {
  private static final Credentials NOBODY = new Credentials("default", List.of());
  private static final Credentials ME = new Credentials("default", List.of("pull"));

  private final ManualClock clock = new ManualClock();
  private FakeRegistry registry;
  private Vertx vertx;
  private RegistryResolver resolver;

  @BeforeEach
  void start(Vertx vertx) {
    this.vertx = vertx;
    registry = new FakeRegistry(vertx);
    ResolverOptions options =
        ResolverOptions.DEFAULTS
            .withPlainHttp(Set.of(registry.host()))
            .withTimes(Duration.ofHours(24), Duration.ofSeconds(30), Duration.ofSeconds(10));
    resolver = new RegistryResolver(vertx, options, this::secrets, null, clock);
  }

  private Future<Keyring> secrets(Credentials credentials) {
    Keyring keyring = new Keyring();
    if (credentials.equals(ME)) {
      keyring.add(
          new JsonObject()
              .put(
                  "auths",
                  new JsonObject()
                      .put(
                          registry.host(),
                          new JsonObject().put("username", "me").put("password", "secret")))
              .encode());
    }
    return Future.succeededFuture(keyring);
  }

  /** On one context, as a verticle would. */
  private <T> T on(Callable<Future<T>> question) {
    return get(begin(question));
  }

  private <T> Future<T> begin(Callable<Future<T>> question) {
    Promise<T> answer = Promise.promise();
    vertx.runOnContext(
        v -> {
          try {
            question.call().onComplete(answer);
          } catch (Exception e) {
            answer.fail(e);
          }
        });
    return answer.future();
  }

  private Optional<String> digest(String image, Credentials credentials) {
    return on(() -> resolver.digest(registry.host() + "/" + image, credentials));
  }

  @Test
  void aTagIsAskedForOnce() {
    String pushed = registry.push("team/app", "v1", "sha256:c");

    assertThat(digest("team/app:v1", NOBODY)).contains(pushed);
    registry.push("team/app", "v1", "sha256:other");
    assertThat(digest("team/app:v1", NOBODY)).as("remembered").contains(pushed);

    assertThat(registry.requests).hasSize(1).first().asString().startsWith("HEAD ");
    clock.advance(Duration.ofHours(25));
    assertThat(digest("team/app:v1", NOBODY))
        .as("a day later")
        .isPresent()
        .isNotEqualTo(Optional.of(pushed));
  }

  @Test
  void aDigestInTheNameNeedsNoRegistry() {
    String digest = "sha256:" + "a".repeat(64);

    assertThat(digest("app@" + digest, NOBODY)).contains(digest);
    assertThat(registry.requests).isEmpty();
  }

  @Test
  @Tag("B25")
  void b25ARegistryThatIsDownIsAskedAgainAfterAWhile() {
    String pushed = registry.push("app", "v1", "sha256:c");
    registry.down = true;

    assertThat(digest("app:v1", NOBODY)).isEmpty();
    registry.down = false;
    assertThat(digest("app:v1", NOBODY)).as("not at once").isEmpty();
    assertThat(registry.requests).hasSize(1);
    clock.advance(Duration.ofSeconds(31));

    assertThat(digest("app:v1", NOBODY)).contains(pushed);
  }

  @Test
  void nobodyThereAndNoSuchImageAreNotYet() {
    assertThat(digest("absent:v1", NOBODY)).isEmpty();
    assertThat(on(() -> resolver.digest("127.0.0.1:1/app:v1", NOBODY))).isEmpty();
    assertThat(on(() -> resolver.digest("No Image", NOBODY))).isEmpty();
  }

  private RegistryResolver allowing(Set<String> registries) {
    return new RegistryResolver(
        vertx,
        ResolverOptions.DEFAULTS.withPlainHttp(Set.of(registry.host())).withRegistries(registries),
        this::secrets,
        null,
        clock);
  }

  @Test
  void registriesThatAreNotAllowedAreNotAsked() {
    registry.push("app", "v1", "{}");
    RegistryResolver closed = on(() -> Future.succeededFuture(allowing(Set.of("quay.io"))));

    assertThat(on(() -> closed.digest(registry.host() + "/app:v1", NOBODY))).isEmpty();
    assertThat(on(() -> closed.configDigests(registry.host() + "/app:v1", NOBODY))).isEmpty();
    assertThat(registry.requests).isEmpty();
  }

  @Test
  void noMoreThanSoManyRegistriesAreAskedAtOnce() {
    int port =
        get(
            vertx
                .createNetServer()
                .connectHandler(silent -> {})
                .listen(0, "0.0.0.0")
                .map(NetServer::actualPort));

    on(
        () -> {
          for (int i = 0; i < RegistryResolver.MOST_BUSY + 50; i++) {
            String host = "127.0.%d.%d:%d".formatted(1 + i / 200, 1 + i % 200, port);
            var unused = resolver.digest(host + "/app:v1", NOBODY);
          }
          return Future.succeededFuture();
        });

    assertThat(resolver.busy()).isEqualTo(RegistryResolver.MOST_BUSY);
  }

  /** Whoever claims names the registry. */
  @Test
  void aRegistryAtRestIsForgotten() {
    for (int port = 1; port < 9; port++) {
      String image = "127.0.0.1:" + port + "/app:v1";
      assertThat(on(() -> resolver.digest(image, NOBODY))).isEmpty();
    }
    assertThat(digest("absent:v1", NOBODY)).isEmpty();

    assertThat(resolver.busy()).isZero();
  }

  @Test
  void aTokenIsFetchedAndKept() {
    registry.auth = "bearer";
    String one = registry.push("team/app", "v1", "sha256:c");
    String two = registry.push("team/app", "v2", "sha256:d");

    assertThat(digest("team/app:v1", ME)).contains(one);
    assertThat(digest("team/app:v2", ME)).contains(two);

    assertThat(registry.requests).filteredOn(r -> r.startsWith("GET /token")).hasSize(1);
    assertThat(digest("team/app:v1", ME)).contains(one);
  }

  @Test
  void passwordsDoForRegistriesWithoutTokens() {
    registry.auth = "basic";
    String pushed = registry.push("app", "v1", "sha256:c");

    assertThat(digest("app:v1", NOBODY)).as("nobody is let in").isEmpty();
    assertThat(digest("app:v1", ME))
        .as("what others could not see does not count")
        .contains(pushed);
  }

  @Test
  void passwordsGoToNoPlainServerThatARegistryNames() {
    registry.auth = "bearer";
    registry.realm = "ftp://127.0.0.1/token";
    registry.push("app", "v1", "sha256:c");

    assertThat(digest("app:v1", ME)).isEmpty();
    assertThat(registry.requests).noneMatch(r -> r.contains("Basic"));
  }

  @Test
  void aRegistryThatDoesNotSayTheDigestSendsTheManifest() {
    registry.silentAboutDigests = true;
    String pushed = registry.push("app", "v1", "sha256:c");

    assertThat(digest("app:v1", NOBODY)).contains(pushed);
  }

  @Test
  void eightAskOneRegistryAtOnce() throws Exception {
    registry.holds = true;
    List<Future<Optional<String>>> all = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      String image = registry.host() + "/app:v" + i;
      registry.push("app", "v" + i, "sha256:c" + i);
      all.add(begin(() -> resolver.digest(image, NOBODY)));
    }

    Queue<Runnable> inside = new ArrayDeque<>();
    for (int asked = 0; asked < 30; asked++) {
      if (inside.size() == 8) {
        // the next one comes for the one that is answered
        assertThat(registry.held).isEmpty();
        inside.remove().run();
      }
      inside.add(take(registry.held));
    }
    inside.forEach(Runnable::run);

    assertThat(all).allMatch(one -> get(one).isPresent());
  }

  @Test
  void theSameQuestionIsAskedOnce() throws Exception {
    registry.holds = true;
    registry.push("app", "v1", "sha256:c");
    String image = registry.host() + "/app:v1";

    Future<?> both =
        begin(() -> Future.join(resolver.digest(image, NOBODY), resolver.digest(image, NOBODY)));
    take(registry.held).run();

    get(both);
    assertThat(registry.requests).hasSize(1);
  }

  @Test
  @Tag("B24")
  void b24ConfigurationsOfAllPlatformsAreFound() {
    String amd = registry.push("app", "amd", "sha256:ca");
    String arm = registry.push("app", "arm", "sha256:cb");
    registry.pushIndex("app", "v1", List.of(amd, arm));
    String image = registry.host() + "/app:v1";

    assertThat(on(() -> resolver.configDigests(image, NOBODY)))
        .containsExactlyInAnyOrder("sha256:ca", "sha256:cb");
    assertThat(on(() -> resolver.configDigests(registry.host() + "/app@" + amd, NOBODY)))
        .containsExactly("sha256:ca");
    String bare = "sha256:" + "e".repeat(64);
    assertThat(on(() -> resolver.configDigests(bare, NOBODY))).containsExactly(bare);
    assertThat(on(() -> resolver.configDigests("docker-pullable://no where", NOBODY))).isEmpty();
  }
}
