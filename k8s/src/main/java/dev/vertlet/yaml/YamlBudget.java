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
 * Counts what the events of a text make, where an alias counts as much as what it stands for. Takes
 * memory for the levels and the anchors alone.
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
   * What a node is when its aliases are written out.
   *
   * @param nodes scalars, sequences and mappings
   * @param characters of scalars and of tags
   * @param levels of sequences and mappings in one another
   */
  private record Size(long nodes, long characters, int levels) {
    static final Size NONE = new Size(0, 0, 0);
  }

  /** A sequence or mapping whose end is still to come. */
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
   * @throws YamlLimitException when it is too much, before anything is made of it
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
      throw new YamlLimitException("has an alias that stands for what it is in");
    }
    // one of which nothing is known is refused by whoever makes nodes of the events
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
