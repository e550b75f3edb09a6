package dev.vertlet.provider;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.ProbeView;

/**
 * One probe of one running instance of a container.
 *
 * @param podIP where the pod is reached, empty when it has no address
 * @param containerId of the instance
 * @param probe says what to do and how long it may take
 */
public record ProbeRequest(
    PodView pod,
    String podIP,
    ContainerView container,
    String containerId,
    ProbeKind kind,
    ProbeView probe) {}
