package dev.vertlet.yaml;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;

/**
 * Counts the nodes and characters of a text, with aliases expanded. Needs memory only for open
 * levels and anchors.
 */
final class YamlBudget {
  private final int mostNodes;
  private final long mostCharacters;
  private final int mostLevels;

  private final Deque<Open> open = new ArrayDeque<>();
  private final Map<Anchor, Size> anchored = new HashMap<>();
  private long nodes;
  private long characters;

  /**
   * Size of a node with its aliases expanded.
   *
   * @param nodes scalars, sequences and mappings
   * @param characters of scalars and of tags
   * @param levels nesting of sequences and mappings
   */
  private record Size(long nodes, long characters, int levels) {
    static final Size NONE = new Size(0, 0, 0);
  }

  /** A sequence or mapping that has not ended yet. */
  private static final class Open {
    private final Optional<Anchor> anchor;
    private final long nodesBefore;
    private final long charactersBefore;
    private int levels = 1;

    Open(Optional<Anchor> anchor, long nodesBefore, long charactersBefore) {
      this.anchor = anchor;
      this.nodesBefore = nodesBefore;
      this.charactersBefore = charactersBefore;
    }
  }

  YamlBudget(int mostNodes, long mostCharacters, int mostLevels) {
    this.mostNodes = mostNodes;
    this.mostCharacters = mostCharacters;
    this.mostLevels = mostLevels;
  }

  /**
   * Counts one event.
   *
   * @throws YamlLimitException beyond a limit, before a node is built from the event
   */
  void take(Event event) {
    if (event instanceof ScalarEvent scalar) {
      Size size = new Size(1, scalar.getValue().length() + length(scalar.getTag()), 0);
      scalar.getAnchor().ifPresent(anchor -> anchored.put(anchor, size));
      add(size);
    } else if (event instanceof AliasEvent alias) {
      alias(alias.getAlias());
    } else if (event instanceof CollectionStartEvent start) {
      open.push(new Open(start.getAnchor(), nodes, characters));
      add(new Size(1, length(start.getTag()), 0));
    } else if (event instanceof CollectionEndEvent) {
      end();
    } else if (event instanceof DocumentStartEvent) {
      anchored.clear();
    }
  }

  private void alias(Anchor name) {
    if (open.stream().anyMatch(each -> each.anchor.filter(name::equals).isPresent())) {
      throw new YamlLimitException("has an alias that refers to itself");
    }
    // the composer rejects an unknown alias
    add(anchored.getOrDefault(name, Size.NONE));
  }

  private void end() {
    Open ended = open.pop();
    Size size =
        new Size(nodes - ended.nodesBefore, characters - ended.charactersBefore, ended.levels);
    ended.anchor.ifPresent(anchor -> anchored.put(anchor, size));
    Open around = open.peek();
    if (around != null) {
      around.levels = Math.max(around.levels, ended.levels + 1);
    }
  }

  private void add(Size size) {
    nodes += size.nodes();
    characters += size.characters();
    Open around = open.peek();
    if (around != null) {
      around.levels = Math.max(around.levels, size.levels() + 1);
    }
    if (open.size() + size.levels() > mostLevels) {
      throw new YamlLimitException("has more than " + mostLevels + " levels");
    }
    if (nodes > mostNodes) {
      throw new YamlLimitException(
          "has more than %d keys and values, with its aliases written out".formatted(mostNodes));
    }
    if (characters > mostCharacters) {
      throw new YamlLimitException(
          "has more than %d characters, with its aliases written out".formatted(mostCharacters));
    }
  }

  private static int length(Optional<String> tag) {
    return tag.map(String::length).orElse(0);
  }
}
