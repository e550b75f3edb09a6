package dev.vertlet.sandboxes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.document.DocumentReader;
import dev.vertlet.config.document.Section;
import dev.vertlet.model.Names;
import dev.vertlet.problem.Problems;
import dev.vertlet.sandbox.SandboxNames;
import dev.vertlet.sandbox.pool.PoolSpec;
import dev.vertlet.server.Loopback;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checked and complete configuration of {@code sandbox serve}.
 *
 * @param kubeconfig empty for the usual search
 * @param context empty for the current context
 * @param resolver source of image digests
 * @param plainHttp registries that are queried without TLS
 * @param registries registries that may be queried; any when the resolver queries none
 * @param pools pools with unique names
 */
public record SandboxConfig(
    String kubeconfig,
    String context,
    SandboxNames names,
    Resolver resolver,
    Set<String> plainHttp,
    AllowedRegistries registries,
    Api api,
    Leader leader,
    List<PoolSpec> pools) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Source of image digests. */
  public enum Resolver {
    /** Queries registries. */
    REGISTRY,
    /** Computes the digests of simulated nodes. */
    SIMULATED
  }

  /**
   * Settings of the API's server.
   *
   * @param authenticate whether clients need a bearer token that the API server accepts
   * @param advertise URL of this process for others; empty for none
   * @param plainHttp whether plain HTTP is allowed on an address other than loopback
   * @param certificate PEM file; null for plain HTTP
   * @param key PEM file; null for plain HTTP
   */
  public record Api(
      String address,
      int port,
      boolean authenticate,
      String advertise,
      boolean plainHttp,
      @Nullable Path certificate,
      @Nullable Path key) {}

  /**
   * Leader election among several processes.
   *
   * @param namespace namespace of the Lease; empty for the process's own
   * @param duration term without renewal after which another process takes over
   */
  public record Leader(
      boolean enabled, String namespace, String name, Duration duration, Duration renewInterval) {}

  public SandboxConfig {
    plainHttp = Set.copyOf(plainHttp);
    pools = List.copyOf(pools);
  }

  /** Returns how many pods all pools have together. */
  public int pods() {
    return pools.stream().mapToInt(PoolSpec::size).sum();
  }

  /**
   * Reads a file. Blocks: not for event loops.
   *
   * @throws ConfigException with every problem, each with its JSON pointer
   */
  public static SandboxConfig read(Path file) {
    return new Reader(new DocumentReader("/sandbox.schema.json").read(file)).read();
  }

  /** Collects the mistakes that the schema cannot detect. */
  private static final class Reader {
    private final Section root;
    private final Problems problems = new Problems();

    Reader(Section root) {
      this.root = root;
    }

    SandboxConfig read() {
      Section kubernetes = root.section("kubernetes");
      SandboxNames names = SandboxNames.AGENTBOX;
      String prefix = root.text("prefix", names.prefix());
      try {
        names = new SandboxNames(prefix);
      } catch (IllegalArgumentException e) {
        problems.refuse(
            "/prefix", prefix, "must be a DNS name and a slash, such as \"example.com/\"");
      }
      Section resolver = root.section("resolver");
      List<PoolSpec> pools = root.sections("pools", this::pool);
      Set<String> seen = new HashSet<>();
      for (int i = 0; i < pools.size(); i++) {
        if (!seen.add(pools.get(i).name())) {
          problems.refuse("/pools/" + i + "/name", pools.get(i).name(), "must be no other pool's");
        }
      }
      Api api = api(root.section("api"));
      Leader leader = leader(root.section("leaderElection"));
      problems.done(ConfigException::new);
      return new SandboxConfig(
          kubernetes.text("kubeconfig", ""),
          kubernetes.text("context", ""),
          names,
          resolver.word("kind", Resolver.REGISTRY),
          Set.copyOf(resolver.list("plainHttp")),
          registries(resolver, pools),
          api,
          leader,
          pools);
    }

    /** Returns the configured registries, else those of the pools' images. */
    private static AllowedRegistries registries(Section resolver, List<PoolSpec> pools) {
      List<String> named = resolver.list("registries");
      if (named.contains("*") || resolver.word("kind", Resolver.REGISTRY) == Resolver.SIMULATED) {
        return AllowedRegistries.ANY;
      }
      if (!named.isEmpty()) {
        return new AllowedRegistries(Set.copyOf(named));
      }
      List<String> images = new ArrayList<>();
      for (PoolSpec pool : pools) {
        images.add(pool.idleImage());
        ObjectNode template = pool.template();
        if (template != null) {
          template
              .path("spec")
              .path("containers")
              .forEach(container -> images.add(container.path("image").asText("")));
        }
      }
      return new AllowedRegistries(AllowedRegistries.of(images));
    }

    private Api api(Section json) {
      String address = json.text("address", "127.0.0.1");
      boolean authenticate = json.text("authentication", "tokenReview").equals("tokenReview");
      boolean loopback = Loopback.isHost(address);
      if (!authenticate && !loopback) {
        problems.refuse(
            "/api/authentication", "none", "is for loopback addresses; must be \"tokenReview\"");
      }
      if (json.has("tlsCertFile") != json.has("tlsPrivateKeyFile")) {
        problems.about("/api", "must have both of tlsCertFile and tlsPrivateKeyFile, or none");
      }
      boolean plainHttp = json.flag("plainHttp", false);
      if (!loopback && !json.has("tlsCertFile") && !plainHttp) {
        problems.refuse(
            "/api/address",
            address,
            "needs tlsCertFile and tlsPrivateKeyFile, as tokens come over the network;"
                + " plainHttp true is for one behind something that speaks TLS");
      }
      String advertise = json.text("advertise", "");
      if (!advertise.isEmpty() && !isUrl(advertise)) {
        problems.refuse("/api/advertise", advertise, "must be a URL");
      }
      return new Api(
          address,
          json.number("port", 8480),
          authenticate,
          advertise,
          plainHttp,
          json.has("tlsCertFile") ? json.path("tlsCertFile", "") : null,
          json.has("tlsPrivateKeyFile") ? json.path("tlsPrivateKeyFile", "") : null);
    }

    private static boolean isUrl(String text) {
      try {
        return URI.create(text).isAbsolute();
      } catch (IllegalArgumentException e) {
        return false;
      }
    }

    private Leader leader(Section json) {
      Leader leader =
          new Leader(
              json.flag("enabled", true),
              json.text("namespace", ""),
              json.text("name", "vertlet-sandbox"),
              json.duration("duration", Duration.ofSeconds(15)),
              json.duration("renewInterval", Duration.ofSeconds(3)));
      if (leader.duration.toSeconds() < 3
          || leader.renewInterval.isZero()
          || leader.renewInterval.isNegative()
          || leader.renewInterval.multipliedBy(3).compareTo(leader.duration) > 0) {
        problems.about(
            "/leaderElection",
            "duration must be at least 3s, and renewInterval above 0 and at most a third of"
                + " it");
      }
      return leader;
    }

    private PoolSpec pool(Section json, String place) {
      ObjectNode template = json.has("template") ? tree(json.objectOf("template").encode()) : null;
      String name = json.text("name", "");
      problems.rule(Names.checkLabel(name), place + "/name", name);
      String idle = json.text("idleImage", "");
      if (template == null && idle.isEmpty()) {
        problems.about(place + "/idleImage", "is missing; it is needed where there is no template");
      }
      if (template == null && json.number("size", 0) > 0) {
        problems.refuse(
            place + "/size", json.number("size", 0), "must be 0 where there is no template");
      }
      if (template != null && !template.path("spec").path("containers").path(0).isObject()) {
        problems.about(place + "/template/spec/containers", "must have a container");
      }
      String policy =
          template == null ? "" : template.path("spec").path("restartPolicy").asText("");
      if (!policy.isEmpty() && !policy.equals("Always")) {
        problems.refuse(
            place + "/template/spec/restartPolicy",
            policy,
            "must be Always: a container whose image is swapped has to start again");
      }
      return new PoolSpec(
          json.text("namespace", "default"),
          name,
          json.text("selector", ""),
          json.number("size", 0),
          template,
          idle,
          json.duration("claimTimeout", Duration.ofSeconds(30)),
          json.duration("startupTimeout", PoolSpec.STARTUP_TIMEOUT),
          json.duration("idleTimeout", Duration.ZERO),
          json.flag("replaceFailed", true));
    }

    private static ObjectNode tree(String json) {
      try {
        return JSON.readTree(json) instanceof ObjectNode object ? object : JSON.createObjectNode();
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("what was JSON is none any more", e);
      }
    }
  }
}
