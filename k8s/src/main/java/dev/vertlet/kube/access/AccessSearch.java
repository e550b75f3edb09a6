package dev.vertlet.kube.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.vertlet.kube.AccessException;
import dev.vertlet.kube.Failures;
import dev.vertlet.yaml.BoundedYaml;
import dev.vertlet.yaml.YamlLimitException;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.ExecConfig;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.api.model.Preferences;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Finds, merges and checks what {@link ApiAccess} describes. Blocks. */
final class AccessSearch {
  /** Position in the error messages of the YAML engine and of Jackson. */
  private static final Pattern PLACE = Pattern.compile("line:? (\\d+),? column:? (\\d+)");

  /**
   * Reads a kubeconfig into fabric8's objects without fabric8's own mapper, which knows all kinds
   * of objects and takes 0.1 s and some 250 classes. Only extensions need those, which no client
   * reads.
   */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .addMixIn(Cluster.class, WithoutExtensions.class)
          .addMixIn(AuthInfo.class, WithoutExtensions.class)
          .addMixIn(Context.class, WithoutExtensions.class)
          .addMixIn(Preferences.class, WithoutExtensions.class)
          .addMixIn(io.fabric8.kubernetes.api.model.Config.class, WithoutExtensions.class)
          .build();

  private final ApiAccess access;

  AccessSearch(ApiAccess access) {
    this.access = access;
  }

  AccessSnapshot load() {
    List<Path> files = files();
    if (!files.isEmpty()) {
      return fromKubeconfig(files);
    }
    if (access.environment().containsKey("KUBERNETES_SERVICE_HOST")) {
      return inCluster();
    }
    throw new AccessException(
        "no Kubernetes configuration found: no --kubeconfig given, %s, no file %s, and not in a Pod"
                .formatted(
                    access.environment().containsKey("KUBECONFIG")
                        ? "none of the files in KUBECONFIG exists"
                        : "KUBECONFIG is not set",
                    defaultFile())
            + " (KUBERNETES_SERVICE_HOST is not set)");
  }

  private List<Path> files() {
    Path explicit = access.kubeconfig();
    if (explicit != null) {
      return List.of(explicit);
    }
    String listed = access.environment().get("KUBECONFIG");
    Stream<Path> candidates =
        listed == null || listed.isBlank()
            ? Stream.of(defaultFile())
            : Stream.of(listed.split(File.pathSeparator)).filter(s -> !s.isBlank()).map(Path::of);
    return candidates.filter(Files::exists).toList();
  }

  private Path defaultFile() {
    return access.home().resolve(".kube").resolve("config");
  }

  private AccessSnapshot fromKubeconfig(List<Path> files) {
    List<io.fabric8.kubernetes.api.model.Config> parsed = new ArrayList<>();
    for (Path file : files) {
      parsed.add(parse(file));
    }
    String where =
        "kubeconfig " + files.stream().map(Path::toString).collect(Collectors.joining(", "));
    NamedContext context = context(parsed, where);
    requireCluster(parsed, context, where);
    NamedAuthInfo user = user(parsed, context, where);
    Path directory = directoryOf(user == null ? files.get(0) : fileOf(user, parsed, files));
    AuthInfo auth = user == null ? new AuthInfo() : user.getUser();
    refuseImpersonation(auth, where);
    ExecConfig exec = auth.getExec();
    auth.setExec(null); // ExecPlugin runs it, with a time limit and without stderr
    Config config = Config.empty();
    KubeConfigUtils.merge(
        config, context.getName(), parsed.toArray(new io.fabric8.kubernetes.api.model.Config[0]));
    String described = where + ", context " + context.getName();
    return AccessSnapshot.of(
        config,
        described,
        access.environment(),
        tokenFile(auth, directory),
        exec == null ? null : new ExecPlugin(exec, directory));
  }

  private static io.fabric8.kubernetes.api.model.Config parse(Path file) {
    if (Files.isDirectory(file)) {
      throw new AccessException("kubeconfig " + file + " cannot be read: it is a directory");
    }
    byte[] text = bytes(file);
    if (new String(text, UTF_8).isBlank()) {
      throw new AccessException("kubeconfig " + file + " is empty");
    }
    try {
      BoundedYaml.check(text);
      return resolved(
          JSON.convertValue(tree(text), io.fabric8.kubernetes.api.model.Config.class),
          directoryOf(file));
    } catch (YamlLimitException e) {
      throw new AccessException("kubeconfig " + file + " " + e.getMessage());
    } catch (RuntimeException e) { // from the YAML engine, Jackson or fabric8
      throw new AccessException("kubeconfig " + file + " is not a kubeconfig" + place(e));
    }
  }

  private static Path directoryOf(Path file) {
    return Objects.requireNonNullElse(file.toAbsolutePath().getParent(), Path.of("/"));
  }

  private static Object tree(byte[] text) {
    List<Object> documents = BoundedYaml.read(text, new CoreSchema(), true);
    return documents.isEmpty() ? Map.of() : documents.get(0);
  }

  /** Relative paths are relative to their kubeconfig. */
  private static io.fabric8.kubernetes.api.model.Config resolved(
      io.fabric8.kubernetes.api.model.Config config, Path directory) {
    for (NamedCluster named : config.getClusters()) {
      Cluster cluster = named.getCluster();
      if (cluster != null) {
        cluster.setCertificateAuthority(resolved(cluster.getCertificateAuthority(), directory));
      }
    }
    for (NamedAuthInfo named : config.getUsers()) {
      AuthInfo user = named.getUser();
      if (user != null) {
        user.setClientCertificate(resolved(user.getClientCertificate(), directory));
        user.setClientKey(resolved(user.getClientKey(), directory));
      }
    }
    return config;
  }

  private static @Nullable String resolved(@Nullable String path, Path directory) {
    return path == null || path.isEmpty() ? path : directory.resolve(path).toString();
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new AccessException(
          "kubeconfig " + file + " cannot be read: " + Failures.describe(e), e);
    }
  }

  /** Returns only the position: parsers quote their input, which may contain a credential. */
  private static String place(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Matcher place = PLACE.matcher(String.valueOf(cause.getMessage()));
      if (place.find()) {
        return ": see line " + place.group(1) + ", column " + place.group(2);
      }
    }
    return "";
  }

  private NamedContext context(List<io.fabric8.kubernetes.api.model.Config> parsed, String where) {
    List<NamedContext> all =
        parsed.stream()
            .flatMap(c -> c.getContexts().stream())
            .filter(c -> c.getContext() != null)
            .toList();
    String known =
        all.isEmpty()
            ? "it has none"
            : "it has " + all.stream().map(NamedContext::getName).collect(Collectors.joining(", "));
    String wanted =
        Optional.ofNullable(access.context())
            .or(
                () ->
                    parsed.stream()
                        .map(io.fabric8.kubernetes.api.model.Config::getCurrentContext)
                        .filter(name -> name != null && !name.isEmpty())
                        .findFirst())
            .orElseThrow(
                () -> new AccessException(where + " has no current-context; contexts: " + known));
    return all.stream()
        .filter(c -> c.getName().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new AccessException(
                    "context \"" + wanted + "\" is not in " + where + ": " + known));
  }

  private static void requireCluster(
      List<io.fabric8.kubernetes.api.model.Config> parsed, NamedContext context, String where) {
    String name = context.getContext().getCluster();
    Optional<NamedCluster> cluster =
        parsed.stream()
            .flatMap(c -> c.getClusters().stream())
            .filter(c -> c.getCluster() != null && c.getName().equals(name))
            .findFirst();
    if (cluster.isEmpty()) {
      throw new AccessException(
          "context \"%s\" names cluster \"%s\", which is not in %s"
              .formatted(context.getName(), name, where));
    }
    String server = cluster.get().getCluster().getServer();
    if (server == null || server.isEmpty()) {
      throw new AccessException("cluster \"" + name + "\" in " + where + " has no server");
    }
    AccessSnapshot.requireHttp(server, "cluster \"" + name + "\" in " + where);
  }

  private static @Nullable NamedAuthInfo user(
      List<io.fabric8.kubernetes.api.model.Config> parsed, NamedContext context, String where) {
    String name = context.getContext().getUser();
    if (name == null || name.isEmpty()) {
      return null;
    }
    return parsed.stream()
        .flatMap(c -> c.getUsers().stream())
        .filter(u -> u.getUser() != null && u.getName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new AccessException(
                    "context \"%s\" names user \"%s\", which is not in %s"
                        .formatted(context.getName(), name, where)));
  }

  private static Path fileOf(
      NamedAuthInfo user, List<io.fabric8.kubernetes.api.model.Config> parsed, List<Path> files) {
    for (int i = 0; i < parsed.size(); i++) {
      if (parsed.get(i).getUsers().contains(user)) {
        return files.get(i);
      }
    }
    return files.get(0);
  }

  /** Acting as the wrong user in silence is worse than not starting. */
  private static void refuseImpersonation(AuthInfo user, String where) {
    if (user.getAs() != null && !user.getAs().isEmpty()) {
      throw new AccessException(
          where + ": impersonation (as: " + user.getAs() + ") is not supported");
    }
  }

  private static @Nullable Path tokenFile(AuthInfo user, Path directory) {
    String file = user.getTokenFile();
    return file == null || file.isEmpty() ? null : directory.resolve(file);
  }

  private AccessSnapshot inCluster() {
    String host = access.environment().get("KUBERNETES_SERVICE_HOST");
    String port = access.environment().getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    Path token = access.serviceAccount().resolve("token");
    if (!Files.exists(token)) {
      throw new AccessException(
          "in a Pod (KUBERNETES_SERVICE_HOST is set), but there is no service account token at "
              + token
              + "; set automountServiceAccountToken or give a kubeconfig");
    }
    String authority = host != null && host.contains(":") ? "[" + host + "]" : host;
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("https://" + authority + ":" + port)
            .withCaCertFile(access.serviceAccount().resolve("ca.crt").toString())
            .build();
    return AccessSnapshot.of(
        config, "service account of this Pod", access.environment(), token, null);
  }

  @JsonIgnoreProperties("extensions")
  private interface WithoutExtensions {}
}
