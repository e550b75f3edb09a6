package dev.vertlet.payload;

import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.auth.tls.ServingTls;
import dev.vertlet.config.KubernetesConfig;
import dev.vertlet.config.LogConfig;
import dev.vertlet.config.ServerConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.kubeletconfig.Verbosity;
import dev.vertlet.model.GoDuration;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A node's effective configuration as a KubeletConfiguration, for {@code /configz}. */
public final class ConfigDocument {
  private ConfigDocument() {}

  /**
   * Returns what {@code /configz} shows of a node.
   *
   * @param port port of the node's kubelet
   */
  public static JsonObject of(NodeConfig running, int port) {
    JsonObject document = document(running, port);
    return new JsonObject()
        .put("kubeletconfig", document)
        .put("vertletconfig", vertlet(running, document));
  }

  /**
   * Extends the document to a VertletConfiguration.
   *
   * @param document result of {@link #document}
   */
  static JsonObject vertlet(NodeConfig running, JsonObject document) {
    JsonObject kubelet = document.copy();
    kubelet.remove("kind");
    kubelet.remove("apiVersion");
    return new JsonObject()
        .put("kind", "VertletConfiguration")
        .put("apiVersion", "vertlet.dev/v1alpha1")
        .put("kubelet", kubelet)
        .mergeIn(running.sections());
  }

  /**
   * Builds the KubeletConfiguration.
   *
   * @param port port of the node's kubelet
   */
  static JsonObject document(NodeConfig running, int port) {
    ConfiguredNode node = running.node();
    VertletConfig config = running.config();
    JsonObject json =
        new JsonObject()
            .put("kind", "KubeletConfiguration")
            .put("apiVersion", "kubelet.config.k8s.io/v1beta1");
    server(json, config.server(), port);
    text(json, "staticPodPath", node.sources().path());
    URI url = node.sources().url();
    text(json, "staticPodURL", url == null ? null : url.toString());
    json.put("syncFrequency", duration(config.pods().syncFrequency()))
        .put("fileCheckFrequency", duration(config.pods().fileCheckFrequency()))
        .put("httpCheckFrequency", duration(config.pods().httpCheckFrequency()))
        .put("nodeStatusUpdateFrequency", duration(config.nodeStatus().pingInterval()))
        .put("nodeStatusReportFrequency", duration(config.nodeStatus().reportFrequency()))
        .put("nodeStatusMaxImages", config.nodeStatus().maxImages())
        .put("nodeLeaseDurationSeconds", config.lease().duration().toSeconds())
        .put("clusterDomain", config.dns().clusterDomain())
        .put("clusterDNS", new JsonArray(config.dns().clusterDNS()))
        .put("resolvConf", Objects.toString(config.dns().resolvConf(), ""))
        .put("contentType", contentType(config.kubernetes().encoding()))
        .put("featureGates", new JsonObject(new TreeMap<>(config.featureGates().set())))
        .put("containerLogMaxSize", config.pods().containerLogMaxSize())
        .put("allowedUnsafeSysctls", new JsonArray(config.pods().allowedUnsafeSysctls()))
        .put(
            "shutdownGracePeriod",
            duration(
                config.agent().drainOnShutdown()
                    ? config.agent().shutdownTimeout()
                    : Duration.ZERO))
        .put("logging", logging(config.log()));
    if (config.featureGates().enabled(FeatureGates.BACK_OFF_MAX)) {
      json.put(
          "crashLoopBackOff",
          new JsonObject()
              .put("maxContainerRestartPeriod", duration(config.pods().maxContainerBackOff())));
    }
    return json.mergeIn(ConfigzNode.of(node)).mergeIn(running.unused(), true);
  }

  /**
   * Builds the logging section, without levels that have no number in a kubelet and loggers that
   * have none in the format.
   */
  private static JsonObject logging(LogConfig log) {
    JsonObject json = new JsonObject().put("format", word(log.format()));
    int verbosity = Verbosity.of(word(log.level()));
    if (verbosity > 0) {
      json.put("verbosity", verbosity);
    }
    JsonArray modules = new JsonArray();
    new TreeMap<>(log.levels())
        .forEach(
            (name, level) -> {
              if (level.compareTo(LogConfig.Level.INFO) >= 0) {
                modules.add(
                    new JsonObject()
                        .put("filePattern", name)
                        .put("verbosity", Verbosity.of(word(level))));
              }
            });
    return modules.isEmpty() || log.format() != LogConfig.Format.TEXT
        ? json
        : json.put("vmodule", modules);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static void server(JsonObject json, ServerConfig server, int port) {
    ServingTls tls = server.tls();
    Authentication known = server.authentication();
    Authorization allowed = server.authorization();
    json.put("enableServer", server.enableServer())
        .put("address", server.kubeletAddress())
        .put("port", port)
        .put("readOnlyPort", server.readOnlyPort())
        .put("healthzPort", server.healthzPort())
        .put("healthzBindAddress", "127.0.0.1");
    text(json, "tlsCertFile", tls.tlsCertFile());
    text(json, "tlsPrivateKeyFile", tls.tlsPrivateKeyFile());
    json.put("tlsMinVersion", tls.tlsMinVersion().kubeletName())
        .put("serverTLSBootstrap", tls.serverTLSBootstrap());
    if (!tls.tlsCipherSuites().isEmpty()) {
      json.put("tlsCipherSuites", new JsonArray(tls.tlsCipherSuites()));
    }
    JsonObject x509 = new JsonObject();
    text(x509, "clientCAFile", known.clientCAFile());
    json.put(
            "authentication",
            new JsonObject()
                .put("x509", x509)
                .put(
                    "webhook",
                    new JsonObject()
                        .put("enabled", known.webhook())
                        .put("cacheTTL", duration(known.webhookCacheTTL())))
                .put("anonymous", new JsonObject().put("enabled", known.anonymous())))
        .put(
            "authorization",
            new JsonObject()
                .put(
                    "mode",
                    allowed.mode() == Authorization.Mode.WEBHOOK ? "Webhook" : "AlwaysAllow")
                .put(
                    "webhook",
                    new JsonObject()
                        .put("cacheAuthorizedTTL", duration(allowed.cacheAuthorizedTTL()))
                        .put("cacheUnauthorizedTTL", duration(allowed.cacheUnauthorizedTTL()))))
        .put("enableDebuggingHandlers", server.enableDebuggingHandlers())
        .put("enableSystemLogHandler", !server.logDirectory().isEmpty())
        .put("enableProfilingHandler", false)
        .put("streamingConnectionIdleTimeout", duration(server.streamingConnectionIdleTimeout()));
  }

  private static void text(JsonObject json, String key, @Nullable Object value) {
    if (value != null) {
      json.put(key, value instanceof Path path ? path.toString() : value);
    }
  }

  private static String contentType(KubernetesConfig.Encoding encoding) {
    return encoding == KubernetesConfig.Encoding.JSON
        ? "application/json"
        : "application/vnd.kubernetes.protobuf";
  }

  private static String duration(Duration duration) {
    return GoDuration.format(duration);
  }
}
