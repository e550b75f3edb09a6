/**
 * Access to the API server: kubeconfig or in-cluster files, tokens and exec plugins, TLS material
 * and proxies. Files are read, and plugins run, on workers.
 */
@NullMarked
package dev.vertlet.kube.access;

import org.jspecify.annotations.NullMarked;
