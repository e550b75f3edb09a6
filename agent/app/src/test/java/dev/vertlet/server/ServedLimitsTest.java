package dev.vertlet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.config.ServerConfig;
import dev.vertlet.http.ConnectionLimits;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ServedLimitsTest {
  private static String row(String server, String connections, int share, String head) {
    return "| %s | %s | 1/%d | %s |".formatted(server, connections, share, head);
  }

  private static String row(String server, ServedLimits limits) {
    return row(
        server,
        "%,d".formatted(limits.connections),
        limits.share,
        (limits.headerBytes >> 10) + " KiB");
  }

  @Test
  void areThoseOfTheDocument() throws IOException {
    String document = Files.readString(Path.of("..", "..", "docs", "security.md"));
    ConnectionLimits all = ServedLimits.HEALTH.limits();
    ServerConfig config = ServerConfig.of(new JsonObject());

    assertThat(document)
        .contains(
            row(
                "kubelets' API",
                "`server.maxConnections`, %,d".formatted(config.maxConnections()),
                ServedLimits.KUBELET.share,
                "`server.maxHeaderBytes`, %d KiB".formatted(config.maxHeaderBytes() >> 10)),
            row(
                "`server.readOnlyPort`",
                "`server.maxConnections`, %,d".formatted(config.maxConnections()),
                ServedLimits.READ_ONLY.share,
                "`server.maxHeaderBytes`, %d KiB".formatted(config.maxHeaderBytes() >> 10)),
            row("health, metrics, page", ServedLimits.HEALTH),
            row("`server.healthzPort`", ServedLimits.HEALTHZ),
            row("sandbox API", ServedLimits.SANDBOX))
        .contains(
            "| head of a request | %d s |".formatted(all.head().toSeconds()),
            "| between two requests | %d s |".formatted(all.idle().toSeconds()),
            "| admission, or the reading of a refusal | %d s |"
                .formatted(all.admission().toSeconds()),
            "%d streams at a time".formatted(all.streams()),
            "%,d".formatted(all.resets()));
  }
}
