package dev.vertlet.model.wire;

import dev.vertlet.model.container.CommandView;
import dev.vertlet.model.container.ContainerCare;
import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.container.EnvironmentView.Source;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.container.EnvironmentView.Variable;
import dev.vertlet.model.container.MountsView;
import dev.vertlet.model.container.ResizePolicyView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.container.TokenVolume;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.wire.PodReader.ContainerRole;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one {@code Container}. */
final class ContainerReader {
  private static final Fields CONTAINER =
      Fields.of(
          "1 name",
          "2 image",
          "3 command",
          "4 args",
          "6 ports",
          "7 env",
          "8 resources",
          "9 volumeMounts",
          "10 livenessProbe",
          "11 readinessProbe",
          "12 lifecycle",
          "14 imagePullPolicy",
          "15 securityContext",
          "18 tty",
          "19 envFrom",
          "20 terminationMessagePolicy",
          "22 startupProbe",
          "23 resizePolicy",
          "24 restartPolicy",
          "25 restartPolicyRules");
  private static final Fields RESIZE = Fields.of("1 resourceName", "2 restartPolicy");
  private static final Fields RESOURCES = Fields.of("1 limits", "2 requests");
  private static final Fields VARIABLE = Fields.of("1 name", "2 value", "3 valueFrom");
  private static final Fields VALUE_FROM =
      Fields.of(
          "1 fieldRef",
          "2 resourceFieldRef",
          "3 configMapKeyRef",
          "4 secretKeyRef",
          "5 fileKeyRef");
  private static final Fields FIELD_REF = Fields.of("1 apiVersion", "2 fieldPath");
  private static final Fields RESOURCE_REF =
      Fields.of("1 containerName", "2 resource", "3 divisor");
  private static final Fields KEY_REF =
      Fields.of("0 name", "1 localObjectReference", "2 key", "3 optional");
  private static final Fields FILE_REF = Fields.of("1 volumeName", "2 path", "3 key", "4 optional");
  private static final Fields ENV_FROM = Fields.of("1 prefix", "2 configMapRef", "3 secretRef");
  private static final Fields OBJECT_REF =
      Fields.of("0 name", "1 localObjectReference", "2 optional");
  private static final Fields MOUNT =
      Fields.of("1 name", "2 readOnly", "3 mountPath", "6 subPathExpr", "7 recursiveReadOnly");

  /**
   * Values that request recursive read-only mounts; nodes of vertlet satisfy {@code IfPossible},
   * too.
   */
  private static final Set<String> RECURSIVE = Set.of("Enabled", "IfPossible");

  private static final Fields LOCAL_REF = Fields.of("1 name");

  private String name = "";
  private String image = "";
  private String pullPolicy = "";
  private String restart = "";
  private ResourcesView resources = ResourcesView.NONE;
  private @Nullable List<Variable> env;
  private @Nullable List<Source> envFrom;
  private @Nullable List<String> subPaths;
  private List<String> command = List.of();
  private List<String> args = List.of();
  private boolean tty;
  private ResizePolicyView resizePolicy = ResizePolicyView.NONE_RESTARTS;

  private final CareReader care = new CareReader();
  private final ExitReader exit = new ExitReader();
  private final TokenVolume token;
  private List<MountsView.Mount> mounts = List.of();

  private ContainerReader(TokenVolume token) {
    this.token = token;
  }

  /**
   * Reads the container just entered.
   *
   * @param placement collects the container's requirements on its node
   * @param token records the name of the pod's token volume
   */
  static ContainerView read(
      ObjectReader in, ContainerRole role, PlacementReader placement, TokenVolume token) {
    ContainerReader reader = new ContainerReader(token);
    while (in.next(CONTAINER)) {
      reader.field(in, placement);
    }
    return reader.view(role, placement);
  }

  private void field(ObjectReader in, PlacementReader placement) {
    switch (in.field()) {
      case "name" -> name = in.shared();
      case "image" -> image = in.shared();
      case "command" -> command = with(command, in.shared());
      case "args" -> args = with(args, in.shared());
      case "ports" -> placement.port(in);
      case "env" -> variable(in);
      case "resources" -> resources = resources(in);
      case "volumeMounts" -> mount(in);
      case "imagePullPolicy" -> pullPolicy = in.shared();
      case "securityContext" -> placement.security(in);
      case "tty" -> tty = in.flag();
      case "envFrom" -> source(in);
      case "resizePolicy" -> resizePolicy(in);
      case "restartPolicy" -> restart = in.shared();
      case "restartPolicyRules" -> exit.rule(in);
      case "terminationMessagePolicy" -> exit.messagePolicy(in);
      default -> care.read(in);
    }
  }

  private static List<String> with(List<String> words, String word) {
    List<String> all = words.isEmpty() ? new ArrayList<>(4) : words;
    all.add(word);
    return all;
  }

  private CommandView command() {
    boolean none = command.isEmpty() && args.isEmpty();
    return none ? CommandView.NONE : new CommandView(command, args);
  }

  /** Builds the view; an ephemeral container has no probes, no hooks and no resources. */
  private ContainerView view(ContainerRole role, PlacementReader placement) {
    RestartPolicy own = restart.isEmpty() ? null : RestartPolicy.of(restart);
    ContainerCare made = role == ContainerRole.EPHEMERAL ? null : care.view(placement.ports());
    placement.container(name, role, own == RestartPolicy.ALWAYS, resources);
    return new ContainerView(
        name,
        image,
        pullPolicy,
        own,
        environment(),
        resources,
        made,
        command(),
        tty,
        resizePolicy,
        exit.view(),
        new MountsView(name, mounts),
        ContainerUserView.ROOT);
  }

  /** Reads one entry: the API server permits at most one per resource. */
  private void resizePolicy(ObjectReader in) {
    String resource = "";
    String policy = "";
    in.enter();
    while (in.next(RESIZE)) {
      switch (in.field()) {
        case "resourceName" -> resource = in.shared();
        default -> policy = in.shared();
      }
    }
    boolean restarts = policy.equals("RestartContainer");
    resizePolicy =
        ResizePolicyView.of(
            resource.equals("cpu") ? restarts : resizePolicy.cpuRestarts(),
            resource.equals("memory") ? restarts : resizePolicy.memoryRestarts());
  }

  private @Nullable EnvironmentView environment() {
    return env == null && envFrom == null && subPaths == null
        ? null
        : new EnvironmentView(orEmpty(env), orEmpty(envFrom), orEmpty(subPaths));
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  /** Reads the current value, {@code ResourceRequirements}. */
  static ResourcesView resources(ObjectReader in) {
    Map<String, String> limits = Map.of();
    Map<String, String> requests = Map.of();
    in.enter();
    while (in.next(RESOURCES)) {
      if (in.field().equals("limits")) {
        in.quantities(limits = limits.isEmpty() ? new HashMap<>(4) : limits);
      } else {
        in.quantities(requests = requests.isEmpty() ? new HashMap<>(4) : requests);
      }
    }
    return limits.isEmpty() && requests.isEmpty()
        ? ResourcesView.NONE
        : new ResourcesView(requests, limits);
  }

  private void variable(ObjectReader in) {
    String variable = "";
    String value = "";
    ValueFrom from = EnvironmentView.LITERAL;
    in.enter();
    while (in.next(VARIABLE)) {
      switch (in.field()) {
        case "name" -> variable = in.shared();
        case "value" -> value = in.shared();
        case "valueFrom" -> from = valueFrom(in);
      }
    }
    List<Variable> variables = env == null ? new ArrayList<>() : env;
    variables.add(new Variable(variable, value, from));
    env = variables;
  }

  private static ValueFrom valueFrom(ObjectReader in) {
    ValueFrom from = EnvironmentView.LITERAL;
    in.enter();
    while (in.next(VALUE_FROM)) {
      from =
          switch (in.field()) {
            case "fieldRef" -> fieldRef(in);
            case "resourceFieldRef" -> resourceRef(in);
            case "configMapKeyRef" -> keyRef(in, ReferredKind.CONFIG_MAP);
            case "secretKeyRef" -> keyRef(in, ReferredKind.SECRET);
            default -> fileRef(in);
          };
    }
    return from;
  }

  private static ValueFrom fieldRef(ObjectReader in) {
    String apiVersion = "";
    String path = "";
    in.enter();
    while (in.next(FIELD_REF)) {
      switch (in.field()) {
        case "apiVersion" -> apiVersion = in.shared();
        case "fieldPath" -> path = in.shared();
      }
    }
    return new ValueFrom.Field(apiVersion, path);
  }

  private static ValueFrom resourceRef(ObjectReader in) {
    String container = "";
    String resource = "";
    String divisor = "";
    in.enter();
    while (in.next(RESOURCE_REF)) {
      switch (in.field()) {
        case "containerName" -> container = in.shared();
        case "resource" -> resource = in.shared();
        case "divisor" -> divisor = in.quantity();
      }
    }
    return new ValueFrom.Resource(container, resource, divisor);
  }

  private static ValueFrom keyRef(ObjectReader in, ReferredKind kind) {
    String object = "";
    String key = "";
    boolean optional = false;
    in.enter();
    while (in.next(KEY_REF)) {
      switch (in.field()) {
        case "name" -> object = in.shared();
        case "localObjectReference" -> object = localRef(in);
        case "key" -> key = in.shared();
        case "optional" -> optional = in.flag();
      }
    }
    return new ValueFrom.Key(kind, object, key, optional);
  }

  private static ValueFrom fileRef(ObjectReader in) {
    String volume = "";
    String path = "";
    String key = "";
    boolean optional = false;
    in.enter();
    while (in.next(FILE_REF)) {
      switch (in.field()) {
        case "volumeName" -> volume = in.shared();
        case "path" -> path = in.shared();
        case "key" -> key = in.shared();
        case "optional" -> optional = in.flag();
      }
    }
    return new ValueFrom.File(volume, path, key, optional);
  }

  private void mount(ObjectReader in) {
    String volume = "";
    String path = "";
    boolean readOnly = false;
    boolean recursive = false;
    in.enter();
    while (in.next(MOUNT)) {
      switch (in.field()) {
        case "name" -> volume = in.shared();
        case "readOnly" -> readOnly = in.flag();
        case "mountPath" -> path = in.shared();
        case "recursiveReadOnly" -> recursive = RECURSIVE.contains(in.shared());
        default -> {
          List<String> paths = subPaths == null ? new ArrayList<>() : subPaths;
          paths.add(in.shared());
          subPaths = paths;
        }
      }
    }
    mounts = mounts.isEmpty() ? new ArrayList<>(2) : mounts;
    mounts.add(new MountsView.Mount(token.kept(volume), path, readOnly, readOnly && recursive));
  }

  private void source(ObjectReader in) {
    String prefix = "";
    Source source = null;
    in.enter();
    while (in.next(ENV_FROM)) {
      switch (in.field()) {
        case "prefix" -> prefix = in.shared();
        case "configMapRef" -> source = objectRef(in, ReferredKind.CONFIG_MAP);
        case "secretRef" -> source = objectRef(in, ReferredKind.SECRET);
      }
    }
    if (source != null) {
      List<Source> sources = envFrom == null ? new ArrayList<>() : envFrom;
      sources.add(new Source(prefix, source.kind(), source.name(), source.optional()));
      envFrom = sources;
    }
  }

  private static Source objectRef(ObjectReader in, ReferredKind kind) {
    String object = "";
    boolean optional = false;
    in.enter();
    while (in.next(OBJECT_REF)) {
      switch (in.field()) {
        case "name" -> object = in.shared();
        case "localObjectReference" -> object = localRef(in);
        case "optional" -> optional = in.flag();
      }
    }
    return new Source("", kind, object, optional);
  }

  private static String localRef(ObjectReader in) {
    String object = "";
    in.enter();
    while (in.next(LOCAL_REF)) {
      object = in.shared();
    }
    return object;
  }
}
