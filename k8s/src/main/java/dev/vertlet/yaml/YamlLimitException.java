package dev.vertlet.yaml;

import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** A text exceeds one of the {@link BoundedYaml limits}; the message names the limit. */
public final class YamlLimitException extends YamlEngineException {
  private static final long serialVersionUID = 1;

  YamlLimitException(String message) {
    super(message);
  }
}
