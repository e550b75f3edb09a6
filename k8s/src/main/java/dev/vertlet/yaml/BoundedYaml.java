package dev.vertlet.yaml;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.YamlUnicodeReader;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.constructor.StandardConstructor;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import org.snakeyaml.engine.v2.schema.Schema;

/**
 * Reads YAML 1.2 within limits that are enforced during reading. An alias counts as much as the
 * node it stands for: a text of 600 bytes can stand for millions of values, and a JSON writer would
 * write each of them. With its aliases expanded, a text may have as many keys and values as it has
 * bytes plus 2,000, and eight times as many characters plus 65,536.
 */
public final class BoundedYaml {
  /** Maximum number of code points, 10 MB: the limit of a kubelet for one file or answer. */
  public static final int MAX_LENGTH = 10 << 20;

  /** Maximum number of keys and values; a PodList of 500 pods has some 60,000. */
  public static final int MAX_NODES = 100_000;

  /** Maximum nesting; a pod has some ten levels; the limit of JSON writers is 1000. */
  public static final int MAX_LEVELS = 200;

  /** Allowance of every text, so that a few anchors and aliases are always accepted. */
  private static final int FREE_NODES = 2_000;

  private static final int FREE_CHARACTERS = 1 << 16;

  /** Maximum growth of a text by expanding its aliases. */
  private static final long GROWTH = 8;

  /** Bytes from which on reading a text takes megabytes of memory: 10 MB take a hundred. */
  private static final int LARGE = 1 << 14;

  /** Held while a large text is read: otherwise twenty workers might read one each. */
  private static final Object ONE_LARGE = new Object();

  private BoundedYaml() {}

  /**
   * Converts a text to plain Java objects. Blocks while another large text is read.
   *
   * @param schema decides which scalars are numbers
   * @param equalKeys whether one object may contain a key twice; the last one then counts
   * @return an object for each document; empty documents are left out
   * @throws YamlLimitException beyond a limit
   * @throws org.snakeyaml.engine.v2.exceptions.YamlEngineException when the text is not YAML
   */
  public static List<Object> read(byte[] text, Schema schema, boolean equalKeys) {
    if (text.length < LARGE) {
      return readNow(text, schema, equalKeys);
    }
    synchronized (ONE_LARGE) {
      return readNow(text, schema, equalKeys);
    }
  }

  private static List<Object> readNow(byte[] text, Schema schema, boolean equalKeys) {
    LoadSettings settings =
        LoadSettings.builder()
            .setSchema(schema)
            .setAllowDuplicateKeys(equalKeys)
            .setCodePointLimit(MAX_LENGTH)
            .build();
    Composer composer = new Composer(settings, parser(text, settings));
    StandardConstructor constructor = new StandardConstructor(settings);
    List<Object> documents = new ArrayList<>();
    while (composer.hasNext()) {
      Object document = constructor.constructSingleDocument(Optional.of(composer.next()));
      if (document != null) {
        documents.add(document);
      }
    }
    return documents;
  }

  /**
   * Checks the limits of {@link #read} for a text that another parser reads.
   *
   * @throws YamlLimitException beyond a limit
   * @throws org.snakeyaml.engine.v2.exceptions.YamlEngineException when the text is not YAML
   */
  public static void check(byte[] text) {
    LoadSettings settings =
        LoadSettings.builder().setSchema(new CoreSchema()).setCodePointLimit(MAX_LENGTH).build();
    Parser parser = parser(text, settings);
    while (parser.hasNext()) {
      parser.next();
    }
  }

  private static Parser parser(byte[] text, LoadSettings settings) {
    YamlUnicodeReader reader = new YamlUnicodeReader(new ByteArrayInputStream(text));
    return new Counted(
        new ParserImpl(settings, new StreamReader(settings, reader)),
        new YamlBudget(
            Math.min(MAX_NODES, FREE_NODES + text.length),
            Math.min(MAX_LENGTH, FREE_CHARACTERS + GROWTH * text.length),
            MAX_LEVELS));
  }

  /** Counts each event once, before a node is built from it. */
  private static final class Counted implements Parser {
    private final Parser events;
    private final YamlBudget budget;

    Counted(Parser events, YamlBudget budget) {
      this.events = events;
      this.budget = budget;
    }

    @Override
    public boolean hasNext() {
      return events.hasNext();
    }

    @Override
    public boolean checkEvent(Event.ID id) {
      return events.checkEvent(id);
    }

    @Override
    public Event peekEvent() {
      return events.peekEvent();
    }

    @Override
    public Event next() {
      Event event = events.next();
      budget.take(event);
      return event;
    }
  }
}
