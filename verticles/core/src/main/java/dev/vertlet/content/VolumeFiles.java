package dev.vertlet.content;

import dev.vertlet.env.DownwardApi;
import dev.vertlet.env.ReferenceState;
import dev.vertlet.model.LabelSelector;
import dev.vertlet.model.definition.VolumeDefinition;
import dev.vertlet.model.definition.VolumeDefinition.Downward;
import dev.vertlet.model.definition.VolumeDefinition.DownwardItem;
import dev.vertlet.model.definition.VolumeDefinition.Files;
import dev.vertlet.model.definition.VolumeDefinition.Item;
import dev.vertlet.model.definition.VolumeDefinition.Keys;
import dev.vertlet.model.definition.VolumeDefinition.Projection;
import dev.vertlet.model.definition.VolumeDefinition.Token;
import dev.vertlet.model.definition.VolumeDefinition.TrustBundle;
import dev.vertlet.model.definition.VolumeDefinition.Unsupported;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.DataView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.reference.ReferredView;
import dev.vertlet.model.reference.TrustBundleView;
import dev.vertlet.provider.content.ContentFile;
import dev.vertlet.provider.content.VolumeContent;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Computes the files of a volume, with a kubelet's messages.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/tree/v1.36.3/pkg/volume">MakePayload of
 *     configmap and secret, collectData of projected, kubelet 1.36.3</a>
 */
final class VolumeFiles {
  private static final int LONGEST_PATH = 4096;
  private static final int LONGEST_NAME = 255;
  private static final int OWNER_ONLY = 0600;
  private static final String PROJECTED = "projected";

  private final VolumeDefinition volume;
  private final Files source;
  private final Inputs inputs;
  private final Map<String, ContentFile> files = new TreeMap<>();
  private final Set<String> errors = new LinkedHashSet<>();
  private final Set<String> explicit = new HashSet<>();
  private OptionalLong wait = OptionalLong.empty();

  private VolumeFiles(VolumeDefinition volume, Files source, Inputs inputs) {
    this.volume = volume;
    this.source = source;
    this.inputs = inputs;
  }

  /**
   * What the files depend on.
   *
   * @param allocatable of the node: resource name to quantity
   * @param owner the only user of the pod's containers; null if there is none
   * @param grouped whether the pod has an fsGroup
   * @param objects current readings of ConfigMaps and Secrets
   * @param tokens current tokens
   */
  record Inputs(
      PodView pod,
      Map<String, String> allocatable,
      @Nullable Long owner,
      boolean grouped,
      ReferenceState.Lookup objects,
      TokenLookup tokens) {}

  /** Source of tokens. */
  @FunctionalInterface
  interface TokenLookup {
    TokenState read(Token token);
  }

  /** Current knowledge of a token. */
  sealed interface TokenState {
    /** The token can be used. */
    record Issued(String token) implements TokenState {
      /** Leaves out the token. */
      @Override
      public String toString() {
        return "Issued";
      }
    }

    /** The token was requested, or is about to be. */
    record Requested() implements TokenState {}

    /** There is no token; the message is the kubelet's. */
    record Refused(String message) implements TokenState {}
  }

  /** Result of the computation. */
  sealed interface Outcome {
    /** All files are known. */
    record Ready(VolumeContent content) implements Outcome {}

    /**
     * An object or a token is still being read.
     *
     * @param until end of the wait, epoch milliseconds
     */
    record Waiting(long until) implements Outcome {}

    /** The files cannot be known now; the message is the kubelet's. */
    record Failed(String message) implements Outcome {}
  }

  /** Returns the objects that a volume refers to, optional or not. */
  static Set<ReferredKey> references(VolumeDefinition volume, String namespace) {
    Set<ReferredKey> keys = new LinkedHashSet<>();
    if (volume.source() instanceof Files files) {
      for (Projection projection : files.projections()) {
        if (projection instanceof Keys object) {
          keys.add(new ReferredKey(object.kind(), namespace, object.name()));
        } else if (projection instanceof TrustBundle bundle) {
          keys.add(key(bundle));
        }
      }
    }
    return keys;
  }

  /** The named bundle, or all of them, as a signer's are selected by their labels. */
  private static ReferredKey key(TrustBundle bundle) {
    return new ReferredKey(ReferredKind.CLUSTER_TRUST_BUNDLE, "", bundle.name());
  }

  /** Returns the tokens that a volume needs. */
  static List<Token> tokens(VolumeDefinition volume) {
    List<Token> tokens = new ArrayList<>(1);
    if (volume.source() instanceof Files files) {
      for (Projection projection : files.projections()) {
        if (projection instanceof Token token) {
          tokens.add(token);
        }
      }
    }
    return tokens;
  }

  /**
   * Computes the files of a volume.
   *
   * @param source of the volume
   */
  static Outcome of(VolumeDefinition volume, Files source, Inputs inputs) {
    return new VolumeFiles(volume, source, inputs).collect();
  }

  private Outcome collect() {
    for (Projection projection : source.projections()) {
      if (projection instanceof Keys keys) {
        keys(keys);
      } else if (projection instanceof Downward downward) {
        downward(downward);
      } else if (projection instanceof Token token) {
        token(token);
      } else if (projection instanceof TrustBundle bundle) {
        trustBundle(bundle);
      } else if (projection instanceof Unsupported other) {
        errors.add(unsupported(other.kind()));
      }
    }
    if (wait.isPresent()) {
      return new Outcome.Waiting(wait.getAsLong());
    }
    if (errors.isEmpty()) {
      nested();
    }
    return errors.isEmpty()
        ? new Outcome.Ready(
            new VolumeContent(volume.name(), volume.kind(), List.copyOf(files.values())))
        : new Outcome.Failed(aggregate(errors));
  }

  private static String unsupported(String kind) {
    String name = kind.isEmpty() ? kind : Character.toUpperCase(kind.charAt(0)) + kind.substring(1);
    return name + " projection is not supported on this node";
  }

  /** Formats several messages as Go's aggregate error does. */
  private static String aggregate(Set<String> messages) {
    return messages.size() == 1
        ? messages.iterator().next()
        : "[" + String.join(", ", messages) + "]";
  }

  private void keys(Keys keys) {
    ReferenceState reading =
        inputs.objects().read(new ReferredKey(keys.kind(), inputs.pod().namespace(), keys.name()));
    if (reading instanceof ReferenceState.Unread unread) {
      waitUntil(unread.until());
    } else if (reading instanceof ReferenceState.Unavailable unavailable) {
      errors.add(unavailable.message());
    } else if (reading instanceof ReferenceState.Known known) {
      DataView object =
          known.objects().isEmpty() || !(known.objects().get(0) instanceof DataView data)
              ? null
              : data;
      if (object != null) {
        project(keys, object);
      } else if (!keys.optional()) {
        errors.add("%s \"%s\" not found".formatted(keys.kind().resource(), keys.name()));
      }
    }
  }

  private void project(Keys keys, DataView object) {
    if (keys.items().isEmpty()) {
      Set<String> all = new TreeSet<>(object.data().keySet());
      all.addAll(object.binaryKeys());
      for (String key : all) {
        Buffer bytes = object.bytes(key);
        if (bytes != null) {
          add(key, bytes, source.defaultMode(), null);
        }
      }
      return;
    }
    for (Item item : keys.items()) {
      Buffer bytes = object.bytes(item.key());
      if (bytes != null) {
        addExplicit(item.path(), bytes, mode(item.mode()), null);
      } else if (!keys.optional()) {
        errors.add(
            keys.kind() == ReferredKind.SECRET
                ? "references non-existent secret key: " + item.key()
                : "configmap references non-existent config key: " + item.key());
        return;
      }
    }
  }

  private int mode(@Nullable Integer own) {
    return own == null ? source.defaultMode() : own;
  }

  private void downward(Downward downward) {
    for (DownwardItem item : downward.items()) {
      try {
        String value = DownwardApi.value(item.from(), inputs.pod(), inputs.allocatable());
        addExplicit(item.path(), Buffer.buffer(value), mode(item.mode()), null);
      } catch (IllegalArgumentException e) {
        errors.add(String.valueOf(e.getMessage()));
      }
    }
  }

  private void token(Token token) {
    TokenState state = inputs.tokens().read(token);
    if (state instanceof TokenState.Requested) {
      waitUntil(Long.MAX_VALUE);
    } else if (state instanceof TokenState.Refused refused) {
      errors.add(refused.message());
    } else if (state instanceof TokenState.Issued issued) {
      addOwned(token.path(), Buffer.buffer(issued.token()));
    }
  }

  private void trustBundle(TrustBundle bundle) {
    if (bundle.name().isEmpty() && bundle.signerName().isEmpty()) {
      errors.add("ClusterTrustBundle projection requires either name or signerName to be set");
      return;
    }
    ReferenceState reading = inputs.objects().read(key(bundle));
    if (reading instanceof ReferenceState.Unread unread) {
      waitUntil(unread.until());
    } else if (reading instanceof ReferenceState.Unavailable unavailable) {
      errors.add(unavailable.message());
    } else if (reading instanceof ReferenceState.Known known) {
      List<TrustBundleView> selected = selected(bundle, known);
      if (selected.isEmpty() && !bundle.optional()) {
        errors.add(
            bundle.name().isEmpty()
                ? "combination of signerName and labelSelector matched zero ClusterTrustBundles"
                : "while getting ClusterTrustBundle: clustertrustbundle.certificates.k8s.io \"%s\" not found"
                    .formatted(bundle.name()));
      } else {
        addOwned(bundle.path(), TrustAnchors.of(selected));
      }
    }
  }

  private static List<TrustBundleView> selected(TrustBundle bundle, ReferenceState.Known known) {
    List<TrustBundleView> selected = new ArrayList<>();
    for (ReferredView object : known.objects()) {
      if (object instanceof TrustBundleView view && selects(bundle, view)) {
        selected.add(view);
      }
    }
    return selected;
  }

  private static boolean selects(TrustBundle wanted, TrustBundleView bundle) {
    if (!wanted.name().isEmpty()) {
      return bundle.name().equals(wanted.name());
    }
    LabelSelector selector = wanted.selector();
    return bundle.signerName().equals(wanted.signerName())
        && selector != null
        && selector.selects(bundle.labels());
  }

  /** Adds a file that belongs to the only user of the pod, as tokens and trust bundles do. */
  private void addOwned(String path, Buffer bytes) {
    boolean owned = inputs.owner() != null || inputs.grouped();
    addExplicit(path, bytes, owned ? OWNER_ONLY : source.defaultMode(), inputs.owner());
  }

  private void waitUntil(long until) {
    wait = OptionalLong.of(Math.min(until, wait.orElse(Long.MAX_VALUE)));
  }

  /**
   * Adds a file that the definition names. Two of one path in a projected volume are refused, as by
   * the API server.
   */
  private void addExplicit(String path, Buffer bytes, int mode, @Nullable Long owner) {
    if (volume.kind().equals(PROJECTED) && !explicit.add(clean(path))) {
      errors.add("conflicting duplicate paths: " + clean(path));
      return;
    }
    add(path, bytes, mode, owner);
  }

  private void add(String path, Buffer bytes, int mode, @Nullable Long owner) {
    String wrong = wrong(path);
    if (!wrong.isEmpty()) {
      errors.add("invalid path: " + wrong);
      return;
    }
    String clean = clean(path);
    files.put(clean, new ContentFile(clean, bytes, mode, owner));
  }

  /** Returns what is wrong with a path; empty if it is valid. */
  private static String wrong(String path) {
    if (path.isEmpty()) {
      return "must not be empty: \"\"";
    }
    if (path.startsWith("/")) {
      return "must be relative path: " + path;
    }
    if (path.length() > LONGEST_PATH) {
      return "must be less than or equal to " + LONGEST_PATH + " characters";
    }
    List<String> names = Arrays.asList(path.split("/"));
    if (names.contains("..")) {
      return "must not contain '..': " + path;
    }
    if (names.stream().anyMatch(name -> name.length() > LONGEST_NAME)) {
      return "filenames must be less than or equal to " + LONGEST_NAME + " characters";
    }
    return clean(path).startsWith("..") ? "must not start with '..': " + path : "";
  }

  /** Removes empty and {@code .} elements. */
  private static String clean(String path) {
    List<String> kept = new ArrayList<>();
    for (String name : path.split("/")) {
      if (!name.isEmpty() && !name.equals(".")) {
        kept.add(name);
      }
    }
    return kept.isEmpty() ? "." : String.join("/", kept);
  }

  /** Refuses a path that is a file and the directory of another one. */
  private void nested() {
    for (String path : files.keySet()) {
      for (int at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
        String parent = path.substring(0, at);
        if (files.containsKey(parent)) {
          errors.add("conflicting duplicate paths: " + parent);
        }
      }
    }
  }
}
