package dev.vertlet.content;

import dev.vertlet.env.VolumePreparer;
import dev.vertlet.model.definition.ContainerDefinition;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.definition.VolumeDefinition;
import dev.vertlet.model.definition.VolumeDefinition.Token;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.provider.content.VolumeContent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Volumes of one pod in {@link VolumeManager}, on whose loop they are changed. */
final class PodVolumeState {
  /** What the pod's content has come to. */
  enum Stage {
    /** Its volumes are read or written. */
    PREPARING,
    /** Its volumes failed; the next {@code prepare} begins another attempt. */
    FAILED,
    /** Its volumes are there, and are kept up to date. */
    READY
  }

  /** Kept messages: those of the last two instances of more containers than pods have. */
  private static final int MESSAGES = 64;

  private PodView view;
  private Stage stage = Stage.FAILED;

  /** Ended attempts to prepare the volumes; an answer to an earlier one is ignored. */
  private int attempt;

  /** Whether the pod runs whatever its volumes come to, as it ran before this agent started. */
  private boolean resumed;

  private boolean forgotten;

  /** Failures in a row to prepare or to deliver. */
  private int failures;

  private boolean handed;
  private @Nullable PodDefinition definition;
  private long definedBy;
  private @Nullable List<VolumeDefinition> volumes;
  private List<String> pullSecrets = List.of();
  private @Nullable Long owner;
  private @Nullable Long group;

  private VolumePreparer.Outcome.@Nullable Failed failure;
  private @Nullable Runnable progress;
  private List<String> ips;

  final PodTokens tokens = new PodTokens();
  final PodTimer updates = new PodTimer();
  final PodTimer drop = new PodTimer();

  // most pods leave these empty, and there may be many pods

  /** Digests of the content that the back end has, by volume. */
  private Map<String, String> delivered = Map.of();

  /** Messages of Warning events since the last success: each is written once. */
  private Set<String> warned = Set.of();

  /** Termination messages by instance, of the newest instances. */
  private Map<String, String> messages = Map.of();

  PodVolumeState(PodView view, boolean resumed) {
    this.view = view;
    this.resumed = resumed;
    this.handed = resumed;
    this.ips = view.status().podIPs();
  }

  /** Returns the termination message of an instance; null if it was not read lately. */
  @Nullable String message(String instance) {
    return messages.get(instance);
  }

  void message(String instance, String said) {
    if (messages.isEmpty()) {
      messages = new LinkedHashMap<>(2);
    }
    messages.put(instance, said);
    if (messages.size() > MESSAGES) {
      messages.remove(messages.keySet().iterator().next());
    }
  }

  PodView view() {
    return view;
  }

  void view(PodView next) {
    view = next;
  }

  Stage stage() {
    return stage;
  }

  boolean resumed() {
    return resumed;
  }

  /** Notes that the back end runs the pod already. */
  void resume() {
    resumed = true;
    handed = true;
  }

  /** Whether the pod is wanted no longer, so that answers for it are ignored. */
  boolean forgotten() {
    return forgotten;
  }

  void forget() {
    forgotten = true;
  }

  /** Begins an attempt and returns its number. */
  int begin() {
    stage = Stage.PREPARING;
    failure = null;
    tokens.retry();
    return ++attempt;
  }

  boolean isAttempt(int number) {
    return stage == Stage.PREPARING && attempt == number;
  }

  int attempt() {
    return attempt;
  }

  void ready() {
    stage = Stage.READY;
    warned = Set.of();
    failures = 0;
  }

  /** Counts a failure, and returns the number of failures in a row. */
  int countFailure() {
    return ++failures;
  }

  /**
   * Notes that the back end has taken what it was sent.
   *
   * @param whole whether no volume fails
   */
  void taken(boolean whole) {
    failures = 0;
    if (whole) {
      allWell();
    }
  }

  /** Notes that no volume fails, so that the next failure is a new one. */
  void allWell() {
    warned = Set.of();
  }

  /** Returns whether a message of a failure is new. */
  boolean warn(String message) {
    if (warned.isEmpty()) {
      warned = new HashSet<>(2);
    }
    return warned.add(message);
  }

  void failed(VolumePreparer.Outcome.Failed outcome) {
    stage = Stage.FAILED;
    failure = outcome;
  }

  /** Returns the outcome of the last attempt once; null if there is none. */
  VolumePreparer.Outcome.@Nullable Failed takeFailure() {
    VolumePreparer.Outcome.Failed taken = failure;
    failure = null;
    return taken;
  }

  void progress(Runnable listener) {
    progress = listener;
  }

  @Nullable Runnable takeProgress() {
    Runnable taken = progress;
    progress = null;
    return taken;
  }

  void ips(List<String> addresses) {
    ips = List.copyOf(addresses);
  }

  /** Addresses of the pod's sandbox, primary first. */
  List<String> ips() {
    return ips;
  }

  /** Takes what a definition says, and keeps it until {@link #dropDefinition}. */
  void defined(PodDefinition read, PodView by) {
    definition = read;
    definedBy = by.spec().hash();
    volumes = read.volumes();
    pullSecrets = read.imagePullSecrets();
    group = read.security().fsGroup();
    owner = owner(read);
  }

  /** The user of all containers, if they have the same one and name it. */
  private static @Nullable Long owner(PodDefinition read) {
    Set<@Nullable Long> users = new HashSet<>();
    for (ContainerDefinition container : read.containers().values()) {
      users.add(container.security().runAsUser());
    }
    return users.size() == 1 ? users.iterator().next() : null;
  }

  /** Returns the kept definition if it is that of the newest version; else null. */
  @Nullable PodDefinition definition() {
    return definedBy == view.spec().hash() ? definition : null;
  }

  void dropDefinition() {
    definition = null;
  }

  /** Null before the definition was read for the first time. */
  @Nullable List<VolumeDefinition> volumes() {
    return volumes;
  }

  List<VolumeDefinition> knownVolumes() {
    return volumes == null ? List.of() : volumes;
  }

  @Nullable Long owner() {
    return owner;
  }

  @Nullable Long group() {
    return group;
  }

  List<ReferredKey> pullSecrets() {
    return pullSecrets.stream()
        .map(name -> new ReferredKey(ReferredKind.SECRET, view.namespace(), name))
        .toList();
  }

  /** Objects that the pod's volumes and images refer to. */
  Set<ReferredKey> references() {
    Set<ReferredKey> keys = new LinkedHashSet<>(pullSecrets());
    for (VolumeDefinition volume : knownVolumes()) {
      keys.addAll(VolumeFiles.references(volume, view.namespace()));
    }
    return keys;
  }

  List<Token> wantedTokens() {
    List<Token> wanted = new ArrayList<>(1);
    for (VolumeDefinition volume : knownVolumes()) {
      wanted.addAll(VolumeFiles.tokens(volume));
    }
    return wanted;
  }

  /** Returns those of the contents that the back end does not have. */
  List<VolumeContent> news(List<VolumeContent> contents) {
    return contents.stream()
        .filter(content -> !Digests.of(content).equals(delivered.get(content.volume())))
        .toList();
  }

  /** Whether the back end has the pod, so that it takes new versions. */
  boolean handed() {
    return handed;
  }

  /** Notes that the back end has these contents, or is about to. */
  void delivered(List<VolumeContent> contents) {
    handed = true;
    if (delivered.isEmpty() && !contents.isEmpty()) {
      delivered = new HashMap<>(2 * contents.size());
    }
    contents.forEach(content -> delivered.put(content.volume(), Digests.of(content)));
  }

  /** Notes that the back end has not taken these contents. */
  void undelivered(List<VolumeContent> contents) {
    contents.forEach(content -> delivered.remove(content.volume()));
  }
}
