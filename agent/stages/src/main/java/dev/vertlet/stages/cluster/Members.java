package dev.vertlet.stages.cluster;

import dev.vertlet.stages.play.StageObject;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * Divides objects that belong to no node among agents, by rendezvous hashing of their UIDs. While
 * two agents disagree, both may play a stage; the resourceVersion in their writes lets one of them
 * win.
 */
final class Members {
  private final String identity;
  private final boolean shared;
  private Set<String> members = Set.of();

  /**
   * @param identity of this agent
   * @param shared whether there may be others; alone, an agent has all objects
   */
  Members(String identity, boolean shared) {
    this.identity = identity;
    this.shared = shared;
  }

  /** Returns whether the members have changed. */
  boolean set(Collection<String> all) {
    Set<String> next = new TreeSet<>(all);
    boolean changed = shared && !next.equals(members);
    members = next;
    return changed;
  }

  /** Whether an object is this agent's; before the members are known, none is. */
  boolean isOwn(StageObject object) {
    if (!shared) {
      return true;
    }
    long best = Long.MIN_VALUE;
    String owner = "";
    for (String member : members) {
      long weight = weight(member, object.uid());
      if (owner.isEmpty() || weight > best) {
        best = weight;
        owner = member;
      }
    }
    return owner.equals(identity);
  }

  private static long weight(String member, String uid) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < member.length() + uid.length(); i++) {
      char c = i < member.length() ? member.charAt(i) : uid.charAt(i - member.length());
      hash = (hash ^ c) * 0x100000001b3L;
    }
    long z = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
