package dev.vertlet.kubelet;

import dev.vertlet.kubelet.image.NodeImages;
import dev.vertlet.kubelet.nodehealth.NodeAdmission;
import dev.vertlet.kubelet.nodehealth.NodeClearing;
import dev.vertlet.kubelet.nodehealth.NodeEvictions;
import dev.vertlet.kubelet.nodehealth.RuntimeHealth;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.PodStates;
import dev.vertlet.kubelet.podworker.EnvironmentInputs;
import dev.vertlet.kubelet.podworker.NetworkState;
import dev.vertlet.kubelet.podworker.PodDriver;
import dev.vertlet.kubelet.podworker.PodRest;
import dev.vertlet.kubelet.podworker.RuntimeRelist;
import dev.vertlet.kubelet.podworker.WorkOptions;
import dev.vertlet.kubelet.resize.ResizeQueue;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.node.NodeView;
import java.util.function.Consumer;

/** The parts of a core, from its start to its stop. */
record CoreParts(
    CoreLoop loop,
    PodDriver driver,
    PodIntake intake,
    PodRest rest,
    RuntimeRelist relist,
    RuntimeHealth health,
    NodeImages images,
    NodeEvictions evictions,
    NodeClearing clearing,
    ResizeQueue resizes) {
  /** Makes the parts and connects them; starts none. */
  static CoreParts assemble(
      CoreEnv env,
      KubeletOptions options,
      KubeletNodes nodes,
      EnvironmentInputs inputs,
      PodStates pods) {
    WorkOptions work =
        new WorkOptions(
            options.fast(),
            options.prePull(),
            nodes.hostIPs(),
            node -> nodes.times().apply(node).syncFrequency().toMillis(),
            node -> nodes.times().apply(node).backOff());
    NetworkState network = new NetworkState();
    PodDriver driver = new PodDriver(env, work, inputs, network);
    NodeImages images =
        new NodeImages(env, pods, nodes.imageGc(), !options.fast(), nodes.maxImages());
    driver.whenPulled(images::changed);
    NodeEvictions evictions = new NodeEvictions(env, driver, pods, nodes.eviction(), images);
    NodeClearing clearing = new NodeClearing(env.loop(), driver, pods);
    NodeAdmission admission =
        new NodeAdmission(
            env.context(),
            env.loop(),
            node -> clearing.strain(evictions.strain(node)),
            node -> nodes.policy().apply(node).on(env.runtime().features()),
            clearing);
    ResizeQueue resizes = new ResizeQueue(env, admission, driver::drive);
    admission.whenFreed(resizes::freed);
    PodIntake intake = new PodIntake(env, driver, admission, resizes, pods, nodes);
    driver.whenDone(intake::forget);
    PodRest rest = new PodRest(env, work, pods, driver, network);
    pods.wakeBy(rest::wake);
    driver.whenQuiet(rest::quiet);
    RuntimeRelist relist =
        new RuntimeRelist(
            env,
            driver,
            pods,
            listed -> env.context().unclaimed(KubeletCore.orphan(listed)),
            options.relistPeriod().toMillis());
    Consumer<NodeView> observer =
        node -> {
          admission.observed(node);
          images.observed(node.name());
          evictions.observed(node.name());
        };
    Consumer<String> forgetter =
        node -> {
          admission.forget(node);
          images.release(node);
          evictions.release(node);
        };
    RuntimeHealth health =
        new RuntimeHealth(
            env,
            network,
            observer,
            forgetter,
            new RuntimeHealth.Findings(evictions::conditions, images::shown, relist::silence));
    evictions.listen(health::changed);
    images.listen(health::changed);
    return new CoreParts(
        env.loop(), driver, intake, rest, relist, health, images, evictions, clearing, resizes);
  }
}
