package dev.vertlet.remote.client;

import dev.vertlet.provider.ProviderSettings;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/**
 * Section {@code providers.settings.remote}.
 *
 * @param url of the back end: scheme, host, port and an optional path before {@code /v1}
 * @param level what the back end runs, and how it is called
 * @param insecure whether {@code http://} is allowed to other machines
 * @param tokenFile file with the bearer token; empty for none
 * @param tls files and names for {@code https://}
 * @param environment whether pods come with their environment resolved
 * @param content whether pods come with the content of their volumes
 * @param resize whether a back end of single containers changes resources of running ones
 * @param callTimeout limit of one call, from its begin to the end of its answer
 * @param heartbeat longest pause between two lines of the event stream; after three of them without
 *     a line the stream is dead
 * @param pollInterval pause between two lists of a back end without an event stream
 * @param maxAnswerBytes limit of one answer, and of one line of the event stream
 * @param pageSize pods that one page of a list should have
 */
public record RemoteSettings(
    URI url,
    Level level,
    boolean insecure,
    String tokenFile,
    Tls tls,
    boolean environment,
    boolean content,
    boolean resize,
    Duration callTimeout,
    Duration heartbeat,
    Duration pollInterval,
    int maxAnswerBytes,
    int pageSize) {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /**
   * Files and names for TLS; empty for none.
   *
   * @param caFile certificates that are trusted instead of Java's
   * @param certFile own certificate, with {@code keyFile}
   * @param serverName name that the back end's certificate must have, instead of the URL's host
   */
  record Tls(String caFile, String certFile, String keyFile, String serverName) {}

  /**
   * Reads and checks the section.
   *
   * @throws dev.vertlet.provider.SettingsException for a value that is not allowed
   */
  public static RemoteSettings read(ProviderSettings json) {
    ProviderSettings section =
        json.only(
            "url",
            "level",
            "dialect",
            "insecure",
            "tokenFile",
            "tls",
            "environment",
            "content",
            "resize",
            "callTimeout",
            "heartbeat",
            "pollInterval",
            "maxAnswerBytes",
            "pageSize");
    boolean insecure = section.flag("insecure", false);
    URI url = url(section, insecure);
    boolean environment = section.flag("environment", true);
    boolean content = section.flag("content", environment);
    if (content && !environment) {
      throw section.refuse("content", "must be false without environment");
    }
    return new RemoteSettings(
        url,
        level(section),
        insecure,
        section.text("tokenFile", ""),
        tls(section.section("tls"), url),
        environment,
        content,
        section.flag("resize", false),
        // under the two minutes after which a call of the SPI has failed
        section.duration(
            "callTimeout", Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofSeconds(110)),
        section.duration(
            "heartbeat", Duration.ofSeconds(10), Duration.ofMillis(100), Duration.ofMinutes(5)),
        section.duration(
            "pollInterval", Duration.ofSeconds(5), Duration.ofMillis(100), Duration.ofMinutes(5)),
        (int) section.number("maxAnswerBytes", 16 << 20, 1 << 10, 1 << 30),
        (int) section.number("pageSize", 500, 1, 100_000));
  }

  /** What a back end runs, and how it is called. */
  public enum Level {
    PODS,
    CONTAINERS,
    /** Whole pods, in the calls of interLink's plugins. */
    INTERLINK
  }

  private static Level level(ProviderSettings section) {
    boolean interlink =
        switch (section.text("dialect", "vertlet")) {
          case "vertlet" -> false;
          case "interlink" -> true;
          default -> throw section.refuse("dialect", "must be vertlet or interlink");
        };
    return switch (section.text("level", "pods")) {
      case "pods" -> interlink ? Level.INTERLINK : Level.PODS;
      case "containers" -> {
        if (interlink) {
          throw section.refuse("level", "must be pods with dialect interlink");
        }
        yield Level.CONTAINERS;
      }
      default -> throw section.refuse("level", "must be pods or containers");
    };
  }

  private static URI url(ProviderSettings section, boolean insecure) {
    URI url;
    try {
      url = new URI(section.text("url"));
    } catch (URISyntaxException e) {
      throw section.refuse("url", "must be a URL");
    }
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https") || url.getHost() == null) {
      throw section.refuse("url", "must be an http:// or https:// URL with a host");
    }
    if (url.getRawUserInfo() != null || url.getRawQuery() != null || url.getRawFragment() != null) {
      throw section.refuse("url", "must have no user, query or fragment");
    }
    if (scheme.equals("http") && !insecure && !LOOPBACK.contains(url.getHost())) {
      throw section.refuse(
          "url",
          "must be https://, as requests carry secrets; http:// is for loopback, or with insecure:"
              + " true");
    }
    return url;
  }

  private static Tls tls(ProviderSettings section, URI url) {
    ProviderSettings tls = section.only("caFile", "certFile", "keyFile", "serverName");
    String cert = tls.text("certFile", "");
    String key = tls.text("keyFile", "");
    if (cert.isEmpty() != key.isEmpty()) {
      throw tls.refuse(cert.isEmpty() ? "keyFile" : "certFile", "must come with the other file");
    }
    Tls read = new Tls(tls.text("caFile", ""), cert, key, tls.text("serverName", ""));
    boolean any = !(read.caFile + read.certFile + read.serverName).isEmpty();
    if (any && url.getScheme().equalsIgnoreCase("http")) {
      throw tls.refuse("", "must be left out for an http:// URL");
    }
    return read;
  }

  boolean secure() {
    return url.getScheme().equalsIgnoreCase("https");
  }

  /** The back end, for people. */
  public String display() {
    return url.toString();
  }

  /**
   * Fills in where a request goes.
   *
   * @param path begins with a slash; with query
   */
  <T extends RequestOptions> T address(T options, String path) {
    int port = url.getPort() >= 0 ? url.getPort() : secure() ? 443 : 80;
    String before = url.getRawPath() == null ? "" : url.getRawPath().replaceAll("/+$", "");
    String host = url.getHost().replaceAll("[\\[\\]]", "");
    options.setSsl(secure()).setPort(port).setHost(host).setURI(before + path);
    if (!tls.serverName.isEmpty()) {
      options.setServer(SocketAddress.inetSocketAddress(port, host)).setHost(tls.serverName);
    }
    return options;
  }

  /** Limit of silence on the event stream. */
  Duration silence() {
    return heartbeat.multipliedBy(3);
  }
}
