package dev.vertlet.model.reference;

import dev.vertlet.model.KubeObject;

/** An object that pods refer to. */
public sealed interface ReferredView extends KubeObject
    permits DataView, ServiceView, ClaimView, PersistentVolumeView, TrustBundleView, UnservedKind {}
