package dev.vertlet.config.node;

import dev.vertlet.problem.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives every node its own slice of a pod address block. The node's name decides which slice, so
 * that independent agents seldom use the same one; of two names with the same slice, the first gets
 * it. Templates that name the same block share it in their order, so a node keeps its slice when a
 * count grows at the end of the list. Adopted nodes take their slices on arrival, from separate
 * blocks.
 */
final class PodCidrs {
  private static final int LONGEST = 30;
  private static final int SHORTEST = 8;

  /** kube-controller-manager's default for --node-cidr-mask-size. */
  static final int USUAL = 24;

  private final List<NodeTemplate> templates;

  /** Maximum number of pods per node, by template. */
  private final List<Long> pods;

  private final Problems problems;
  private final List<Share> shares = new ArrayList<>();

  /**
   * Slices of one template's nodes.
   *
   * @param slices one for each; fewer than its count where there are problems
   * @param addresses of each slice
   */
  record Share(List<String> slices, long addresses) {}

  PodCidrs(List<NodeTemplate> templates, List<Long> pods, Problems problems) {
    this.templates = templates;
    this.pods = pods;
    this.problems = problems;
    templates.forEach(template -> shares.add(new Share(List.of(), 0)));
  }

  /** Divides the blocks; returns one share per template. */
  List<Share> divide() {
    Map<Ipv4Block, List<Integer>> users = new LinkedHashMap<>();
    for (int i = 0; i < templates.size(); i++) {
      int index = i;
      String text = templates.get(i).podCIDR();
      Ipv4Block.parse(text)
          .ifPresentOrElse(
              block -> {
                if (checkWritten(index, text, block)) {
                  users.computeIfAbsent(block, b -> new ArrayList<>()).add(index);
                }
              },
              () -> refuse(index, "must be an IPv4 block such as \"10.200.0.0/16\""));
    }
    refuseOverlaps(users);
    users.forEach(
        (block, owners) -> {
          if (owners.stream().noneMatch(owner -> templates.get(owner).adopts())) {
            divide(block, owners);
          } else if (refuseMixed(block, owners)) {
            mask(block, owners, 0);
          }
        });
    return shares;
  }

  private boolean checkWritten(int index, String text, Ipv4Block block) {
    if (!text.equals(block.toString())) {
      refuse(index, "must begin with the first address of its block: \"" + block + "\"");
      return false;
    }
    if (block.prefix() < SHORTEST || block.prefix() > LONGEST) {
      refuse(index, "must be a block from /" + SHORTEST + " to /" + LONGEST);
      return false;
    }
    return true;
  }

  private void refuseOverlaps(Map<Ipv4Block, List<Integer>> users) {
    Map<Ipv4Block, Integer> seen = new LinkedHashMap<>();
    users.forEach(
        (block, owners) -> {
          int first = owners.get(0);
          seen.forEach(
              (other, owner) -> {
                if (other.overlaps(block)) {
                  refuse(
                      first,
                      "overlaps \"%s\" of /nodes/%d/podCIDR; blocks must be equal or apart"
                          .formatted(other, owner));
                }
              });
          seen.put(block, first);
        });
  }

  /** Returns whether only adopted nodes use the block; reports any other use. */
  private boolean refuseMixed(Ipv4Block block, List<Integer> users) {
    for (int user : users) {
      if (!templates.get(user).adopts()) {
        refuse(user, "is that of nodes that are adopted, which have \"" + block + "\" alone");
        return false;
      }
    }
    return true;
  }

  private void divide(Ipv4Block block, List<Integer> users) {
    long nodes = users.stream().mapToLong(user -> templates.get(user).count()).sum();
    int mask = mask(block, users, nodes);
    if (mask < 0) {
      return;
    }
    if (nodes > block.slices(mask)) {
      refuse(
          users.get(users.size() - 1),
          "has room for %d nodes with a /%d each, and %d nodes take their pods' addresses from it; use a wider block or a longer podCIDRMask"
              .formatted(block.slices(mask), mask, nodes));
      return;
    }
    PodRanges ranges = new PodRanges(block.toString(), mask);
    for (int user : users) {
      if (saysPods(user) && Ipv4Block.hosts(mask) < pods.get(user)) {
        refuse(
            user,
            "leaves %d addresses to a node with a /%d, and capacity.pods is %d"
                .formatted(Ipv4Block.hosts(mask), mask, pods.get(user)));
      }
      List<String> slices = new ArrayList<>();
      for (int i = 0; i < templates.get(user).count(); i++) {
        slices.add(ranges.take(templates.get(user).nameOf(i)));
      }
      shares.set(user, new Share(slices, Ipv4Block.hosts(mask)));
    }
  }

  /** Returns whether a template sets its pods; by default a node has as many as addresses. */
  private boolean saysPods(int template) {
    return templates.get(template).capacity().containsKey(NodeResources.PODS);
  }

  /** Returns the longest prefix, at most {@code longest}, whose slice holds this many pods. */
  static int fitting(long pods, int longest) {
    int prefix = longest;
    while (prefix > SHORTEST && Ipv4Block.hosts(prefix) < pods) {
      prefix--;
    }
    return prefix;
  }

  /** Returns the prefix length of the slices; -1 when the templates disagree. */
  private int mask(Ipv4Block block, List<Integer> users, long nodes) {
    int given = 0;
    int needed = USUAL;
    int wanted = USUAL;
    for (int user : users) {
      Integer own = templates.get(user).podCIDRMask();
      if (own != null && given != 0 && own != given) {
        problems.refuse(
            "/nodes/" + user + "/podCIDRMask",
            own,
            "must be " + given + ", as in the other templates with podCIDR \"" + block + "\"");
        return -1;
      }
      if (own != null && own < block.prefix()) {
        problems.refuse(
            "/nodes/" + user + "/podCIDRMask",
            own,
            "must not be shorter than the prefix of podCIDR \"" + block + "\"");
        return -1;
      }
      given = own == null ? given : own;
      wanted = fitting(pods.get(user), wanted);
      needed = saysPods(user) ? fitting(pods.get(user), needed) : needed;
    }
    if (given != 0) {
      return given;
    }
    int prefix = Math.max(wanted, block.prefix());
    while (prefix < needed && nodes > block.slices(prefix)) {
      prefix++;
    }
    return prefix;
  }

  private void refuse(int index, String allowed) {
    problems.refuse("/nodes/" + index + "/podCIDR", templates.get(index).podCIDR(), allowed);
  }
}
