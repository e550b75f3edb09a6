package dev.vertlet.config;

import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.auth.RefusedSettingsException;
import dev.vertlet.auth.ServingTls;
import dev.vertlet.auth.TlsVersion;
import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code server}. */
final class ServerReader {
  private final Environment environment;

  ServerReader(Environment environment) {
    this.environment = environment;
  }

  /**
   * Reads the section.
   *
   * @throws ConfigException with the mistakes that the schema cannot detect
   */
  ServerConfig read(Section json) {
    ServerConfig d = Defaults.SERVER;
    return new ServerConfig(
        json.text("address", d.address()),
        json.number("port", d.port()),
        json.flag("open", d.open()),
        environment.path(json, "tokenFile", d.tokenFile()),
        json.flag("enableServer", d.enableServer()),
        json.text("kubeletAddress", d.kubeletAddress()),
        range(json, d.portRange()),
        json.number("readOnlyPort", d.readOnlyPort()),
        json.number("healthzPort", d.healthzPort()),
        json.flag("enableDebuggingHandlers", d.enableDebuggingHandlers()),
        json.flag("extendWebSocketsToKubelet", d.extendWebSocketsToKubelet()),
        environment.path(json, "logDirectory", d.logDirectory()),
        json.duration("streamingConnectionIdleTimeout", d.streamingConnectionIdleTimeout()),
        json.duration("streamCreationTimeout", d.streamCreationTimeout()),
        json.number("maxHeaderBytes", d.maxHeaderBytes()),
        json.number("maxRequests", d.maxRequests()),
        json.number("maxConnections", d.maxConnections()),
        tls(json.section("tls")),
        authentication(json.section("authentication")),
        authorization(json.section("authorization")),
        new PageConfig(json.section("page").flag("enabled", d.page().enabled())));
  }

  /** What can be judged only when it is known how many nodes there are. */
  static void check(ServerConfig server, int nodes, Problems problems) {
    PortRange range = server.portRange();
    if (server.enableServer()
        && !range.any()
        && nodes <= ServerConfig.MOST_PORTS
        && range.ports().size() < nodes) {
      problems.refuse(
          "/server/portRange",
          range.toString(),
          "must hold a port for each of the %d nodes; of several ports 10255 to 10259 are left out"
              .formatted(nodes));
    }
  }

  private static PortRange range(Section json, PortRange fallback) {
    String text = json.scalar("portRange");
    return text == null
        ? fallback
        : PortRange.parse(text)
            .orElseThrow(
                () ->
                    new ConfigException(
                        Problem.of(
                            json.pointer("portRange"),
                            text,
                            "must be ports such as \"10250-10318\", one port, or 0 for any"
                                + " free one")));
  }

  private ServingTls tls(Section json) {
    ServingTls d = ServingTls.DEFAULTS;
    Path certificate = path(json, "tlsCertFile");
    Path key = path(json, "tlsPrivateKeyFile");
    boolean bootstrap = json.flag("serverTLSBootstrap", d.serverTLSBootstrap());
    TlsVersion least =
        TlsVersion.parse(json.text("tlsMinVersion", d.tlsMinVersion().kubeletName()));
    List<String> suites = json.list("tlsCipherSuites");
    return checked(json, () -> new ServingTls(certificate, key, bootstrap, least, suites));
  }

  private Authentication authentication(Section json) {
    Authentication d = Authentication.DEFAULTS;
    boolean anonymous = json.flag("anonymous", d.anonymous());
    Path authorities = path(json, "clientCAFile");
    boolean webhook = json.flag("webhook", d.webhook());
    Duration ttl = json.duration("webhookCacheTTL", d.webhookCacheTTL());
    return checked(json, () -> new Authentication(anonymous, authorities, webhook, ttl));
  }

  private static Authorization authorization(Section json) {
    Authorization d = Authorization.DEFAULTS;
    Authorization.Mode mode =
        json.text("mode", "Webhook").equals("Webhook")
            ? Authorization.Mode.WEBHOOK
            : Authorization.Mode.ALWAYS_ALLOW;
    Duration yes = json.duration("cacheAuthorizedTTL", d.cacheAuthorizedTTL());
    Duration no = json.duration("cacheUnauthorizedTTL", d.cacheUnauthorizedTTL());
    return checked(json, () -> new Authorization(mode, yes, no));
  }

  /** Adds the document's pointers to the mistakes that the record reports. */
  private static <T> T checked(Section json, Supplier<T> settings) {
    try {
      return settings.get();
    } catch (RefusedSettingsException e) {
      throw new ConfigException(
          e.problems().stream().map(problem -> problem.under(json.pointer(""))).toList());
    }
  }

  private @Nullable Path path(Section json, String key) {
    String text = environment.path(json, key, "");
    return text.isEmpty() ? null : Path.of(text);
  }
}
