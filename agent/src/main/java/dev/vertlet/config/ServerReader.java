package dev.vertlet.config;

import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.auth.CipherSuites;
import dev.vertlet.auth.ServingTls;
import dev.vertlet.auth.TlsVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code server}. */
final class ServerReader {
  private final Environment environment;

  ServerReader(Environment environment) {
    this.environment = environment;
  }

  /**
   * @throws ConfigException with what the schema cannot tell
   */
  ServerConfig read(Section json) {
    ServerConfig d = Defaults.SERVER;
    return new ServerConfig(
        json.text("address", d.address()),
        json.number("port", d.port()),
        json.flag("enableServer", d.enableServer()),
        json.text("kubeletAddress", d.kubeletAddress()),
        range(json, d.portRange()),
        json.number("readOnlyPort", d.readOnlyPort()),
        json.number("healthzPort", d.healthzPort()),
        json.flag("enableDebuggingHandlers", d.enableDebuggingHandlers()),
        environment.expandHome(json.text("logDirectory", d.logDirectory())),
        json.duration("streamingConnectionIdleTimeout", d.streamingConnectionIdleTimeout()),
        json.duration("streamCreationTimeout", d.streamCreationTimeout()),
        json.number("maxHeaderBytes", d.maxHeaderBytes()),
        json.number("maxRequests", d.maxRequests()),
        tls(json.section("tls")),
        authentication(json.section("authentication")),
        authorization(json.section("authorization")));
  }

  /** What can be judged only when it is known how many nodes there are. */
  static void check(ServerConfig server, int nodes, List<Mistake> mistakes) {
    PortRange range = server.portRange();
    if (server.enableServer()
        && !range.any()
        && nodes <= ServerConfig.MOST_PORTS
        && range.ports().size() < nodes) {
      mistakes.add(
          Mistake.of(
              "/server/portRange",
              range.toString(),
              "must hold a port for each of the %d nodes; of several ports 10255 to 10259 are left out"
                  .formatted(nodes)));
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
                        List.of(
                            Mistake.of(
                                json.pointer("portRange"),
                                text,
                                "must be ports such as \"10250-10318\", one port, or 0 for any"
                                    + " free one"))));
  }

  private ServingTls tls(Section json) {
    ServingTls d = ServingTls.DEFAULTS;
    Path certificate = path(json, "tlsCertFile");
    Path key = path(json, "tlsPrivateKeyFile");
    boolean bootstrap = json.flag("serverTLSBootstrap", d.serverTLSBootstrap());
    List<String> suites = json.list("tlsCipherSuites");
    Check check = new Check("/server/tls");
    check.that(
        certificate == null || key != null,
        "tlsPrivateKeyFile",
        "",
        "must be given with tlsCertFile");
    check.that(
        key == null || certificate != null,
        "tlsCertFile",
        "",
        "must be given with tlsPrivateKeyFile");
    check.that(
        certificate == null || !bootstrap,
        "serverTLSBootstrap",
        bootstrap,
        "must be false with tlsCertFile");
    for (int i = 0; i < suites.size(); i++) {
      check.that(
          CipherSuites.allowed().contains(suites.get(i)),
          "tlsCipherSuites/" + i,
          suites.get(i),
          "must be one of " + String.join(", ", CipherSuites.allowed()));
    }
    check.done();
    return new ServingTls(
        certificate,
        key,
        bootstrap,
        TlsVersion.parse(json.text("tlsMinVersion", d.tlsMinVersion().kubeletName())),
        suites);
  }

  private Authentication authentication(Section json) {
    Authentication d = Authentication.DEFAULTS;
    Duration ttl = cache(json, "webhookCacheTTL", d.webhookCacheTTL());
    return new Authentication(
        json.flag("anonymous", d.anonymous()),
        path(json, "clientCAFile"),
        json.flag("webhook", d.webhook()),
        ttl);
  }

  private static Authorization authorization(Section json) {
    Authorization d = Authorization.DEFAULTS;
    return new Authorization(
        json.text("mode", "Webhook").equals("Webhook")
            ? Authorization.Mode.WEBHOOK
            : Authorization.Mode.ALWAYS_ALLOW,
        cache(json, "cacheAuthorizedTTL", d.cacheAuthorizedTTL()),
        cache(json, "cacheUnauthorizedTTL", d.cacheUnauthorizedTTL()));
  }

  private static Duration cache(Section json, String key, Duration fallback) {
    Duration ttl = json.duration(key, fallback);
    if (ttl.isNegative() || ttl.compareTo(Authentication.LONGEST_TTL) > 0) {
      throw new ConfigException(
          List.of(Mistake.of(json.pointer(key), Check.text(ttl), "must be from \"0s\" to \"1h\"")));
    }
    return ttl;
  }

  private @Nullable Path path(Section json, String key) {
    String text = json.text(key, "");
    return text.isEmpty() ? null : Path.of(environment.expandHome(text));
  }
}
