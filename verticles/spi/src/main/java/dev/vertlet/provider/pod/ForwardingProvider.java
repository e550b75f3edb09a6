package dev.vertlet.provider.pod;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.content.PodContent;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.RetryPolicy;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeStats;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Delegates to another provider; subclasses override what they change. {@link #reports} and {@link
 * #usesEnvironment} are not delegated: subclasses exist to provide these two.
 */
public abstract class ForwardingProvider implements PodProvider {
  protected final PodProvider provider;

  protected ForwardingProvider(PodProvider provider) {
    this.provider = provider;
  }

  @Override
  public Future<Void> start(ProviderContext context) {
    return provider.start(context);
  }

  @Override
  public Future<Void> create(PodView pod) {
    return provider.create(pod);
  }

  @Override
  public Future<Void> update(PodView pod) {
    return provider.update(pod);
  }

  @Override
  public PodInput input() {
    return provider.input();
  }

  @Override
  public Future<Void> create(PodView pod, PodContent content) {
    return provider.create(pod, content);
  }

  @Override
  public Future<Void> update(PodView pod, PodContent content) {
    return provider.update(pod, content);
  }

  @Override
  public Future<Void> contentChanged(PodRef pod, List<VolumeContent> volumes) {
    return provider.contentChanged(pod, volumes);
  }

  @Override
  public void settled(PodView pod) {
    provider.settled(pod);
  }

  @Override
  public Future<Void> delete(PodView pod, Duration grace) {
    return provider.delete(pod, grace);
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    return provider.kill(pod);
  }

  @Override
  public Future<Optional<PodReport>> get(PodRef pod) {
    return provider.get(pod);
  }

  @Override
  public Future<List<PodReport>> list() {
    return provider.list();
  }

  @Override
  public Future<Void> release(String node) {
    return provider.release(node);
  }

  @Override
  public Future<Void> drain(Duration limit) {
    return provider.drain(limit);
  }

  @Override
  public boolean writesEvents() {
    return provider.writesEvents();
  }

  @Override
  public boolean tellsUnclaimed() {
    return provider.tellsUnclaimed();
  }

  @Override
  public RetryPolicy retries() {
    return provider.retries();
  }

  @Override
  public NodeProvider nodes() {
    return provider.nodes();
  }

  @Override
  public PodStreams streams() {
    return provider.streams();
  }

  @Override
  public Future<NodeUsage> usage(String node) {
    return provider.usage(node);
  }

  @Override
  public Future<List<ProbeStats>> probes(String node) {
    return provider.probes(node);
  }

  @Override
  public Future<Void> stop() {
    return provider.stop();
  }
}
