@NullMarked
package dev.vertlet.configsync.store;

import org.jspecify.annotations.NullMarked;
