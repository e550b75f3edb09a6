package dev.vertlet.provider.probe;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.model.pod.PodView;

/**
 * One probe of one running instance of a container.
 *
 * @param podIP the pod's address, empty when it has none
 * @param containerId of the instance
 * @param probe the check and its timeout
 */
public record ProbeRequest(
    PodView pod,
    String podIP,
    ContainerView container,
    String containerId,
    ProbeKind kind,
    ProbeView probe) {}
