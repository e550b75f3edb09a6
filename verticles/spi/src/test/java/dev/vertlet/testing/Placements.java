package dev.vertlet.testing;

import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PlacementView.HostPort;
import dev.vertlet.model.pod.PlacementView.Term;
import dev.vertlet.model.pod.PlacementView.Toleration;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.QosClass;
import java.util.List;
import java.util.Map;

/** Builds what pods ask of their node, for tests; of what a test does not say, nothing. */
public final class Placements {
  private final PodRequests requests;
  private final QosClass qos;
  private List<HostPort> ports = List.of();
  private Map<String, String> selector = Map.of();
  private List<Term> affinity = List.of();
  private List<Toleration> tolerations = List.of();
  private String os = "";
  private Map<String, String> emptyDirs = Map.of();

  private Placements(PodRequests requests, QosClass qos) {
    this.requests = requests;
    this.qos = qos;
  }

  public static Placements anywhere() {
    return asking(PodRequests.NONE);
  }

  public static Placements asking(PodRequests requests) {
    boolean none = requests.milliCpu() == 0 && requests.memory() == 0;
    return asking(requests, none ? QosClass.BEST_EFFORT : QosClass.BURSTABLE);
  }

  public static Placements asking(PodRequests requests, QosClass qos) {
    return new Placements(requests, qos);
  }

  public Placements ports(HostPort... values) {
    ports = List.of(values);
    return this;
  }

  public Placements selector(Map<String, String> labels) {
    selector = labels;
    return this;
  }

  public Placements affinity(Term... terms) {
    affinity = List.of(terms);
    return this;
  }

  public Placements tolerating(Toleration... values) {
    tolerations = List.of(values);
    return this;
  }

  public Placements os(String name) {
    os = name;
    return this;
  }

  /** Limits of its emptyDirs by their names. */
  public Placements emptyDirs(Map<String, String> limits) {
    emptyDirs = limits;
    return this;
  }

  public PlacementView build() {
    return new PlacementView(requests, ports, selector, affinity, tolerations, os, qos, emptyDirs);
  }
}
