package dev.vertlet.env;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What became of the attempt to make an environment. */
public sealed interface Resolution {
  /**
   * The environment.
   *
   * @param variables name to value in a fixed order: those of {@code envFrom}, in the order of the
   *     sources and of the keys; those of {@code env}; services
   * @param skipped what was missing and optional, in the order it was found
   */
  record Resolved(Map<String, String> variables, List<Missing> skipped) implements Resolution {
    public Resolved {
      variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
      skipped = List.copyOf(skipped);
    }

    /** Without the values: they may be secret. */
    @Override
    public String toString() {
      return "Resolved" + variables.keySet();
    }
  }

  /**
   * Something it is made of is still being read.
   *
   * @param until when to give up waiting, epoch milliseconds
   */
  record Waiting(long until) implements Resolution {}

  /**
   * It cannot be made now.
   *
   * @param message the kubelet's
   * @param missing the cause, where it is a missing object or key
   * @param skipped what was missing and optional before that
   */
  record Failed(String message, @Nullable Missing missing, List<Missing> skipped)
      implements Resolution {
    public Failed {
      skipped = List.copyOf(skipped);
    }

    /** All that was missing, in the order it was found. */
    public List<Missing> all() {
      List<Missing> all = new ArrayList<>(skipped);
      if (missing != null) {
        all.add(missing);
      }
      return all;
    }
  }
}
