package dev.vertlet.content;

import dev.vertlet.bus.PodReport;
import dev.vertlet.env.VolumePreparer;
import dev.vertlet.env.VolumePreparer.Outcome;
import dev.vertlet.loop.VertxLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.definition.VolumeDefinition;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.content.PodContent;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.pod.ForwardingContext;
import dev.vertlet.provider.pod.ForwardingProvider;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Gives a provider of whole pods what it asks for: definitions, contents of volumes with new
 * versions of them, credentials of images. Confined to the shard's loop.
 */
public final class ContentProvider extends ForwardingProvider {
  private final VolumeManager contents;
  private final ContentStarts starts;

  /** Pods that wait for their contents, by UID. */
  private final Map<String, Promise<Void>> waiting = new HashMap<>();

  /**
   * Wraps a provider.
   *
   * @param contents of the provider's pods
   */
  public ContentProvider(PodProvider provider, VolumeManager contents) {
    super(provider);
    this.contents = contents;
    this.starts = new ContentStarts(contents);
  }

  @Override
  public Future<Void> start(ProviderContext given) {
    contents.start(given, new VertxLoop(given.vertx()), provider::contentChanged);
    return super.start(new Listening(given));
  }

  /** Ends the updates of pods that have ended: nothing in them reads a new token. */
  private final class Listening extends ForwardingContext {
    Listening(ProviderContext context) {
      super(context);
    }

    @Override
    public void report(PodReport report) {
      if (report.finished() || report.status().phase().terminal()) {
        contents.services().loop().run(() -> contents.forget(report.pod().uid()));
      }
      super.report(report);
    }
  }

  @Override
  public boolean reports() {
    return provider.reports();
  }

  @Override
  public boolean usesEnvironment() {
    return provider.usesEnvironment();
  }

  @Override
  public Future<Void> create(PodView pod) {
    return content(pod).compose(content -> provider.create(pod, content));
  }

  @Override
  public Future<Void> update(PodView pod) {
    return content(pod).compose(content -> provider.update(pod, content));
  }

  private Future<PodContent> content(PodView pod) {
    return prepared(pod)
        .compose(ready -> prepare(pod))
        .recover(
            failure ->
                failure instanceof ProviderException
                    ? ofHeld(pod, failure)
                    : Future.failedFuture(failure));
  }

  /**
   * Returns the content of a pod that the provider holds, without the volumes that cannot be made:
   * a kubelet lets such a pod run, too.
   */
  private Future<PodContent> ofHeld(PodView pod, Throwable failure) {
    return contents
        .services()
        .loop()
        .bring(provider.get(pod.ref()))
        .otherwise(Optional.empty())
        .compose(
            report -> {
              PodVolumeState known = contents.find(pod.uid());
              boolean holds =
                  report.isPresent()
                      && !report.get().finished()
                      && !report.get().status().phase().terminal();
              if (!holds || known == null) {
                return Future.failedFuture(failure);
              }
              contents.resume(known);
              return contents
                  .definitions()
                  .of(known)
                  .compose(definition -> partial(known, definition));
            });
  }

  private Future<PodContent> partial(PodVolumeState pod, PodDefinition definition) {
    Map<String, VolumeContent> found = contents.collect(pod).contents();
    List<String> missing =
        pod.knownVolumes().stream()
            .filter(volume -> volume.source() instanceof VolumeDefinition.Files)
            .map(VolumeDefinition::name)
            .filter(name -> !found.containsKey(name))
            .toList();
    return content(pod, definition, List.copyOf(found.values()), missing);
  }

  private Future<Void> prepared(PodView pod) {
    Promise<Void> ready = Promise.promise();
    Promise<Void> before = waiting.put(pod.uid(), ready);
    if (before != null) {
      before.tryFail("another try has begun");
    }
    attempt(pod, ready);
    return ready.future().onComplete(done -> waiting.remove(pod.uid(), ready));
  }

  private void attempt(PodView pod, Promise<Void> ready) {
    if (waiting.get(pod.uid()) != ready) {
      return;
    }
    Outcome outcome = contents.prepare(pod, () -> attempt(pod, ready));
    if (outcome instanceof Outcome.Mounted) {
      ready.complete();
    } else if (outcome instanceof Outcome.Failed failed) {
      Set<String> messages = new LinkedHashSet<>(failed.setUps());
      messages.forEach(message -> contents.services().failedMount(pod, message));
      ready.fail(
          new ProviderException(
              ProviderException.Kind.TEMPORARY,
              VolumePreparer.UNMOUNTED,
              String.join("; ", messages)));
    }
  }

  private Future<PodContent> prepare(PodView view) {
    PodVolumeState pod = contents.find(view.uid());
    if (pod == null) {
      return contents
          .definitions()
          .read(view.ref())
          .map(definition -> new PodContent(definition, List.of(), Map.of()));
    }
    return contents
        .definitions()
        .of(pod)
        .compose(
            definition ->
                contents
                    .collect(pod)
                    .all()
                    .compose(volumes -> content(pod, definition, volumes, List.of())));
  }

  private Future<PodContent> content(
      PodVolumeState pod,
      PodDefinition definition,
      List<VolumeContent> volumes,
      List<String> missing) {
    pod.delivered(volumes);
    Map<String, List<RegistryCredential>> credentials = new HashMap<>();
    List<Future<?>> reads = new ArrayList<>();
    PodView view = pod.view();
    Set<String> images = new LinkedHashSet<>();
    view.spec().initContainers().stream().map(ContainerView::image).forEach(images::add);
    view.spec().containers().stream().map(ContainerView::image).forEach(images::add);
    for (String image : images) {
      reads.add(
          starts
              .credentials(view, image)
              .onSuccess(
                  all -> {
                    if (!all.isEmpty()) {
                      credentials.put(image, all);
                    }
                  }));
    }
    return Future.all(reads).map(all -> new PodContent(definition, volumes, credentials, missing));
  }

  /**
   * Ends a pod. Its containers may use their grace, so that its tokens and objects stay up to date
   * until its end is reported.
   */
  @Override
  public Future<Void> delete(PodView pod, Duration grace) {
    giveUp(pod.uid());
    if (!pod.status().phase().terminal()) {
      contents.updated(pod);
    }
    return contents
        .services()
        .loop()
        .bring(super.delete(pod, grace))
        .onFailure(
            failure -> {
              if (ProviderException.kindOf(failure) == ProviderException.Kind.NOT_FOUND) {
                contents.forget(pod.uid());
              }
            });
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    giveUp(pod.uid());
    contents.forget(pod.uid());
    return super.kill(pod);
  }

  private void giveUp(String uid) {
    Promise<Void> waiter = waiting.remove(uid);
    if (waiter != null) {
      waiter.tryFail("the pod is wanted no longer");
    }
  }

  @Override
  public Future<Void> release(String node) {
    contents.release(node);
    return super.release(node);
  }

  @Override
  public Future<Void> stop() {
    contents.stop();
    return super.stop();
  }
}
