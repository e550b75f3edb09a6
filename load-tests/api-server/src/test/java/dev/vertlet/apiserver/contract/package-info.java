/**
 * What every API server must do, told over HTTP alone: the same tests run against the embedded
 * server and, with {@code -Dvertlet.contract.url} and {@code -Dvertlet.contract.token}, against a
 * real one.
 */
@NullMarked
package dev.vertlet.apiserver.contract;

import org.jspecify.annotations.NullMarked;
