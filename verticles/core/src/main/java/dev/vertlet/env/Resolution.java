package dev.vertlet.env;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Result of resolving an environment. */
public sealed interface Resolution {
  /**
   * The environment is resolved.
   *
   * @param variables name to value in a fixed order: those of {@code envFrom}, in the order of the
   *     sources and of the keys; those of {@code env}; services
   * @param skipped missing optional references, in the order of discovery
   */
  record Resolved(Map<String, String> variables, List<MissingReference> skipped)
      implements Resolution {
    public Resolved {
      variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
      skipped = List.copyOf(skipped);
    }

    /** Leaves out the values: they may be secret. */
    @Override
    public String toString() {
      return "Resolved" + variables.keySet();
    }
  }

  /**
   * An object is still being read.
   *
   * @param until end of the wait, epoch milliseconds
   */
  record Waiting(long until) implements Resolution {}

  /**
   * The environment cannot be resolved now.
   *
   * @param message the kubelet's
   * @param missing the cause, if it is a missing object or key
   * @param skipped missing optional references before the cause
   */
  record Failed(String message, @Nullable MissingReference missing, List<MissingReference> skipped)
      implements Resolution {
    public Failed {
      skipped = List.copyOf(skipped);
    }

    /** All missing references, in the order of discovery. */
    public List<MissingReference> all() {
      List<MissingReference> all = new ArrayList<>(skipped);
      if (missing != null) {
        all.add(missing);
      }
      return all;
    }
  }
}
