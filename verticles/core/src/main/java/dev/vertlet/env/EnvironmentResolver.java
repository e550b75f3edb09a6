package dev.vertlet.env;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.container.EnvironmentView.Source;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.container.EnvironmentView.Variable;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.DataView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.reference.ReferredView;
import dev.vertlet.model.reference.ServiceView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the environment of one container as a kubelet does: {@code envFrom} in order, then
 * {@code env} in order, then service variables. A later variable replaces an earlier one of the
 * same name, except that a service variable never replaces one of the pod. Every key of an object
 * becomes a variable, even if it is not a valid name in a shell (KEP-4369). Paths of mounts are
 * expanded with the variables, too, and must be valid.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kubelet_pods.go">
 *     makeEnvironmentVariables, kubelet 1.36.3</a>
 */
public final class EnvironmentResolver {
  private final PodView pod;
  private final ContainerView container;
  private final PodFacts facts;
  private final ReferenceState.Lookup lookup;
  private final Map<String, String> variables = new LinkedHashMap<>();
  private final List<MissingReference> skipped = new ArrayList<>(0);
  private Map<String, String> services = Map.of();

  private EnvironmentResolver(
      PodView pod, ContainerView container, PodFacts facts, ReferenceState.Lookup lookup) {
    this.pod = pod;
    this.container = container;
    this.facts = facts;
    this.lookup = lookup;
  }

  /**
   * Resolves the environment from the current readings.
   *
   * @param services whether to add service variables
   */
  public static Resolution resolve(
      PodView pod,
      ContainerView container,
      PodFacts facts,
      boolean services,
      ReferenceState.Lookup lookup) {
    return new EnvironmentResolver(pod, container, facts, lookup).resolve(services);
  }

  private Resolution resolve(boolean withServices) {
    try {
      if (withServices) {
        services();
      }
      EnvironmentView environment = container.environment();
      if (environment != null) {
        for (Source source : environment.envFrom()) {
          all(source);
        }
        for (Variable variable : environment.env()) {
          one(variable);
        }
      }
      services.forEach(variables::putIfAbsent);
      if (environment != null) {
        for (String path : environment.subPaths()) {
          SubPaths.expand(path, variables::get);
        }
      }
      return new Resolution.Resolved(variables, skipped);
    } catch (NotYet wait) {
      return new Resolution.Waiting(wait.until);
    } catch (MissingException e) {
      return new Resolution.Failed(e.missing.message(), e.missing, skipped);
    } catch (EnvironmentException | IllegalArgumentException e) {
      return new Resolution.Failed(String.valueOf(e.getMessage()), null, skipped);
    }
  }

  private void services() throws EnvironmentException, NotYet {
    List<ServiceView> found = new ArrayList<>();
    boolean links = pod.spec().enableServiceLinks();
    for (ReferredKey key : ServiceVariables.keys(pod.namespace(), links)) {
      for (ReferredView object : read(key)) {
        if (object instanceof ServiceView service) {
          found.add(service);
        }
      }
    }
    services = ServiceVariables.of(found);
  }

  private void all(Source source) throws EnvironmentException, NotYet, MissingException {
    if (assumed(source.kind(), source.name())) {
      return;
    }
    DataView object = object(source.kind(), source.name());
    if (object == null) {
      missing(source.kind(), source.name(), null, "", source.optional());
      return;
    }
    new TreeMap<>(object.data())
        .forEach((key, value) -> variables.put(source.prefix() + key, value));
  }

  private void one(Variable variable) throws EnvironmentException, NotYet, MissingException {
    String value = value(variable);
    if (value != null) {
      variables.put(variable.name(), value);
    }
  }

  /** Returns null if the variable must be omitted. */
  private @Nullable String value(Variable variable)
      throws EnvironmentException, NotYet, MissingException {
    ValueFrom from = variable.from();
    if (!variable.value().isEmpty() || from instanceof ValueFrom.Literal) {
      return Expansion.expand(variable.value(), this::known);
    } else if (from instanceof ValueFrom.Field field) {
      return FieldReference.value(field, pod, facts);
    } else if (from instanceof ValueFrom.Resource resource) {
      return ResourceReference.value(resource, pod, container, facts);
    } else if (from instanceof ValueFrom.Key key) {
      return entry(variable.name(), key);
    }
    ValueFrom.File file = (ValueFrom.File) from;
    throw new EnvironmentException(
        "cannot find the volume \"" + file.volume() + "\" referenced by FileKeyRef");
  }

  private @Nullable String known(String name) {
    String value = variables.get(name);
    return value == null ? services.get(name) : value;
  }

  private @Nullable String entry(String variable, ValueFrom.Key key)
      throws EnvironmentException, NotYet, MissingException {
    if (assumed(key.kind(), key.name())) {
      return "";
    }
    DataView object = object(key.kind(), key.name());
    String value = object == null ? null : object.data().get(key.key());
    if (value == null) {
      String missingKey = object == null ? null : key.key();
      missing(key.kind(), key.name(), missingKey, variable, key.optional());
    }
    return value;
  }

  private @Nullable DataView object(ReferredKind kind, String name)
      throws EnvironmentException, NotYet {
    for (ReferredView object : read(key(kind, name))) {
      if (object instanceof DataView data) {
        return data;
      }
    }
    return null;
  }

  private ReferredKey key(ReferredKind kind, String name) {
    return new ReferredKey(kind, pod.namespace(), name);
  }

  private boolean assumed(ReferredKind kind, String name) {
    return lookup.read(key(kind, name)) instanceof ReferenceState.Assumed;
  }

  private List<ReferredView> read(ReferredKey key) throws EnvironmentException, NotYet {
    ReferenceState reading = lookup.read(key);
    if (reading instanceof ReferenceState.Known known) {
      return known.objects();
    } else if (reading instanceof ReferenceState.Unread unread) {
      throw new NotYet(unread.until());
    }
    throw new EnvironmentException(((ReferenceState.Unavailable) reading).message());
  }

  private void missing(
      ReferredKind kind, String name, @Nullable String key, String variable, boolean optional)
      throws MissingException {
    MissingReference missing =
        new MissingReference(kind, pod.namespace(), name, key, variable, optional);
    if (!optional) {
      throw new MissingException(missing);
    }
    skipped.add(missing);
  }

  /** An object is still being read. */
  private static final class NotYet extends Exception {
    private final long until;

    NotYet(long until) {
      super(null, null, false, false);
      this.until = until;
    }
  }

  /** A mandatory object or key is missing. */
  private static final class MissingException extends Exception {
    private final transient MissingReference missing;

    MissingException(MissingReference missing) {
      super(null, null, false, false);
      this.missing = missing;
    }
  }
}
