package dev.vertlet.kubelet;

import dev.vertlet.kubelet.pod.ContainerListener;
import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.podworker.EnvironmentInputs;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.pod.PodProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The containers below an agent, for the simulation of a whole one: they outlive it, end by
 * themselves and get lost, and calls fail and hang, as a seed says.
 */
public final class SimulatedContainers {
  private final SplittableRandom random;
  private final FakeRuntime runtime;
  private final Consumer<String> told;
  private int trouble;

  /**
   * @param told what happens, in words
   */
  public SimulatedContainers(FakeLoop loop, SplittableRandom random, Consumer<String> told) {
    this.random = random;
    this.told = told;
    this.runtime = new FakeRuntime(loop);
    runtime.rests = true;
    runtime.chaos =
        call -> {
          int dice = random.nextInt(100);
          FakeRuntime.Chaos.Fate fate = fate(dice);
          told.accept("call " + call + " " + fate);
          return fate;
        };
  }

  private FakeRuntime.Chaos.Fate fate(int dice) {
    if (dice < trouble) {
      return FakeRuntime.Chaos.Fate.FAIL;
    }
    return dice < 3 * trouble ? FakeRuntime.Chaos.Fate.HANG : FakeRuntime.Chaos.Fate.WORK;
  }

  /** A kubelet core on a runtime, which is {@link #runtime} or something in front of it. */
  public static PodProvider core(ContainerRuntime runtime, KubeletOptions options, CoreLoop loop) {
    return new KubeletCore(
        runtime,
        options,
        new KubeletNodes(node -> List.of("192.168.0.1")),
        EnvironmentInputs.NONE,
        CoreMeters.NONE,
        ContainerListener.NONE,
        context -> loop);
  }

  /** A node with room for a few pods. */
  public static NodeView node(String name) {
    return new Nodes(name).has("cpu", "4").has("pods", "110").build();
  }

  public ContainerRuntime runtime() {
    return runtime;
  }

  /**
   * @param percent of the calls fail, and twice as many answer late
   */
  public void trouble(int percent) {
    trouble = percent;
  }

  /** Something happens to a container. */
  public void act() {
    List<FakePod> held = new ArrayList<>(runtime.pods.values());
    int dice = random.nextInt(20);
    if (dice < 6 && !runtime.hung.isEmpty()) {
      told.accept("a call that hung is done");
      runtime.release(random.nextInt(runtime.hung.size()));
    } else if (!held.isEmpty()) {
      FakePod pod = held.get(random.nextInt(held.size()));
      // what rests is told of, whatever happens to it
      runtime.silent = random.nextInt(10) == 0 && !runtime.resting.containsKey(pod.ref.uid());
      told.accept(pod.ref.uid() + " act " + dice + (runtime.silent ? " silently" : ""));
      if (dice == 6) {
        runtime.loseSandbox(pod.ref);
      } else {
        happen(pod, dice);
      }
      runtime.silent = false;
    }
  }

  /** A container that runs ends by itself. */
  public void exit(PodRef pod, String container, int code) {
    runtime.exit(pod, container, code);
  }

  private void happen(FakePod pod, int dice) {
    List<ContainerRecord> running =
        pod.newest.values().stream().filter(ContainerRecord::running).toList();
    if (running.isEmpty()) {
      return;
    }
    ContainerRecord one = running.get(random.nextInt(running.size()));
    String name = one.name();
    if (dice == 7) {
      runtime.lose(pod.ref, name);
    } else if (dice < 10) {
      runtime.health(pod.ref, name, true, random.nextBoolean());
    } else if (dice == 10) {
      runtime.say(pod.ref, one);
    } else {
      runtime.exit(pod.ref, name, random.nextInt(3) == 0 ? 1 : 0);
    }
  }

  /** What hangs is done and answered. */
  public void settle() {
    while (!runtime.hung.isEmpty()) {
      runtime.release(0);
    }
  }

  /** What the agent had asked for happens now or never. */
  public void agentDied() {
    runtime.forgetCalls(random::nextBoolean);
  }

  /** Nothing may be started for these pods. */
  public void ended(Set<String> uids) {
    runtime.finished.clear();
    runtime.finished.addAll(uids);
  }

  /** What a runtime must never be asked to do, and was; null for nothing. */
  public @Nullable String violation() {
    return runtime.violations.isEmpty() ? null : runtime.violations.get(0);
  }

  /** UIDs of the pods that have a sandbox. */
  public Set<String> pods() {
    return runtime.pods.keySet();
  }

  /** How many containers of the pod run. */
  public int running(PodRef pod) {
    return runtime.running(pod);
  }

  /** The newest instance of a container, null for none. */
  public @Nullable ContainerRecord newest(PodRef pod, String container) {
    FakePod held = runtime.pods.get(pod.uid());
    return held == null ? null : held.newest.get(container);
  }
}
