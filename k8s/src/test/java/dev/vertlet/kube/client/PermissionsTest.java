package dev.vertlet.kube.client;

import static dev.vertlet.kube.client.ApiLab.FAST;
import static dev.vertlet.kube.client.ApiLab.failure;
import static dev.vertlet.kube.client.ApiLab.patchStatus;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.testsupport.ManualClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is said about refused permissions. */
class PermissionsTest {
  @AutoClose private final ApiLab lab = ApiLab.start();

  private final Logger logger = (Logger) LoggerFactory.getLogger(KubeClient.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final ManualClock clock = new ManualClock();

  @BeforeEach
  void listen() {
    logger.setLevel(Level.INFO);
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(log);
    logger.setLevel(null);
  }

  @Test
  void aMissingPermissionIsNamedOnceHoweverOftenItIsMissed() throws Exception {
    KubeClient client = client(lab);
    lab.server.faults().on("get", "leases").forbid();
    lab.server.faults().on("patch", "pods/status").forbid();

    for (int i = 0; i < 5; i++) {
      failure(client.send(KubeRequest.get(Lane.LEASE, KubePath.nodeLease("a"))));
      failure(patchStatus(client, "p" + i));
    }
    assertThat(about("get leases"))
        .singleElement()
        .asString()
        .startsWith("WARN get leases is refused: forbidden: user \"")
        .contains("may not get leases in API group \"coordination.k8s.io\"; RBAC must grant it");
    assertThat(about("patch pods/status"))
        .singleElement()
        .asString()
        .startsWith("WARN patch pods/status is refused: forbidden: user \"")
        .contains("may not patch pods/status in API group \"\"; RBAC must grant it");
  }

  @Test
  void saysItAgainWhileItLastsAndWhenItIsOver() throws Exception {
    KubeClient client = client(lab);
    Fault denied = lab.server.faults().on("patch", "pods/status").forbid();
    failure(patchStatus(client, "a"));

    clock.advance(Duration.ofSeconds(2));
    failure(patchStatus(client, "a"));
    denied.lift();
    clock.advance(Duration.ofMinutes(1));
    failure(patchStatus(client, "a")); // not found: it was allowed to look
    failure(patchStatus(client, "a"));
    assertThat(about("patch pods/status"))
        .satisfiesExactly(
            first -> assertThat(first).startsWith("WARN"),
            again -> assertThat(again).startsWith("WARN").contains("for 2 s (2 failures)"),
            over -> assertThat(over).isEqualTo("INFO patch pods/status is granted after 62 s"));
  }

  @Test
  void aGrantForOneNamespaceDoesNotEndTheDenialInAnother() throws Exception {
    KubeClient client = client(lab);
    lab.server.faults().on("patch", "pods/status").named("denied").forbid();

    for (int i = 0; i < 20; i++) {
      failure(patchStatus(client, "denied"));
      failure(patchStatus(client, "granted"));
    }
    assertThat(about("patch pods/status")).hasSize(1);
  }

  @Test
  void leavesListsToTheirReflector() throws Exception {
    KubeClient client = client(lab);
    lab.server.faults().on("list", "nodes").forbid();

    failure(client.send(KubeRequest.list(Lane.NODE, KubePath.nodes(), "", MediaType.JSON)));
    assertThat(about("list nodes")).isEmpty();
  }

  private KubeClient client(ApiLab lab) throws Exception {
    ApiAccess access = ApiAccess.of(lab.server.url(), lab.server.token());
    return get(KubeClient.create(lab.vertx, FAST, access, lab.registry, clock));
  }

  /** Level and message; they were written before the answer was given. */
  private List<String> about(String permission) {
    return log.list.stream()
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .filter(line -> line.contains(" " + permission + " "))
        .toList();
  }
}
