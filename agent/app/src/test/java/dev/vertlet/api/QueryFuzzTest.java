package dev.vertlet.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Seeds;
import dev.vertlet.testsupport.TestHttp.Answer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Paths and queries that nobody would write, through the whole server: what cannot be read is the
 * client's mistake and never the server's, and the next request is served.
 */
@ExtendWith(VertxExtension.class)
class QueryFuzzTest {
  /** What a handler says of a client; 500 and no answer at all are the server's own failures. */
  private static final Set<Integer> ANSWERS =
      Set.of(200, 206, 301, 400, 401, 403, 404, 405, 413, 416, 422, 429, 431, 501);

  /** What a kubelet answers with 500 although the server is well. */
  private static final String KUBELETS_500 = "Upgrade request required\n";

  private static final List<String> PATHS =
      List.of(
          "/containerLogs/default/pod-of-n0/c",
          "/exec/default/pod-of-n0/c",
          "/exec/default/pod-of-n0/uid-of-pod-of-n0/c",
          "/attach/default/pod-of-n0/c",
          "/portForward/default/pod-of-n0",
          "/run/default/pod-of-n0/c",
          "/checkpoint/default/pod-of-n0/c",
          "/stats/summary",
          "/metrics/resource",
          "/healthz/ping",
          "/logs/",
          "/pods",
          "/nodes/n0/configz");
  private static final List<String> KEYS =
      List.of(
          "tailLines",
          "tail",
          "limitBytes",
          "sinceSeconds",
          "sinceTime",
          "follow",
          "previous",
          "timestamps",
          "stream",
          "command",
          "cmd",
          "input",
          "output",
          "stdin",
          "tty",
          "port",
          "timeout",
          "only_cpu_and_memory",
          "exclude",
          "verbose",
          "");
  private static final List<String> VALUES =
      List.of(
          "",
          "0",
          "1",
          "-1",
          "true",
          "All",
          "Stdout",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "1e3",
          "0x10",
          "2026-01-01T00:00:00Z",
          "2026-13-45T99:00:00Z",
          "-999999999-01-01T00:00:00Z",
          "+999999999-12-31T23:59:59Z",
          "8080",
          "65536",
          "null",
          "%00",
          "%",
          "%zz",
          "%c3%28",
          "%ff%fe",
          "a".repeat(3_000));
  private static final String NOISE = "az09-._~%25%2f%2e%0a:@!$'()*+,;=";

  @Test
  void whatCannotBeReadIsTheClientsMistake(Vertx vertx) throws Exception {
    ServerLab lab = ServerLab.start(vertx, "{}", 1);

    for (int seed = 0; seed < Seeds.count(600, 3_000); seed++) {
      Random random = Seeds.random(seed);
      HttpMethod method = random.nextInt(4) == 0 ? HttpMethod.POST : HttpMethod.GET;
      String uri = path(random) + query(random);

      Answer answer = lab.call(method, uri, ServerLab.GOOD);

      if (!answer.body().equals(KUBELETS_500)) {
        assertThat(answer.status())
            .as("seed %d: %s %s: %s", seed, method, uri, answer.body())
            .isIn(ANSWERS);
      }
    }
  }

  private static String path(Random random) {
    StringBuilder path = new StringBuilder(pick(PATHS, random));
    for (int changes = random.nextInt(3); changes > 0; changes--) {
      int at = 1 + random.nextInt(path.length());
      switch (random.nextInt(3)) {
        case 0 -> path.insert(at, noise(random));
        case 1 -> path.delete(at, Math.min(path.length(), at + random.nextInt(6)));
        default -> path.insert(at, '/');
      }
    }
    return path.toString();
  }

  private static String query(Random random) {
    StringBuilder query = new StringBuilder();
    for (int parameters = random.nextInt(5); parameters > 0; parameters--) {
      query.append(query.isEmpty() ? '?' : '&').append(pick(KEYS, random));
      if (random.nextInt(8) > 0) {
        query.append('=').append(random.nextInt(3) == 0 ? noise(random) : pick(VALUES, random));
      }
    }
    return query.toString();
  }

  private static String noise(Random random) {
    StringBuilder noise = new StringBuilder();
    for (int length = random.nextInt(6); length > 0; length--) {
      noise.append(NOISE.charAt(random.nextInt(NOISE.length())));
    }
    return noise.toString();
  }

  private static String pick(List<String> from, Random random) {
    return from.get(random.nextInt(from.size()));
  }
}
