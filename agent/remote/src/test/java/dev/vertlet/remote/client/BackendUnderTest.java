package dev.vertlet.remote.client;

import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.remote.ReferenceBackend;
import dev.vertlet.testsupport.Waits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.Objects;

/** The back end that the system properties name; docs/remote.md describes them. */
final class BackendUnderTest {
  private static final String SETTINGS = "vertlet.tck.settings";
  private static final String SPEC = "vertlet.tck.spec";

  private BackendUnderTest() {}

  /**
   * Returns the settings, once the back end has none of the pods that earlier tests have left.
   *
   * @param key of the list of its level
   */
  static JsonObject emptied(String key) {
    JsonObject json =
        new JsonObject(
            Objects.requireNonNull(
                System.getProperty(SETTINGS),
                () -> "-D" + SETTINGS + " must be the settings of provider remote, as JSON"));
    Vertx vertx = Vertx.vertx();
    try {
      RemoteSettings settings = RemoteSettings.read(ProviderSettings.of(json));
      RemoteMeters meters = new RemoteMeters(new SimpleMeterRegistry());
      BackendClient client = new BackendClient(vertx, Clock.systemUTC(), settings, meters);
      for (JsonObject left : Waits.get(PagedList.read(client, key, "")).orElseThrow().entries()) {
        Paths path = Paths.of("v1", key, left.getString("uid"));
        Paths whole = key.equals("pods") ? path.query("gracePeriodSeconds", "0") : path;
        Waits.get(
            Failures.unlessMissing(
                client.call(Call.delete("delete", whole.toString())).mapEmpty()));
      }
    } finally {
      Waits.get(vertx.close());
    }
    return json;
  }

  static JsonObject runningSpec() {
    String spec = System.getProperty(SPEC);
    return spec == null ? ReferenceBackend.runningSpec() : new JsonObject(spec);
  }
}
