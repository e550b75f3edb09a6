package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.auth.KubeletAccess;
import dev.vertlet.bus.Addresses;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeConfigStatusChanged;
import dev.vertlet.bus.PodStats;
import dev.vertlet.bus.PodTimeline;
import dev.vertlet.config.ServerConfig;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.loop.Env;
import dev.vertlet.metrics.Metrics;
import dev.vertlet.model.PodRef;
import dev.vertlet.page.PageVerticle;
import dev.vertlet.server.HealthServer;
import dev.vertlet.server.Liveness;
import dev.vertlet.server.Readiness;
import dev.vertlet.server.TokenReadPolicy;
import dev.vertlet.testsupport.FullRing;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of an agent that asks for tokens, in a browser; nothing of a cluster but its API. */
@FullRing
@Needs(Tool.BROWSER)
class PageAccessIT {
  /** Names and messages that are markup when they are not taken as text. */
  private static final String MARKUP = "<img src=x onerror=\"document.title='stolen'\"></script>";

  @TempDir private Path dir;
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Bus bus = Bus.install(vertx);
  private EmbeddedApiServer api;
  private Browser browser;
  private String address;

  private <T> T on(Callable<? extends Future<? extends T>> task) throws Exception {
    Promise<T> promise = Promise.promise();
    loop.runOnContext(
        v -> {
          try {
            task.call().<T>map(done -> done).onComplete(promise);
          } catch (Exception e) {
            promise.fail(e);
          }
        });
    return get(promise.future());
  }

  @BeforeEach
  void start() throws Exception {
    api = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    MeterRegistry metrics = new Metrics("1", "", "v1").registry();
    Env env = new Env(Clock.systemUTC(), System::nanoTime, new SplittableRandom(1), metrics);
    TokenReadPolicy door = new TokenReadPolicy("a");
    PageVerticle page =
        new PageVerticle(
            List.of("a", "b"), new PageVerticle.About(MARKUP, "1", "v1"), bus, door, env);
    HealthServer server =
        new HealthServer(
            ServerConfig.of(new JsonObject().put("address", "127.0.0.1").put("port", 0)),
            new Readiness(Set.of("a", "b"), false, "me"),
            new Liveness(Duration.ofMinutes(5)),
            bus,
            metrics,
            door,
            page);
    on(() -> page.deploy(loop));
    on(() -> server.deploy(loop));
    on(
        () ->
            KubeClient.create(
                    vertx,
                    KubeClientOptions.defaults(),
                    ApiAccess.of(api.url(), api.token()),
                    metrics)
                .onSuccess(kube -> door.ask(KubeletAccess.ofTokens(vertx, kube, env))));
    address = "http://127.0.0.1:" + get(server.port()) + "/";
    browser = Browser.start(Files.createDirectory(dir.resolve("profile")));
    browser.resize(1200, 900);
  }

  @AfterEach
  void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    get(vertx.close());
  }

  private String text(String id) throws Exception {
    return String.valueOf(
        browser.evaluate("document.getElementById('%s').innerText".formatted(id)));
  }

  private void enter(String token) throws Exception {
    browser.evaluate(
        "document.getElementById('token').value = '%s'; document.querySelector('#login button').click()"
            .formatted(token));
  }

  @Test
  void asksForATokenAndShowsTextAsText() throws Exception {
    bus.publish(Addresses.LEASE_ACQUIRED, new LeaseAcquired("b", 0));
    bus.publish(Addresses.LEASE_LOST, new LeaseLost("b", MARKUP));
    for (int i = 1; i <= 3; i++) {
      bus.publish(
          Addresses.NODE_CONFIG_STATUS_CHANGED,
          new NodeConfigStatusChanged("b", MARKUP + i, MARKUP, MARKUP, "error " + i + MARKUP));
    }
    bus.publish(
        Addresses.POD_STATS,
        new PodStats(
            0,
            List.of(),
            List.of(
                new PodTimeline(
                    new PodRef(MARKUP, MARKUP, "uid"),
                    MARKUP,
                    false,
                    System.nanoTime() - 3_000_000_000L,
                    List.of(
                        new PodTimeline.Mark(PodTimeline.Step.TAKEN_UP, 1_000_000L),
                        new PodTimeline.Mark(PodTimeline.Step.WRITTEN, 3_000_000_000L)))),
            List.of(),
            1,
            0,
            0,
            0,
            0));
    browser.open(URI.create(address));

    eventually(() -> assertThat(text("link")).isEqualTo("A token is needed"));
    assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("token");
    enter("bad");
    eventually(() -> assertThat(text("login-error")).contains("does not know"));
    assertThat(browser.evaluate("document.getElementById('shown').checkVisibility()"))
        .isEqualTo(false);
    enter(api.token());
    eventually(() -> assertThat(text("link")).isEqualTo("Live"));

    assertThat(text("agent")).isEqualTo(MARKUP);
    assertThat(text("nodes")).contains("lease lost", MARKUP, "error 3");
    assertThat(text("slow")).contains(MARKUP + "/" + MARKUP, "taken up 1", "Ready written 3,000");
    assertThat(text("leases-note")).contains("b: " + MARKUP);
    browser.evaluate("document.querySelector('#nodes tbody tr:nth-child(2) button').click()");
    eventually(() -> assertThat(text("history")).contains("error 1", "error 2", MARKUP));
    // one that comes while somebody looks joins the others
    bus.publish(
        Addresses.NODE_CONFIG_STATUS_CHANGED,
        new NodeConfigStatusChanged("b", "", "", "", "error 4"));
    eventually(() -> assertThat(text("history")).contains("error 4"));
    assertThat(browser.evaluate("document.querySelectorAll('img').length")).isEqualTo(0);
    assertThat(browser.evaluate("document.title").toString()).startsWith("<img");
    assertThat(browser.requests()).noneMatch(url -> url.contains(api.token()));
    // the two that were refused are all that the browser noticed
    assertThat(browser.complaints()).hasSize(2).allMatch(line -> line.contains("401"));
    assertThat((Integer) browser.evaluate("document.documentElement.scrollWidth"))
        .isLessThanOrEqualTo(1200);
  }
}
