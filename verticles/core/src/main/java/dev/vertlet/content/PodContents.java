package dev.vertlet.content;

import dev.vertlet.content.ContentPod.Stage;
import dev.vertlet.content.VolumeCollector.Collected;
import dev.vertlet.content.VolumeWriter.Written;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.env.ReferenceCache;
import dev.vertlet.env.ReferenceSource;
import dev.vertlet.env.ReferenceState;
import dev.vertlet.env.VolumePreparer;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.PodDefinition;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.model.Quantities;
import dev.vertlet.model.ReferredKey;
import dev.vertlet.model.VolumeDefinition;
import dev.vertlet.model.VolumeDefinition.Token;
import dev.vertlet.provider.PodInput;
import dev.vertlet.provider.ProviderContext;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.TokenRequest;
import dev.vertlet.provider.VolumeContent;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Content of the pods of one shard: prepares volumes before a pod starts, keeps them up to date
 * while it runs, and removes their files. Confined to the shard's loop.
 *
 * <p>A change of an object reaches running pods within {@link #SPREAD} of the agent's notice of it.
 * A content that cannot be computed any longer, because its object is gone, stays as it is, and an
 * event says so.
 */
public final class PodContents implements VolumePreparer {
  /** Changes of one object are spread over this time, milliseconds, as many pods may have it. */
  private static final long SPREAD = 2_000;

  /** How long a definition is kept after a start, for the starts that follow, milliseconds. */
  private static final long KEEP = 10_000;

  /** Longest wait for an attempt before its pod is looked at again, milliseconds. */
  private static final long LOOK = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(PodContents.class);

  private static final String FAILED_MOUNT = "FailedMount";

  private final PodInput input;
  private final ContentOptions options;
  private final Function<String, Map<String, String>> allocatable;
  private final Function<String, DnsSettings> dns;
  private final @Nullable ReferenceCache<String> cache;
  private final Map<String, ContentPod> pods = new HashMap<>();

  private final PodDirectories directories;
  private final EmptyDirUsage usage;
  private final VolumeCollector collector;
  private @Nullable ContentServices services;
  private @Nullable BiFunction<PodRef, List<VolumeContent>, Future<Void>> delivery;

  /**
   * Creates an empty store.
   *
   * @param input what the back end asks for
   * @param references source of ConfigMaps and Secrets, used by this object alone; null without an
   *     API server
   * @param allocatable of a node by its name: resource name to quantity
   * @param dns DNS settings of a node by its name
   */
  public PodContents(
      PodInput input,
      ContentOptions options,
      @Nullable ReferenceSource references,
      Function<String, Map<String, String>> allocatable,
      Function<String, DnsSettings> dns) {
    this.input = input;
    this.options = options;
    this.allocatable = allocatable;
    this.dns = dns;
    this.cache =
        references == null || !input.hasContent()
            ? null
            : new ReferenceCache<>(references, this::referenceChanged);
    this.directories = new PodDirectories(options);
    this.usage = new EmptyDirUsage(directories::of);
    this.collector = new VolumeCollector(allocatable, this::look);
  }

  /**
   * Starts the store, before any other method.
   *
   * @param to takes new versions of contents
   */
  void start(
      ProviderContext context,
      CoreLoop loop,
      BiFunction<PodRef, List<VolumeContent>, Future<Void>> to) {
    start(
        context,
        loop,
        new FileTasks.Workers() {
          @Override
          public <T> Future<T> run(Callable<T> task) {
            return context.vertx().executeBlocking(task, false);
          }
        },
        to);
  }

  /** Starts the store with workers of a test's own. */
  void start(
      ProviderContext context,
      CoreLoop loop,
      FileTasks.Workers workers,
      BiFunction<PodRef, List<VolumeContent>, Future<Void>> to) {
    delivery = to;
    services = new ContentServices(context, loop, new FileTasks(loop, workers));
    if (cache != null) {
      cache.start();
    }
  }

  /** Ends all updates; files stay. */
  void stop() {
    List.copyOf(pods.keySet()).forEach(this::forget);
    if (cache != null) {
      cache.stop();
    }
  }

  CoreLoop loop() {
    return services().loop();
  }

  FileTasks files() {
    return services().files();
  }

  PodInput input() {
    return input;
  }

  RandomGenerator random() {
    return services().random();
  }

  DnsSettings dns(String node) {
    return dns.apply(node);
  }

  ContentOptions options() {
    return options;
  }

  private ContentServices services() {
    if (services == null) {
      throw new IllegalStateException("the contents of pods are not started");
    }
    return services;
  }

  private long now() {
    return services().now();
  }

  @Nullable ContentPod find(String uid) {
    return pods.get(uid);
  }

  @Override
  public Outcome prepare(PodView view, Runnable progress) {
    if (!input.hasContent()) {
      return new Outcome.Mounted();
    }
    ContentPod pod = pods.computeIfAbsent(view.uid(), uid -> new ContentPod(view, false));
    pod.view(view);
    Outcome.Failed failure = pod.takeFailure();
    if (failure == null && pod.stage() == Stage.FAILED) {
      begin(pod);
      failure = pod.takeFailure();
    }
    if (pod.stage() == Stage.READY) {
      return new Outcome.Mounted();
    }
    if (failure != null) {
      return failure;
    }
    pod.progress(progress);
    return new Outcome.Waiting(now() + LOOK);
  }

  @Override
  public void updated(PodView view) {
    if (!input.hasContent()) {
      return;
    }
    ContentPod known = pods.get(view.uid());
    if (directories.isEnding(view.uid())) {
      return;
    }
    if (known == null) {
      ContentPod resumed = new ContentPod(view, true);
      pods.put(view.uid(), resumed);
      begin(resumed);
    } else {
      known.view(view);
      updateSoon(known);
    }
  }

  /** Keeps a pod up to date that runs although its volumes cannot all be made. */
  void resume(ContentPod pod) {
    pod.resume();
    if (pod.stage() == Stage.FAILED) {
      renewLater(pod);
    }
  }

  private void renewLater(ContentPod pod) {
    pod.updates.set(services(), services().retryAt(pod.countFailure()), () -> renew(pod));
  }

  private void renew(ContentPod pod) {
    if (pod.stage() == Stage.FAILED) {
      begin(pod);
    } else {
      update(pod);
    }
  }

  private void begin(ContentPod pod) {
    int attempt = pod.begin();
    definition(pod)
        .onComplete(
            read -> {
              if (!pod.isAttempt(attempt)) {
                return;
              }
              if (read.succeeded()) {
                proceed(pod);
              } else {
                settle(pod, failed("Unable to read the pod", read.cause()));
              }
            });
  }

  private static Outcome.Failed failed(String what, Throwable cause) {
    return new Outcome.Failed(List.of(), List.of(what + ": " + cause.getMessage()), "");
  }

  /** Reads the definition, unless that of the pod's newest version is still kept. */
  Future<PodDefinition> definition(ContentPod pod) {
    PodDefinition kept = pod.definition();
    if (kept != null) {
      return Future.succeededFuture(kept);
    }
    PodView by = pod.view();
    return read(by.ref())
        .onSuccess(
            read -> {
              pod.defined(read, by);
              hold(pod);
              dropLater(pod);
            });
  }

  /** Reads a pod's definition; completes on the loop. */
  Future<PodDefinition> read(PodRef ref) {
    return services().loop().bring(services().context().fullPod(ref)).map(PodDefinition::read);
  }

  private void dropLater(ContentPod pod) {
    pod.drop.set(services(), now() + KEEP, pod::dropDefinition);
  }

  private void hold(ContentPod pod) {
    if (cache != null && pods.get(pod.view().uid()) == pod) {
      cache.hold(pod.view().uid(), pod.references(), now());
    }
  }

  private void referenceChanged(String uid) {
    ContentPod pod = pods.get(uid);
    if (pod == null) {
      return;
    }
    if (pod.stage() == Stage.PREPARING) {
      // the cache is being read: go on after this call
      services().loop().later(() -> proceed(pod));
    } else {
      updateSoon(pod);
    }
  }

  ReferenceState look(ReferredKey key) {
    return cache == null
        ? new ReferenceState.Unavailable(
            "couldn't get %s %s/%s, no kubeClient defined"
                .formatted(key.kind().resource(), key.namespace(), key.name()))
        : cache.read(key, now());
  }

  /** Continues an attempt as far as what is known allows. */
  private void proceed(ContentPod pod) {
    if (pod.stage() != Stage.PREPARING || pod.volumes() == null || !isHeld(pod)) {
      return;
    }
    requestTokens(pod);
    Collected collected = collector.collect(pod);
    long until = VolumeCollector.earlier(collected.until(), collector.secretsUntil(pod));
    if (until > 0) {
      if (until < Long.MAX_VALUE) {
        pod.updates.set(services(), until, () -> proceed(pod));
      }
      return;
    }
    if (!collected.failures().isEmpty()) {
      settle(pod, collected.failures());
    } else if (input == PodInput.FILES) {
      write(pod, collected);
    } else {
      succeeded(pod);
    }
  }

  private boolean isHeld(ContentPod pod) {
    return pods.get(pod.view().uid()) == pod;
  }

  private void requestTokens(ContentPod pod) {
    Instant now = services().instant();
    for (Token token : pod.tokens.due(pod.wantedTokens(), now)) {
      TokenRequest request =
          new TokenRequest(
              pod.view().spec().serviceAccountName(),
              pod.view().ref(),
              token.audience(),
              token.expirationSeconds());
      services()
          .loop()
          .bring(services().context().requestToken(request))
          .onComplete(
              answer -> {
                if (answer.succeeded()) {
                  pod.tokens.issued(
                      token, answer.result(), services().instant(), services().random());
                } else {
                  pod.tokens.failed(
                      token,
                      String.valueOf(answer.cause().getMessage()),
                      services().instant(),
                      services().random());
                }
                if (!isHeld(pod)) {
                  return;
                }
                if (pod.stage() == Stage.PREPARING) {
                  proceed(pod);
                } else {
                  update(pod);
                }
              });
    }
  }

  private VolumeWriter writer(ContentPod pod) {
    String amount = allocatable.apply(pod.view().nodeName()).getOrDefault("memory", "0");
    return new VolumeWriter(
        directory(pod.view().uid()), options, pod.group(), Quantities.units(amount));
  }

  PodDirectory directory(String uid) {
    return directories.of(uid);
  }

  private void write(ContentPod pod, Collected collected) {
    int attempt = pod.attempt();
    VolumeWriter writer = writer(pod);
    PodView view = pod.view();
    List<VolumeDefinition> volumes = pod.knownVolumes();
    Instant now = services().instant();
    services()
        .files()
        .run(
            view.uid(),
            () -> writer.prepare(view.ref(), view.nodeName(), volumes, collected.contents(), now))
        .onComplete(
            written -> {
              if (!pod.isAttempt(attempt) || !isHeld(pod)) {
                return;
              }
              Written result = written.result();
              if (result == null) {
                settle(pod, failed("Unable to make the pod's directory", written.cause()));
                return;
              }
              result.warnings().forEach(volume -> notInMemory(pod, volume));
              if (result.failures().isEmpty()) {
                succeeded(pod);
              } else {
                settle(pod, result.failures());
              }
            });
  }

  private void notInMemory(ContentPod pod, String volume) {
    warning(
        pod,
        "EmptyDirNotInMemory",
        "volume \""
            + volume
            + "\" of medium Memory is on disk: the agent may not mount file systems");
  }

  private void succeeded(ContentPod pod) {
    pod.updates.cancel(services()); // the wait for a first reading
    pod.ready();
    tell(pod);
    if (pod.resumed()) {
      update(pod);
    } else {
      planUpdate(pod);
    }
  }

  private void settle(ContentPod pod, Map<String, String> failures) {
    settle(
        pod,
        new Outcome.Failed(
            List.copyOf(failures.keySet()),
            failures.entrySet().stream()
                .map(entry -> setUpFailed(entry.getKey(), entry.getValue()))
                .toList(),
            ""));
  }

  private static String setUpFailed(String volume, String message) {
    return "MountVolume.SetUp failed for volume \"%s\" : %s".formatted(volume, message);
  }

  private void settle(ContentPod pod, Outcome.Failed failure) {
    pod.updates.cancel(services());
    pod.failed(failure);
    if (pod.resumed()) {
      failure.setUps().forEach(message -> warnOnce(pod, message));
      renewLater(pod);
    }
    tell(pod);
  }

  private static void tell(ContentPod pod) {
    Runnable progress = pod.takeProgress();
    if (progress != null) {
      progress.run();
    }
  }

  /** Updates the pod in a moment; several changes until then are one. */
  private void updateSoon(ContentPod pod) {
    if (pod.stage() == Stage.READY || (pod.stage() == Stage.FAILED && pod.resumed())) {
      long at = now() + (long) (SPREAD * services().random().nextDouble());
      if (at < pod.updates.at()) {
        pod.updates.set(services(), at, () -> renew(pod));
      }
    }
  }

  /** Sets the timer for the next refresh of a token. */
  private void planUpdate(ContentPod pod) {
    Instant next = pod.tokens.next();
    if (next != null && next.toEpochMilli() < pod.updates.at()) {
      pod.updates.set(services(), next.toEpochMilli(), () -> update(pod));
    }
  }

  /** Brings the back end up to date with what is known now. */
  private void update(ContentPod pod) {
    if (pod.stage() != Stage.READY || !isHeld(pod)) {
      return;
    }
    pod.updates.cancel(services());
    requestTokens(pod);
    Collected collected = collector.collect(pod);
    collected.failures().forEach((volume, message) -> warnOnce(pod, setUpFailed(volume, message)));
    if (collected.until() > 0 && collected.until() < Long.MAX_VALUE) {
      pod.updates.set(services(), collected.until(), () -> update(pod));
    }
    planUpdate(pod);
    List<VolumeContent> news = pod.news(List.copyOf(collected.contents().values()));
    boolean whole = collected.failures().isEmpty();
    if (!news.isEmpty() && (pod.handed() || input == PodInput.FILES)) {
      deliver(pod, news, whole);
    } else if (whole) {
      pod.warned.clear();
    }
  }

  /**
   * @param whole whether no volume fails
   */
  private void deliver(ContentPod pod, List<VolumeContent> news, boolean whole) {
    pod.delivered(news);
    Future<Void> delivered =
        input == PodInput.FILES ? rewrite(pod, news) : hand(pod.view().ref(), news);
    delivered
        .onSuccess(done -> pod.taken(whole))
        .onFailure(
            failure -> {
              news.forEach(content -> pod.delivered.remove(content.volume()));
              if (isHeld(pod)) {
                unwritten(pod, news, failure);
                renewLater(pod);
              }
            });
  }

  /** Tells of files that could not be written; a back end tells of its failures itself. */
  private void unwritten(ContentPod pod, List<VolumeContent> news, Throwable failure) {
    if (input == PodInput.FILES) {
      news.forEach(content -> warnOnce(pod, setUpFailed(content.volume(), failure.toString())));
    }
  }

  private Future<Void> hand(PodRef ref, List<VolumeContent> news) {
    BiFunction<PodRef, List<VolumeContent>, Future<Void>> to = delivery;
    return to == null ? Future.succeededFuture() : services().loop().bring(to.apply(ref, news));
  }

  private Future<Void> rewrite(ContentPod pod, List<VolumeContent> news) {
    VolumeWriter writer = writer(pod);
    Instant now = services().instant();
    return services()
        .files()
        .run(
            pod.view().uid(),
            () -> {
              for (VolumeContent content : news) {
                writer.write(content, now);
              }
              return null;
            });
  }

  private void warnOnce(ContentPod pod, String message) {
    if (pod.warned.add(message)) {
      failedMount(pod.view(), message);
    }
  }

  void warning(ContentPod pod, String reason, String message) {
    services().warn(pod.view(), reason, message);
  }

  /** Writes the event of volumes that cannot be mounted. */
  void failedMount(PodView pod, String message) {
    services().warn(pod, FAILED_MOUNT, message);
  }

  /** Logs that files of a pod that is gone could not be removed; a later list finds them. */
  void notRemoved(PodRef pod, Throwable failure) {
    LOG.atWarn()
        .addKeyValue("pod", pod.display())
        .addKeyValue("error", failure.toString())
        .log("directory of a pod not removed");
  }

  /** Computes the contents of a pod's volumes, as far as they are known now. */
  Collected collect(ContentPod pod) {
    return collector.collect(pod);
  }

  /** Returns the current contents of a pod's volumes; fails if one of them is not known. */
  Future<List<VolumeContent>> contents(ContentPod pod) {
    Collected collected = collect(pod);
    if (!collected.failures().isEmpty() || collected.until() > 0) {
      String message =
          collected.failures().entrySet().stream()
              .map(entry -> setUpFailed(entry.getKey(), entry.getValue()))
              .collect(Collectors.joining("; "));
      return Future.failedFuture(
          new ProviderException(
              ProviderException.Kind.TEMPORARY,
              FAILED_MOUNT,
              message.isEmpty() ? "volumes are being read" : message));
    }
    return Future.succeededFuture(List.copyOf(collected.contents().values()));
  }

  /** Notes the addresses of the pod's sandbox. */
  void addressed(String uid, List<String> ips) {
    ContentPod pod = pods.get(uid);
    if (pod != null && !ips.isEmpty()) {
      pod.ips(ips);
    }
  }

  /** The pod's directory goes with its sandbox, or now if it has none. */
  Future<Void> gone(PodRef ref) {
    if (input != PodInput.FILES) {
      return Future.succeededFuture();
    }
    if (pods.containsKey(ref.uid())) {
      directories.leaves(ref.uid());
      return Future.succeededFuture();
    }
    return directories.remove(ref.uid(), files());
  }

  /** The pod's sandbox is removed: nothing runs in it. */
  Future<Void> ended(String uid) {
    boolean known = pods.containsKey(uid);
    forget(uid);
    return input == PodInput.FILES
        ? directories.ended(uid, known, files())
        : Future.succeededFuture();
  }

  /** Ends the updates of a pod; its files stay. */
  void forget(String uid) {
    ContentPod pod = pods.remove(uid);
    if (pod != null) {
      pod.updates.cancel(services());
      pod.drop.cancel(services());
      if (cache != null) {
        cache.release(uid);
      }
    }
  }

  /** Ends the updates of a node's pods; their files stay. */
  void release(String node) {
    usage.forget(node);
    for (ContentPod pod : List.copyOf(pods.values())) {
      if (pod.view().nodeName().equals(node)) {
        forget(pod.view().uid());
      }
    }
  }

  /** Returns the sizes of the emptyDir volumes of a node's pods, by UID. */
  Future<Map<String, VolumeUsage.Sizes>> emptyDirs(String node) {
    return input == PodInput.FILES
        ? usage.of(node, pods.values(), services())
        : Future.succeededFuture(Map.of());
  }

  /** Returns the pods that have a directory and that this agent has not been asked to run. */
  Future<List<PodDirectory.Found>> orphans() {
    return input == PodInput.FILES
        ? directories.orphans(pods::containsKey, files())
        : Future.succeededFuture(List.of());
  }
}
