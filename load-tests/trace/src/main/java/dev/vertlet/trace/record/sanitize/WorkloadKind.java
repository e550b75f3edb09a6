package dev.vertlet.trace.record.sanitize;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A kind of workload that is recorded.
 *
 * @param apiVersion for example {@code apps/v1}
 * @param templates JSON pointers of its pod templates; {@code *} stands for each element of an
 *     array
 * @param named whether a flag named it; else its fields are those of {@link WorkloadFields}
 */
public record WorkloadKind(String apiVersion, String kind, List<String> templates, boolean named) {
  private static final Pattern FLAG =
      Pattern.compile(
          "(?:(?<group>[a-z0-9.-]+)/)?(?<version>v[0-9][a-z0-9]*)\\.(?<kind>[A-Z][A-Za-z0-9]*)"
              + "=(?<path>/.+)");

  /** What {@link #parse} allows, for messages. */
  static final String FORM =
      "group/version.kind=/path/of/template is allowed, for example"
          + " batch.volcano.sh/v1alpha1.Job=/spec/tasks/*/template";

  /**
   * The kinds that are always recorded. ReplicaSets and Jobs come before the kinds that own them
   * where it matters: pods are watched after all of them.
   */
  public static final List<WorkloadKind> BUILT_IN =
      List.of(
          builtIn("apps/v1", "Deployment", "/spec/template"),
          builtIn("apps/v1", "ReplicaSet", "/spec/template"),
          builtIn("apps/v1", "StatefulSet", "/spec/template"),
          builtIn("apps/v1", "DaemonSet", "/spec/template"),
          builtIn("batch/v1", "CronJob", "/spec/jobTemplate/spec/template"),
          builtIn("batch/v1", "Job", "/spec/template"));

  public WorkloadKind {
    templates = List.copyOf(templates);
  }

  private static WorkloadKind builtIn(String apiVersion, String kind, String template) {
    return new WorkloadKind(apiVersion, kind, List.of(template), false);
  }

  /**
   * Reads values of {@code --kinds}; several for one kind are several templates.
   *
   * @throws IllegalArgumentException naming the value
   */
  public static List<WorkloadKind> parse(List<String> flags) {
    Map<String, WorkloadKind> kinds = new TreeMap<>();
    for (String flag : flags) {
      Matcher matcher = FLAG.matcher(flag);
      if (!matcher.matches()) {
        throw new IllegalArgumentException("\"" + flag + "\": " + FORM);
      }
      String group = matcher.group("group");
      String version = matcher.group("version");
      WorkloadKind one =
          new WorkloadKind(
              group == null ? version : group + "/" + version,
              matcher.group("kind"),
              List.of(matcher.group("path")),
              true);
      if (one.key().equals("v1.Pod")
          || BUILT_IN.stream().anyMatch(kind -> kind.key().equals(one.key()))) {
        throw new IllegalArgumentException("\"" + flag + "\": this kind is always recorded");
      }
      kinds.merge(one.key(), one, WorkloadKind::merged);
    }
    return List.copyOf(kinds.values());
  }

  private static WorkloadKind merged(WorkloadKind a, WorkloadKind b) {
    List<String> all = new ArrayList<>(a.templates);
    b.templates.stream().filter(path -> !all.contains(path)).forEach(all::add);
    return new WorkloadKind(a.apiVersion, a.kind, all, true);
  }

  /** Returns {@code group/version.kind}. */
  public String key() {
    return apiVersion + "." + kind;
  }

  /** Empty for the core group. */
  public String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  /** Returns the keys of kinds with their templates, as the header of a trace has them. */
  public static Map<String, List<String>> byKey(List<WorkloadKind> kinds) {
    return kinds.stream().collect(Collectors.toMap(WorkloadKind::key, WorkloadKind::templates));
  }

  @Override
  public String toString() {
    return kind.toLowerCase(Locale.ROOT) + (group().isEmpty() ? "" : "." + group());
  }
}
