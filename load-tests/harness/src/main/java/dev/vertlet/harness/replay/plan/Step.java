package dev.vertlet.harness.replay.plan;

import dev.vertlet.trace.WorkloadRef;
import io.vertx.core.json.JsonObject;

/** One change that a replay makes in the cluster. */
public sealed interface Step {
  /** When it is due: real milliseconds since the start of the replay. */
  long at();

  /** What it changes; steps of one subject are made one after the other. */
  String subject();

  /**
   * A node joins.
   *
   * @param node whole object with its status
   */
  record NodeJoins(long at, JsonObject node) implements Step {
    public String name() {
      return node.getJsonObject("metadata").getString("name");
    }

    @Override
    public String subject() {
      return "node " + name();
    }
  }

  /**
   * A node gets another shape.
   *
   * @param patch merge patch of metadata and spec
   * @param status merge patch of the status
   */
  record NodeChanges(long at, String name, JsonObject patch, JsonObject status) implements Step {
    @Override
    public String subject() {
      return "node " + name;
    }
  }

  /** A pod of a workload is deleted from a node that is drained; none if there is none. */
  record Evict(long at, String node, WorkloadRef workload) implements Step {
    @Override
    public String subject() {
      return "pods of " + workload + " on node " + node;
    }
  }

  /** A node leaves, and the pods that are still on it are deleted. */
  record NodeLeaves(long at, String name) implements Step {
    @Override
    public String subject() {
      return "node " + name;
    }
  }

  /** A workload or pod is created. */
  record Create(long at, WorkloadRef workload, JsonObject object) implements Step {
    @Override
    public String subject() {
      return workload.toString();
    }
  }

  /**
   * A workload is changed or scaled.
   *
   * @param patch merge patch
   */
  record Change(long at, WorkloadRef workload, JsonObject patch) implements Step {
    @Override
    public String subject() {
      return workload.toString();
    }
  }

  /** A workload or pod is deleted. */
  record Delete(long at, WorkloadRef workload) implements Step {
    @Override
    public String subject() {
      return workload.toString();
    }
  }
}
