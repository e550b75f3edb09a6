package dev.vertlet.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.auth.AuthMeters.Attempt;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class AuthMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AuthMeters meters = new AuthMeters(registry);

  @Test
  void questionsAreCountedByWhatTheyAreAboutAndTheirAnswer() {
    KubePath tokens = new KubePath("/t", "tokenreviews", "authentication.k8s.io");
    KubePath access = new KubePath("/a", "subjectaccessreviews", "authorization.k8s.io");

    meters.asked(tokens, null);
    meters.asked(tokens, null);
    meters.asked(tokens, new KubeException(KubeException.Kind.SERVER_ERROR, 503, "no", null, null));
    meters.asked(access, new KubeException(KubeException.Kind.TRANSPORT, 0, "gone", null, null));
    meters.asked(access, new IllegalStateException());

    assertThat(count("apiserver_delegated_authn_request_total", "code", "201")).isEqualTo(2);
    assertThat(count("apiserver_delegated_authn_request_total", "code", "503")).isEqualTo(1);
    assertThat(count("apiserver_delegated_authz_request_total", "code", "<error>")).isEqualTo(2);
  }

  @Test
  void attemptsAreCountedByTheirResult() {
    meters.attempt(Attempt.SUCCESS);
    meters.attempt(Attempt.FAILURE);
    meters.attempt(Attempt.ERROR);
    meters.attempt(Attempt.ERROR);

    assertThat(count("authentication_attempts_total", "result", "error")).isEqualTo(2);
    assertThat(count("authentication_attempts_total", "result", "failure")).isEqualTo(1);
  }

  private double count(String name, String label, String value) {
    return registry.get(name).tag(label, value).counter().count();
  }
}
