/**
 * What every API server must do, told over HTTP alone. The same tests run against the embedded
 * server, with this module's tests; against a real control plane with all its controllers, with the
 * cluster tests of the harness; and, with {@code -Dvertlet.contract.url} and {@code
 * -Dvertlet.contract.token}, against any other. They hold whatever the controllers of that control
 * plane do meanwhile.
 */
@NullMarked
package dev.vertlet.apiserver.contract;

import org.jspecify.annotations.NullMarked;
