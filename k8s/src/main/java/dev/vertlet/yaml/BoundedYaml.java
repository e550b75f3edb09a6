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
 * Reads YAML 1.2 within limits that hold while it is read. An alias counts as much as what it
 * stands for: a text of 600 bytes can stand for millions of values, and whoever writes it down as
 * JSON has to write each of them. With its aliases written out, a text may have as many keys and
 * values as it has bytes and 2,000 more, and eight times as many characters and 65,536 more.
 */
public final class BoundedYaml {
  /** 10 MB: what a kubelet reads of one file or answer at most. Of code points in a text. */
  public static final int MAX_LENGTH = 10 << 20;

  /** Keys and values; a PodList of 500 pods has some 60,000. */
  public static final int MAX_NODES = 100_000;

  /** A pod has some ten levels; the limit of JSON writers is 1000. */
  public static final int MAX_LEVELS = 200;

  /** What any text may have, so that few anchors and aliases are never too many. */
  private static final int FREE_NODES = 2_000;

  private static final int FREE_CHARACTERS = 1 << 16;

  /** How many times its length a text may be with its aliases written out. */
  private static final long GROWTH = 8;

  /** Bytes from which on a text takes megabytes while it is read: 10 MB take a hundred. */
  private static final int LARGE = 1 << 14;

  /** Held while a large text is read: twenty workers may have one each. */
  private static final Object ONE_LARGE = new Object();

  private BoundedYaml() {}

  /**
   * Makes Java's own objects of a text. Blocks while another large text is read.
   *
   * @param schema decides which scalars are numbers
   * @param equalKeys whether a key may stand twice in one object; the last one then counts
   * @return an object for each document; those without any content are left out
   * @throws YamlLimitException beyond a limit
   * @throws org.snakeyaml.engine.v2.exceptions.YamlEngineException when it is no YAML
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
   * Looks whether {@link #read} would take a text that another reader is given.
   *
   * @throws YamlLimitException beyond a limit
   * @throws org.snakeyaml.engine.v2.exceptions.YamlEngineException when it is no YAML
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

  /** Counts each event once, before anybody makes something of it. */
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
