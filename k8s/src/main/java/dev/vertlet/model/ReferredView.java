package dev.vertlet.model;

/** An object that pods refer to. */
public sealed interface ReferredView extends KubeObject
    permits DataView, ServiceView, ClaimView, PersistentVolumeView, TrustBundleView, UnservedKind {}
