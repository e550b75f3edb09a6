@NullMarked
package dev.vertlet.apiserver.websocket;

import org.jspecify.annotations.NullMarked;
