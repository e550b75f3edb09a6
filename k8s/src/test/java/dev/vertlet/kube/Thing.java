package dev.vertlet.kube;

import dev.vertlet.model.KubeObject;

/** The least an object can be. */
public record Thing(String namespace, String name, String uid, long resourceVersion)
    implements KubeObject {}
