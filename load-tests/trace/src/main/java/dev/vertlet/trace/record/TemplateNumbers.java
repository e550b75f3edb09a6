package dev.vertlet.trace.record;

import dev.vertlet.trace.WorkloadRef;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers the pod templates of each owner in the order in which pods of them appear. An owner is
 * forgotten when it and its pods are gone.
 */
final class TemplateNumbers {
  private final Map<WorkloadRef, Owner> owners = new HashMap<>();

  private static final class Owner {
    private final Map<String, Integer> numbers = new HashMap<>();
    private int next;
    private int pods;
    private boolean gone;
  }

  private Owner owner(WorkloadRef ref) {
    return owners.computeIfAbsent(ref, absent -> new Owner());
  }

  /**
   * Returns the number of a template.
   *
   * @param template what distinguishes it from others of the owner
   */
  int of(WorkloadRef ref, String template) {
    Owner owner = owner(ref);
    return owner.numbers.computeIfAbsent(template, absent -> owner.next++);
  }

  /** Reserves a number that the trace has already given. */
  void taken(WorkloadRef ref, int number) {
    Owner owner = owner(ref);
    owner.next = Math.max(owner.next, number + 1);
  }

  /** Gives a template the number that one of its pods has in the trace. */
  void restore(WorkloadRef ref, String template, int number) {
    owner(ref).numbers.putIfAbsent(template, number);
    taken(ref, number);
  }

  void podJoined(WorkloadRef ref) {
    owner(ref).pods++;
  }

  void podLeft(WorkloadRef ref) {
    Owner owner = owner(ref);
    owner.pods--;
    forget(ref, owner);
  }

  void ownerLeft(WorkloadRef ref) {
    Owner owner = owners.get(ref);
    if (owner != null) {
      owner.gone = true;
      forget(ref, owner);
    }
  }

  void ownerJoined(WorkloadRef ref) {
    Owner owner = owners.get(ref);
    if (owner != null) {
      owner.gone = false;
    }
  }

  private void forget(WorkloadRef ref, Owner owner) {
    if (owner.gone && owner.pods <= 0) {
      owners.remove(ref);
    }
  }

  int size() {
    return owners.size();
  }
}
