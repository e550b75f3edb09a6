package dev.vertlet.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Seeds;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2CodecUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Http2FramesTest {
  private static final int HEADERS = 1;
  private static final int CONTINUATION = 9;
  private static final int DATA = 0;
  private static final int PING = 6;
  private static final int END_HEADERS = 4;

  private final ByteBuf bytes = Unpooled.buffer().writeBytes(Http2CodecUtil.connectionPrefaceBuf());

  private Http2FramesTest frame(int type, int flags, int stream, int length) {
    bytes.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream).writeZero(length);
    return this;
  }

  /** Adds up what follows one another, so that it does not matter where pieces end. */
  private static final class Seen implements Http2Frames.Listener {
    final List<String> all = new ArrayList<>();
    private String kind = "";
    private int sum;

    @Override
    public void head(int length) {
      add("head", length);
    }

    @Override
    public void headEnded() {
      end();
      all.add("end");
    }

    @Override
    public void body(int stream, int length) {
      add("body " + stream, length);
    }

    private void add(String what, int length) {
      if (!what.equals(kind)) {
        end();
        kind = what;
      }
      sum += length;
    }

    List<String> end() {
      if (!kind.isEmpty()) {
        all.add(kind + ": " + sum);
      }
      kind = "";
      sum = 0;
      return all;
    }
  }

  @Test
  void findsHeadsAndBodiesWhereverPiecesEnd() {
    frame(PING, 0, 0, 8)
        .frame(HEADERS, END_HEADERS, 1, 30)
        .frame(DATA, 0, 1, 70_000)
        .frame(HEADERS, 0, 3, 100)
        .frame(CONTINUATION, 0, 3, 0)
        .frame(CONTINUATION, END_HEADERS, 3, 50)
        .frame(DATA, 1, 0x80000003, 5)
        .frame(HEADERS, END_HEADERS, 5, 0)
        .frame(HEADERS, 0, 7, 12);
    for (int seed = 0; seed < 50; seed++) {
      Random random = Seeds.random(seed);
      Seen seen = new Seen();
      Http2Frames frames = new Http2Frames(seen);
      ByteBuf left = bytes.duplicate();
      while (left.isReadable()) {
        int length = Math.min(left.readableBytes(), 1 + random.nextInt(seed < 25 ? 12 : 40_000));
        frames.read(left.readSlice(length));
      }
      assertThat(seen.end())
          .as("seed %d", seed)
          .containsExactly(
              "head: 30",
              "end",
              "body 1: 70000",
              "head: 150",
              "end",
              "body 3: 5",
              "end",
              "head: 12");
    }
  }
}
