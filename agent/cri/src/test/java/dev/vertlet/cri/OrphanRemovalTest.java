package dev.vertlet.cri;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.cri.sandbox.LogPaths;
import dev.vertlet.cri.sandbox.PodCgroups;
import dev.vertlet.host.files.Workers;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent that was killed has left of pods. */
final class OrphanRemovalTest {
  private final Vertx vertx = Vertx.vertx();
  private final Groups groups = new Groups();
  private final Set<String> known = new TreeSet<>();

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path directory;

  /** Groups of pods by their UIDs; one in which a process runs cannot be removed. */
  private static final class Groups implements PodCgroups {
    private final Set<String> uids = new TreeSet<>();
    private final Set<String> used = new TreeSet<>();

    @Override
    public Future<String> prepare(PodView pod) {
      throw new AssertionError("nothing is made");
    }

    @Override
    public Future<Set<String>> uids() {
      return Future.succeededFuture(Set.copyOf(uids));
    }

    @Override
    public Future<Void> remove(String uid) {
      if (used.contains(uid)) {
        return Future.failedFuture(new IOException("Device or resource busy"));
      }
      uids.remove(uid);
      return Future.succeededFuture();
    }
  }

  @AfterEach
  void close() {
    Waits.get(vertx.close());
  }

  private OrphanRemoval removal(boolean ownLogs) {
    return new OrphanRemoval(
        known::contains,
        groups,
        new LogPaths(directory.resolve("logs")),
        ownLogs,
        directory.resolve("pods"),
        new Workers(vertx));
  }

  private Path log(String pod) throws IOException {
    Path log = Files.createDirectories(directory.resolve("logs").resolve(pod));
    Files.writeString(log.resolve("0.log"), "line");
    return log;
  }

  @Test
  void groupsOfPodsWithoutADirectoryGo() throws IOException {
    Files.createDirectories(directory.resolve("pods/of-another-shard"));
    known.add("running");
    groups.uids.addAll(Set.of("orphan", "of-another-shard", "running", "used"));
    groups.used.add("used");

    Waits.get(removal(true).sweep());

    assertThat(groups.uids).containsExactly("of-another-shard", "running", "used");
    groups.used.clear();
    Waits.get(removal(true).sweep());
    assertThat(groups.uids).containsExactly("of-another-shard", "running");
  }

  @Test
  void logsOfPodsWithoutADirectoryGoAndOnlyWhatIsNamedAsTheyAre() throws IOException {
    Files.createDirectories(directory.resolve("pods/uid-2"));
    Path orphan = log("default_web_uid-1");
    Path there = log("default_web_uid-2");
    Path other = log("lost+found");

    Waits.get(removal(false).sweep());
    assertThat(orphan).exists();
    Waits.get(removal(true).sweep());

    assertThat(orphan).doesNotExist();
    assertThat(there).exists();
    assertThat(other).exists();
  }

  @Test
  void nothingIsThereBeforeTheFirstPod() {
    Waits.get(removal(true).sweep());

    assertThat(directory).isEmptyDirectory();
  }
}
