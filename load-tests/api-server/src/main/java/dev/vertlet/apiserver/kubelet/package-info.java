/**
 * How the API server reaches kubelets and pods: where they listen, what it asks them for, and the
 * way of the bytes in between.
 *
 * <p>Decides from the trees of pods and nodes that it is given ({@link
 * dev.vertlet.apiserver.kubelet.NodeEndpoint}, {@link dev.vertlet.apiserver.kubelet.PodContainers},
 * {@link dev.vertlet.apiserver.kubelet.LogOptions}); {@link
 * dev.vertlet.apiserver.kubelet.KubeletClient} carries it out on the server's event loop, with
 * back-pressure, and ends one side when the other has gone. It does not look at what it carries:
 * upgraded connections are tunnelled as they are, so a kubelet has to speak the protocols that
 * clients ask for itself. It does not rewrite HTML pages, and does not check kubelets'
 * certificates, as a real API server that was not told of an authority for them.
 */
@NullMarked
package dev.vertlet.apiserver.kubelet;

import org.jspecify.annotations.NullMarked;
