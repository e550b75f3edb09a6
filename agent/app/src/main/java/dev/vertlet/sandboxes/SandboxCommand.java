package dev.vertlet.sandboxes;

import dev.vertlet.config.process.BuildInfo;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.metrics.Metrics;
import dev.vertlet.server.Loopback;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code vertlet sandbox}: serves pools of warm pods, or calls such a server. */
@Command(
    name = "sandbox",
    mixinStandardHelpOptions = true,
    description = "Keeps pools of warm pods and claims them: docs/sandbox.md.")
public final class SandboxCommand {
  /** Within the grace period of pods, after which the process would be killed. */
  private static final int STOP_SECONDS = 25;

  private SandboxCommand() {}

  /**
   * Creates the command with its subcommands.
   *
   * @param ended completes when the process is asked to end
   */
  public static CommandLine tree(CompletionStage<Void> ended) {
    return new CommandLine(new SandboxCommand())
        .addSubcommand(new Serve(ended))
        .addSubcommand(new Claim())
        .addSubcommand(new Release())
        .addSubcommand(new ListAll())
        .addSubcommand(new Watch(ended));
  }

  static final class Server {
    @Option(
        names = "--server",
        paramLabel = "URL",
        defaultValue = "${env:VERTLET_SANDBOX_SERVER:-http://127.0.0.1:8480}",
        description = "Default: $VERTLET_SANDBOX_SERVER, else http://127.0.0.1:8480.")
    private String url = "";

    @Option(
        names = "--token-file",
        paramLabel = "FILE",
        description = "Bearer token. Default: that of the Pod's service account, if there is one.")
    private @Nullable Path tokenFile;

    @Option(
        names = "--certificate-authority",
        paramLabel = "FILE",
        defaultValue = "${env:VERTLET_SANDBOX_CA:-}",
        description =
            "Certificates in PEM that sign the server's. Default: $VERTLET_SANDBOX_CA, else those"
                + " that Java trusts.")
    private String authority = "";

    SandboxClient client() {
      Path own = Path.of("/var/run/secrets/kubernetes.io/serviceaccount/token");
      Path file = tokenFile != null ? tokenFile : Files.isReadable(own) ? own : null;
      if (tokenFile == null && file != null && !isPrivate(url)) {
        throw new SandboxClient.RefusedException(
            "the Pod's own token is not sent to "
                + url
                + " over plain HTTP: name an https:// server, or the token with --token-file");
      }
      try {
        return new SandboxClient(
            url,
            file == null ? "" : Files.readString(file).strip(),
            authority.isEmpty() ? null : Path.of(authority));
      } catch (IOException e) {
        throw new SandboxClient.RefusedException("--token-file: cannot read " + file);
      }
    }
  }

  /** Returns whether the connection is private: TLS or loopback. */
  static boolean isPrivate(String url) {
    try {
      URI server = URI.create(url);
      return "https".equals(server.getScheme())
          || (server.getHost() != null && Loopback.isHost(server.getHost()));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static void print(PrintWriter out, JsonObject sandbox) {
    out.printf(
        "%-36s  %-8s  %s/%s  %s%n",
        sandbox.getString("id"),
        sandbox.getString("phase"),
        sandbox.getString("namespace", ""),
        sandbox.getString("pod", ""),
        sandbox.getString("podIP", ""));
    out.flush();
  }

  @Command(
      name = "serve",
      mixinStandardHelpOptions = true,
      description = "Keeps the pools of a configuration until SIGTERM or SIGINT.")
  static final class Serve implements Runnable {
    private final CompletionStage<Void> ended;

    @Spec private @Nullable CommandSpec spec;

    @Option(
        names = "--config",
        paramLabel = "FILE",
        required = true,
        description = "The pools, for example conf/examples/sandbox/tools.json.")
    private Path file = Path.of("");

    @Option(
        names = "--kubeconfig",
        paramLabel = "FILE",
        description = "Above kubernetes.kubeconfig.")
    private String kubeconfig = "";

    Serve(CompletionStage<Void> ended) {
      this.ended = ended;
    }

    @Override
    public void run() {
      SandboxConfig config = SandboxConfig.read(file);
      BuildInfo build = BuildInfo.get();
      Metrics metrics = new Metrics(build.version(), build.commit(), BuildInfo.KUBERNETES);
      Vertx vertx =
          metrics
              .instrument(new VertxOptions().setEventLoopPoolSize(2).setPreferNativeTransport(true))
              .build();
      CompletableFuture<SandboxServer> started = new CompletableFuture<>();
      String chosen = kubeconfig.isEmpty() ? config.kubeconfig() : kubeconfig;
      SandboxServer.start(
              vertx,
              config,
              ApiAccess.discover(
                  chosen.isEmpty() ? null : Path.of(chosen),
                  config.context().isEmpty() ? null : config.context()),
              ownNamespace(),
              identity(),
              metrics.registry())
          .onComplete(started::complete, started::completeExceptionally);
      try {
        SandboxServer server = started.get();
        Integer port = server.port().toCompletionStage().toCompletableFuture().get();
        PrintWriter out = out(spec);
        out.println("serving " + config.pools().size() + " pools on port " + port);
        out.flush();
        ended.toCompletableFuture().get();
        server.stop().toCompletionStage().toCompletableFuture().get(STOP_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        if (cause instanceof RuntimeException unchecked) {
          throw unchecked;
        }
        throw new IllegalStateException(String.valueOf(cause.getMessage()), cause);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (java.util.concurrent.TimeoutException e) {
        throw new IllegalStateException("the last writes took too long", e);
      } finally {
        vertx.close().toCompletionStage().toCompletableFuture().orTimeout(5, TimeUnit.SECONDS);
      }
    }

    private static String ownNamespace() {
      try {
        return Files.readString(Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace"))
            .strip();
      } catch (IOException e) {
        return "default";
      }
    }

    /** Returns the host name, which is unique per pod. */
    private static String identity() {
      String process = "-" + ProcessHandle.current().pid();
      try {
        return InetAddress.getLocalHost().getHostName() + process;
      } catch (UnknownHostException e) {
        return "vertlet" + process;
      }
    }
  }

  private static PrintWriter out(@Nullable CommandSpec spec) {
    return spec == null ? new PrintWriter(System.out, true) : spec.commandLine().getOut();
  }

  @Command(
      name = "claim",
      mixinStandardHelpOptions = true,
      description = "Claims a pod and waits until its image runs.")
  static final class Claim implements Runnable {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private Server server = new Server();

    @Parameters(paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    @Option(names = "--image", paramLabel = "IMAGE", description = "For the first container.")
    private String image = "";

    @Option(
        names = "--container",
        paramLabel = "NAME=IMAGE",
        description = "For another container; may be given more than once.")
    private Map<String, String> images = new LinkedHashMap<>();

    @Option(names = "--id", paramLabel = "ID", description = "Asking twice with it is one claim.")
    private String id = "";

    @Option(
        names = "--wait",
        paramLabel = "SECONDS",
        defaultValue = "30",
        description = "For a pod, and again for its image. Default: 30.")
    private int wait;

    @Override
    public void run() {
      JsonObject body = new JsonObject().put("waitSeconds", wait);
      if (!image.isEmpty()) {
        body.put("image", image);
      }
      if (!images.isEmpty()) {
        JsonObject all = new JsonObject();
        images.forEach(all::put);
        body.put("images", all);
      }
      if (!id.isEmpty()) {
        body.put("id", id);
      }
      SandboxClient client = server.client();
      try {
        JsonObject claimed = client.call("POST", SandboxClient.path(pool, "claims"), body.encode());
        String path = SandboxClient.path(pool, "claims", claimed.getString("id"));
        JsonObject running =
            client.call("GET", path + "?waitFor=running&timeoutSeconds=" + wait, "");
        print(out(spec), running);
        if (!running.getString("phase", "").equals("running")) {
          throw new SandboxClient.RefusedException(
              "sandbox " + running.getString("id") + " is " + running.getString("phase"));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Command(
      name = "release",
      mixinStandardHelpOptions = true,
      description = "Gives a sandbox back; it makes no difference whether it has ended already.")
  static final class Release implements Runnable {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private Server server = new Server();

    @Parameters(index = "0", paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    @Parameters(index = "1", paramLabel = "ID", description = "Id of the sandbox.")
    private String id = "";

    @Override
    public void run() {
      try {
        JsonObject sandbox = server.client().release(pool, id);
        if (sandbox.containsKey("pod")) {
          print(out(spec), sandbox);
        } else {
          PrintWriter out = out(spec);
          out.printf("%-36s  gone      nothing to give back%n", id);
          out.flush();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Shows the pools, or the sandboxes of one.")
  static final class ListAll implements Runnable {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private Server server = new Server();

    @Parameters(paramLabel = "POOL", arity = "0..1", description = "Name of a pool.")
    private String pool = "";

    @Override
    public void run() {
      PrintWriter out = out(spec);
      try {
        if (pool.isEmpty()) {
          for (Object item :
              server.client().call("GET", SandboxClient.path(), "").getJsonArray("items")) {
            JsonObject one = (JsonObject) item;
            out.printf(
                "%-20s  %d of %d ready  %d waiting  %s%n",
                one.getString("name"),
                one.getInteger("ready"),
                one.getInteger("size"),
                one.getInteger("waiting"),
                one.getJsonObject("phases").encode());
          }
          out.flush();
          return;
        }
        for (Object item :
            server
                .client()
                .call("GET", SandboxClient.path(pool, "claims"), "")
                .getJsonArray("items")) {
          print(out, (JsonObject) item);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Command(
      name = "watch",
      mixinStandardHelpOptions = true,
      description = "Shows each change of a pool's sandboxes until SIGINT.")
  static final class Watch implements Runnable {
    private final CompletionStage<Void> ended;

    @Spec private @Nullable CommandSpec spec;
    @Mixin private Server server = new Server();

    @Parameters(paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    Watch(CompletionStage<Void> ended) {
      this.ended = ended;
    }

    @Override
    public void run() {
      Thread own = Thread.currentThread();
      ended.thenRun(own::interrupt);
      try {
        server.client().follow(SandboxClient.path(pool, "watch"), s -> print(out(spec), s));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (java.io.UncheckedIOException e) {
        if (!Thread.interrupted()) {
          throw new SandboxClient.RefusedException("the stream broke: " + e.getMessage());
        }
      }
    }
  }
}
