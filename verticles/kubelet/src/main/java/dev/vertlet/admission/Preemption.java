package dev.vertlet.admission;

import dev.vertlet.admission.Rejection.Lack;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.pod.QosClass;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Pods that a pod preempts on its node: as few as possible, of the lowest QoS classes, and no more
 * than needed.
 *
 * @param victims empty if there is a problem
 * @param problem why no victims can be found; empty if some are
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/preemption/preemption.go">
 *     preemption/preemption.go, kubelet 1.36.3</a>
 */
public record Preemption(List<PodView> victims, String problem) {
  public Preemption {
    victims = List.copyOf(victims);
  }

  /**
   * Chooses the victims.
   *
   * @param pods of the node
   * @param lacks resources that are missing for {@code pod}
   */
  public static Preemption choose(PodView pod, Collection<PodView> pods, List<Lack> lacks) {
    Map<QosClass, List<PodView>> classes = new EnumMap<>(QosClass.class);
    List<PodView> all = new ArrayList<>();
    for (PodView other : pods) {
      if (preemptable(pod, other)) {
        QosClass qos = other.spec().placement().qos();
        classes.computeIfAbsent(qos, none -> new ArrayList<>()).add(other);
        all.add(other);
      }
    }
    List<Lack> never = left(lacks, all);
    if (!never.isEmpty()) {
      return new Preemption(
          List.of(), "no set of running pods found to reclaim resources: " + describe(never));
    }
    List<PodView> bestEffort = classes.getOrDefault(QosClass.BEST_EFFORT, List.of());
    List<PodView> burstable = classes.getOrDefault(QosClass.BURSTABLE, List.of());
    List<PodView> guaranteed = classes.getOrDefault(QosClass.GUARANTEED, List.of());
    // each class covers only what the others cannot: first what remains if all lower ones went
    List<PodView> third = nearest(guaranteed, left(lacks, both(bestEffort, burstable)));
    List<PodView> second = nearest(burstable, left(lacks, both(bestEffort, third)));
    List<PodView> first = nearest(bestEffort, left(lacks, both(second, third)));
    return new Preemption(both(first, both(second, third)), "");
  }

  /**
   * Whether {@code pod} may preempt {@code other}: a critical pod preempts every non-critical one,
   * other pods only those of lower priority.
   */
  private static boolean preemptable(PodView pod, PodView other) {
    return (CriticalPods.critical(pod) && !CriticalPods.critical(other))
        || pod.spec().priority() > other.spec().priority();
  }

  /**
   * Returns few pods that cover the missing resources: in each step the pod that comes nearest to
   * them.
   */
  private static List<PodView> nearest(List<PodView> pods, List<Lack> lacks) {
    List<PodView> candidates = new ArrayList<>(pods);
    List<PodView> chosen = new ArrayList<>();
    List<Lack> missing = lacks;
    while (!missing.isEmpty()) {
      int best = 0;
      for (int i = 1; i < candidates.size(); i++) {
        if (better(candidates.get(i), candidates.get(best), missing)) {
          best = i;
        }
      }
      PodView taken = candidates.get(best);
      chosen.add(taken);
      missing = left(missing, List.of(taken));
      candidates.set(best, candidates.get(candidates.size() - 1));
      candidates.remove(candidates.size() - 1);
    }
    return chosen;
  }

  /** Whether {@code pod} is nearer to the missing resources, or as near and not larger. */
  private static boolean better(PodView pod, PodView best, List<Lack> missing) {
    int nearer = Double.compare(distance(pod, missing), distance(best, missing));
    return nearer < 0 || (nearer == 0 && !greater(pod, best));
  }

  private static boolean greater(PodView pod, PodView other) {
    PodRequests a = pod.spec().placement().requests();
    PodRequests b = other.spec().placement().requests();
    int memory = Long.compare(a.memory(), b.memory());
    return memory > 0 || (memory == 0 && a.milliCpu() > b.milliCpu());
  }

  /** Sum of the squares of the fractions that would remain missing. */
  private static double distance(PodView pod, List<Lack> missing) {
    double distance = 0;
    for (Lack lack : missing) {
      double left = lack.amount() - taken(pod, lack.resource());
      if (left > 0) {
        distance += Math.pow(left / lack.amount(), 2);
      }
    }
    return distance;
  }

  private static List<Lack> left(List<Lack> lacks, List<PodView> without) {
    List<Lack> left = new ArrayList<>();
    for (Lack lack : lacks) {
      long amount = lack.amount();
      for (PodView pod : without) {
        amount -= taken(pod, lack.resource());
      }
      if (amount > 0) {
        left.add(new Lack(lack.resource(), amount));
      }
    }
    return left;
  }

  private static long taken(PodView pod, String resource) {
    PodRequests requests = pod.spec().placement().requests();
    return switch (resource) {
      case "pods" -> 1;
      case "cpu" -> requests.milliCpu();
      case "memory" -> requests.memory();
      case "ephemeral-storage" -> requests.ephemeralStorage();
      default -> requests.others().getOrDefault(resource, 0L);
    };
  }

  private static List<PodView> both(List<PodView> some, List<PodView> others) {
    List<PodView> both = new ArrayList<>(some);
    both.addAll(others);
    return both;
  }

  /** Formats missing resources as the kubelet does. */
  private static String describe(List<Lack> lacks) {
    StringBuilder text = new StringBuilder("[");
    for (Lack lack : lacks) {
      text.append("(res: ").append(lack.resource());
      text.append(", q: ").append(lack.amount()).append("), ");
    }
    return text.append(']').toString();
  }
}
