package dev.vertlet.kube.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.kube.AccessException;
import dev.vertlet.kube.Failures;
import io.fabric8.kubernetes.api.model.ExecConfig;
import io.fabric8.kubernetes.api.model.ExecEnvVar;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A credential plugin of a kubeconfig: a program that prints an {@code ExecCredential}. Its stderr
 * goes to ours, as with kubectl; it gets no terminal. Blocks.
 *
 * @see <a
 *     href="https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins">client-go
 *     credential plugins</a>
 */
final class ExecPlugin {
  /** Cloud plugins make a few HTTP calls; a plugin that runs for a minute hangs. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final Logger LOG = LoggerFactory.getLogger(ExecPlugin.class);

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Once the plugin has ended, its whole output is in the pipe; a surviving child that holds the
   * pipe open adds nothing.
   */
  private static final Duration AFTER_EXIT = Duration.ofSeconds(1);

  private final ExecConfig config;
  private final Path directory;
  private final Duration limit;

  /**
   * Creates a plugin with the default limit.
   *
   * @param directory of the kubeconfig; relative commands are resolved against it
   */
  ExecPlugin(ExecConfig config, Path directory) {
    this(config, directory, LIMIT);
  }

  /**
   * Creates a plugin.
   *
   * @param limit after which the plugin and its children are killed
   */
  ExecPlugin(ExecConfig config, Path directory, Duration limit) {
    this.config = config;
    this.directory = directory;
    this.limit = limit;
  }

  /**
   * Credential that a plugin returned.
   *
   * @param token empty if the plugin returned a certificate
   * @param certificate PEM, empty if the plugin returned a token
   * @param key PEM, empty if the plugin returned a token
   * @param expires null if unknown
   */
  record Credential(String token, String certificate, String key, @Nullable Instant expires) {
    @Override
    public String toString() {
      return "Credential[expires=" + expires + "]";
    }
  }

  /**
   * Runs the plugin.
   *
   * @throws AccessException when the plugin cannot be run, fails, hangs or prints something else
   */
  Credential run(String description) {
    String name = description + ": exec plugin " + config.getCommand();
    String output;
    try {
      output = output(name);
    } catch (IOException e) {
      String hint = config.getInstallHint() == null ? "" : "; " + config.getInstallHint().strip();
      throw new AccessException(name + " cannot be run: " + Failures.describe(e) + hint, e);
    }
    return parse(name, output);
  }

  private String output(String name) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command());
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("KUBERNETES_EXEC_INFO", execInfo());
    if (config.getEnv() != null) {
      for (ExecEnvVar variable : config.getEnv()) {
        builder.environment().put(variable.getName(), variable.getValue());
      }
    }
    Process process = builder.start();
    process.getOutputStream().close();
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Thread reader = new Thread(() -> read(process, printed), "exec-plugin-output");
    reader.setDaemon(true); // may outlive this call: a pipe cannot be read with a deadline
    reader.start();
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AccessException(name + " did not end within " + limit.toMillis() + " ms");
      }
      reader.join(AFTER_EXIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      kill(process);
    }
    if (process.exitValue() != 0) {
      throw new AccessException(name + " ended with exit code " + process.exitValue());
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  private static void read(Process process, ByteArrayOutputStream printed) {
    try {
      process.getInputStream().transferTo(printed);
    } catch (IOException e) {
      LOG.debug("The output of an exec plugin ended: {}", e.toString());
    }
  }

  /** Collects the children first: they cannot be found once their parent has ended. */
  private static void kill(Process process) {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
  }

  private List<String> command() {
    List<String> command = new ArrayList<>();
    String program = config.getCommand();
    boolean relative = program.contains(File.separator) && !Path.of(program).isAbsolute();
    command.add(relative ? directory.resolve(program).normalize().toString() : program);
    if (config.getArgs() != null) {
      command.addAll(config.getArgs());
    }
    return command;
  }

  private String execInfo() {
    return "{\"apiVersion\":\"%s\",\"kind\":\"ExecCredential\",\"spec\":{\"interactive\":false}}"
        .formatted(config.getApiVersion());
  }

  private Credential parse(String name, String output) {
    JsonNode root;
    try {
      root = JSON.readTree(output);
    } catch (IOException e) {
      // the parser's message would quote the output, which may hold a token
      throw new AccessException(name + " did not print JSON");
    }
    if (!root.path("apiVersion").asText().equals(config.getApiVersion())) {
      throw new AccessException(
          "%s printed apiVersion \"%s\", the kubeconfig asks for \"%s\""
              .formatted(name, root.path("apiVersion").asText(), config.getApiVersion()));
    }
    JsonNode status = root.path("status");
    String token = status.path("token").asText("");
    String certificate = status.path("clientCertificateData").asText("");
    String key = status.path("clientKeyData").asText("");
    if (token.isEmpty() && (certificate.isEmpty() || key.isEmpty())) {
      throw new AccessException(name + " printed neither a token nor a certificate with its key");
    }
    return new Credential(
        token, certificate, key, instant(name, status.path("expirationTimestamp").asText("")));
  }

  private static @Nullable Instant instant(String name, String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new AccessException(name + " printed expirationTimestamp \"" + text + "\"", e);
    }
  }
}
