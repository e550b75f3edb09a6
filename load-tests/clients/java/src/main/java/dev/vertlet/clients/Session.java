package dev.vertlet.clients;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What each client does, one line of output a step.
 *
 * @param namespace of everything
 * @param pod has a container that writes lines for ever and one command at a time
 * @param container of the pod
 * @param map name of a ConfigMap that does not exist yet
 */
record Session(String namespace, String pod, String container, String map) {
  static final List<String> COMMAND = List.of("sh", "-c", "echo out; echo err >&2; exit 3");
  static final String PATCH = "{\"data\":{\"key\":\"patched\"}}";
  static final int EVENTS = 3;
  private static final int LINES = 5;

  void listed(boolean found) {
    System.out.println("list " + found);
  }

  void refused(int status) {
    System.out.println("refused " + status);
  }

  void patched(String value) {
    System.out.println("patch " + value);
  }

  void watched(List<String> events) {
    System.out.println("watch " + String.join(" ", events));
  }

  void executed(String out, String err, int exitCode) {
    System.out.printf("exec %s %s %d%n", out.strip(), err.strip(), exitCode);
  }

  /** Reads some lines of a log that goes on. */
  void follow(InputStream log) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(log, StandardCharsets.UTF_8));
    int read = 0;
    while (read < LINES && lines.readLine() != null) {
      read++;
    }
    System.out.println("logs " + read);
  }
}
