package dev.vertlet.kubelet.probe;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.ProbeState;
import dev.vertlet.kubelet.container.SlotProbes;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.PodEvents;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.RuntimeCalls;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.container.HandlerView.Exec;
import dev.vertlet.model.container.HandlerView.Grpc;
import dev.vertlet.model.container.HandlerView.HttpGet;
import dev.vertlet.model.container.HandlerView.TcpSocket;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.probe.ProbeResult.Outcome;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes the probes that are due and takes their answers. Events read like a kubelet's.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/prober/prober.go">
 *     prober/prober.go, kubelet 1.36.3</a>
 */
public final class ProbeActions {
  private final RuntimeCalls calls;
  private final ContainerRuntime runtime;
  private final PodEvents events;

  public ProbeActions(CoreEnv env, RuntimeCalls calls) {
    this.calls = calls;
    this.runtime = env.runtime();
    this.events = env.events();
  }

  public void probe(PodState pod, ContainerSlot slot, ProbeState probe) {
    ContainerRecord record = slot.current();
    if (record != null) {
      int call = probe.begin(calls.now());
      ask(pod, slot, probe, record.id(), call);
    }
  }

  private void ask(
      PodState pod, ContainerSlot slot, ProbeState probe, String containerId, int call) {
    calls.look(
        pod,
        RuntimeOperation.of(probe.spec.handler()),
        () ->
            runtime.probe(
                new ProbeRequest(
                    pod.view(), pod.ip(), slot.view(), containerId, probe.kind, probe.spec)),
        (result, failure) -> {
          if (!probe.awaits(call)) {
            return;
          }
          if (result != null) {
            answered(pod, slot, probe, result);
          } else if (unsupported(failure)) {
            unsupported(pod, slot, probe, failure);
          } else if (probe.retries()) {
            ask(pod, slot, probe, containerId, call);
          } else {
            probe.thrownAway();
            events.warning(
                pod,
                slot,
                PodEvents.UNHEALTHY,
                probe.kind.word()
                    + " probe errored and resulted in unknown state: "
                    + text(failure));
          }
        });
  }

  /** Counts a probe without a timely answer as failed; a later answer is dropped. */
  public void giveUp(PodState pod, ContainerSlot slot, ProbeState probe) {
    answered(pod, slot, probe, ProbeResult.failure(late(probe, pod.ip())));
  }

  private void answered(PodState pod, ContainerSlot slot, ProbeState probe, ProbeResult result) {
    probe.count(result.outcome(), calls.now());
    if (result.outcome() == Outcome.FAILURE) {
      events.warning(
          pod, slot, PodEvents.UNHEALTHY, probe.kind.word() + " probe failed: " + result.output());
    } else if (result.outcome() == Outcome.WARNING) {
      warn(pod, slot, probe, result.output());
    }
    settle(pod, slot, probe, result.outcome());
  }

  private void settle(PodState pod, ContainerSlot slot, ProbeState probe, Outcome outcome) {
    if (!probe.answered(outcome)) {
      return;
    }
    pod.changed();
    SlotProbes probes = slot.probes();
    if (probe.kind == ProbeKind.STARTUP && slot.started() && probes != null) {
      probes.begun(calls.now());
    }
  }

  private void warn(PodState pod, ContainerSlot slot, ProbeState probe, String what) {
    events.warning(
        pod, slot, PodEvents.PROBE_WARNING, probe.kind.word() + " probe warning: " + what);
  }

  private static boolean unsupported(@Nullable Throwable failure) {
    return failure != null
        && ProviderException.kindOf(failure) == ProviderException.Kind.UNSUPPORTED;
  }

  /** Takes a probe that the runtime does not support: the container stays, without traffic. */
  private void unsupported(
      PodState pod, ContainerSlot slot, ProbeState probe, @Nullable Throwable failure) {
    if (probe.unsupported()) {
      warn(pod, slot, probe, text(failure));
    }
    boolean ready = probe.kind == ProbeKind.READINESS;
    settle(pod, slot, probe, ready ? Outcome.FAILURE : Outcome.SUCCESS);
  }

  private static String text(@Nullable Throwable failure) {
    return failure == null ? "no result" : RuntimeCalls.text(failure);
  }

  /** Returns a kubelet's message for a probe that timed out, by the kind of probe. */
  private static String late(ProbeState probe, String podIP) {
    HandlerView handler = probe.spec.handler();
    String limit = probe.spec.timeoutSeconds() + "s";
    if (handler instanceof Exec exec) {
      String command = String.join(" ", exec.command());
      return "command timed out: \"" + command + "\" timed out after " + limit;
    } else if (handler instanceof HttpGet get) {
      return "Get \""
          + url(get, podIP)
          + "\": context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
    } else if (handler instanceof TcpSocket tcp) {
      return "dial tcp " + authority(tcp.host(), podIP, tcp.port()) + ": i/o timeout";
    } else if (handler instanceof Grpc) {
      return "timeout: health rpc did not complete within " + limit;
    }
    return "no answer within " + limit;
  }

  private static String url(HttpGet get, String podIP) {
    String path = get.path().startsWith("/") ? get.path() : "/" + get.path();
    return get.scheme().toLowerCase(Locale.ROOT)
        + "://"
        + authority(get.host(), podIP, get.port())
        + path;
  }

  private static String authority(String host, String podIP, String port) {
    String name = host.isEmpty() ? podIP : host;
    return (name.indexOf(':') >= 0 ? "[" + name + "]" : name) + ":" + port;
  }
}
