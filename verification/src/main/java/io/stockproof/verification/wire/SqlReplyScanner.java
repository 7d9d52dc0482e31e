package io.stockproof.verification.wire;

import static io.stockproof.verification.wire.MysqlPackets.CLIENT_DEPRECATE_EOF;
import static io.stockproof.verification.wire.MysqlPackets.EOF;
import static io.stockproof.verification.wire.MysqlPackets.ERR;
import static io.stockproof.verification.wire.MysqlPackets.HEADER;
import static io.stockproof.verification.wire.MysqlPackets.LOCAL_INFILE;
import static io.stockproof.verification.wire.MysqlPackets.LONGEST;
import static io.stockproof.verification.wire.MysqlPackets.OK;

/**
 * Finds the ends of replies of the database in a stream that comes in pieces of any size, and keeps
 * the little of them that people are told. Pump thread only.
 */
final class SqlReplyScanner {

  /** Where in a reply the next packet stands. */
  private enum Place {
    BETWEEN,
    /** One packet that answers nothing: login, or the server's last words. */
    ASIDE,
    LOGIN,
    FIRST,
    PREPARED,
    DEFINITIONS,
    COLUMNS,
    COLUMNS_END,
    ROWS
  }

  /** Told of what a reply changes. */
  interface Listener {
    /** Status flags of the server after a statement. */
    void status(int flags);

    /** The server asks for a file of the client. */
    void fileAsked();

    /** A statement was prepared. */
    void prepared(long id, int parameters);

    /** A packet that answers nothing, by its first byte. */
    void aside(int first);
  }

  /** MariaDB's progress report: an ERR packet that is none. */
  private static final int PROGRESS = 0xffff;

  private static final int KEPT = 1_024;

  private final Listener listener;
  private final byte[] kept = new byte[KEPT];
  private final SqlReplyText text = new SqlReplyText();
  private Place place = Place.BETWEEN;
  private int kind;
  private int headerBytes;
  private int length;
  private int done;
  private boolean continues;
  private boolean afterLongest;
  private boolean ended;
  private boolean asideUnit;
  private long definitions;
  private volatile int capabilities;

  SqlReplyScanner(Listener listener) {
    this.listener = listener;
  }

  /** What client and server agreed on. Client thread, before the server has answered it. */
  void capabilities(int agreed) {
    capabilities = agreed;
  }

  boolean between() {
    return place == Place.BETWEEN;
  }

  /** Whether the unit begun or just ended answers no command. */
  boolean aside() {
    return asideUnit;
  }

  Reply reply() {
    return text.reply();
  }

  /** The next packet answers nothing. */
  void beginAside() {
    begin(Place.ASIDE, 0);
    asideUnit = true;
  }

  /** The next packet begins the reply to such a command. */
  void beginReply(int command) {
    Place first =
        switch (command) {
          case MysqlPackets.COM_CHANGE_USER -> Place.LOGIN;
          case MysqlPackets.COM_FIELD_LIST, MysqlPackets.COM_STMT_FETCH -> Place.ROWS;
          default -> Place.FIRST;
        };
    begin(first, command);
    asideUnit = false;
    text.clear(command);
  }

  private void begin(Place first, int command) {
    place = first;
    kind = command;
    headerBytes = 0;
    length = 0;
    afterLongest = false;
    ended = false;
  }

  /** See {@link Dialect#serverUnit}. */
  int next(byte[] b, int from, int to) {
    int i = from;
    while (i < to) {
      if (headerBytes < HEADER) {
        if (headerBytes < 3) {
          length |= (b[i] & 0xff) << (8 * headerBytes);
        }
        i++;
        headerBytes++;
        done = 0;
      } else {
        int step = Math.min(length - done, to - i);
        if (done < KEPT) {
          System.arraycopy(b, i, kept, done, Math.min(step, KEPT - done));
        }
        done += step;
        i += step;
      }
      if (headerBytes == HEADER && done == length && packetEnded()) {
        place = Place.BETWEEN;
        return i;
      }
    }
    return Dialect.MORE;
  }

  /** Whether the reply ended with this packet. */
  private boolean packetEnded() {
    continues = length == LONGEST;
    if (!afterLongest) {
      packet();
    }
    afterLongest = continues;
    headerBytes = 0;
    length = 0;
    done = 0;
    return ended && !continues;
  }

  private int first() {
    return length == 0 ? -1 : kept[0] & 0xff;
  }

  private void packet() {
    switch (place) {
      case ASIDE -> {
        listener.aside(first());
        ended = true;
      }
      case LOGIN -> {
        if (first() == OK || first() == ERR) {
          okOrError();
        }
      }
      case FIRST -> firstPacket();
      case PREPARED, DEFINITIONS -> definition();
      case COLUMNS -> column();
      case COLUMNS_END -> columnsEnd();
      case ROWS -> row();
      case BETWEEN -> {}
    }
  }

  private void firstPacket() {
    int first = first();
    if (first == ERR) {
      okOrError();
    } else if (kind == MysqlPackets.COM_STATISTICS) {
      ended = true;
    } else if (kind == MysqlPackets.COM_STMT_PREPARE && first == OK) {
      prepared();
    } else if (first == OK || first == EOF) {
      okOrError();
    } else if (first == LOCAL_INFILE) {
      listener.fileAsked();
    } else {
      definitions = new Slice(kept, 0, Math.min(length, KEPT)).encoded();
      text.columns(definitions);
      place = Place.COLUMNS;
    }
  }

  private void prepared() {
    Slice in = new Slice(kept, 1, Math.min(length, KEPT));
    long id = in.number(4);
    long columns = in.u16();
    int parameters = in.u16();
    listener.prepared(id, parameters);
    int ends = hasEof() ? (columns > 0 ? 1 : 0) + (parameters > 0 ? 1 : 0) : 0;
    definitions = columns + parameters + ends;
    place = Place.DEFINITIONS;
    ended = definitions == 0;
  }

  private void definition() {
    ended = --definitions == 0;
  }

  private void column() {
    text.column(kept, Math.min(length, KEPT), length);
    if (--definitions == 0) {
      place = hasEof() ? Place.COLUMNS_END : Place.ROWS;
    }
  }

  /** A cursor has no rows here; they are fetched. */
  private void columnsEnd() {
    int flags = eofStatus();
    place = Place.ROWS;
    if ((flags & MysqlPackets.STATUS_CURSOR_EXISTS) != 0) {
      finish(flags);
    }
  }

  private void row() {
    int first = first();
    if (first == ERR) {
      okOrError();
    } else if (first == EOF && length < (hasEof() ? 9 : LONGEST)) {
      finish(hasEof() ? eofStatus() : okStatus());
    } else {
      text.row(kept, Math.min(length, KEPT), length);
    }
  }

  private void okOrError() {
    Slice in = new Slice(kept, 1, Math.min(length, KEPT));
    if (first() == ERR) {
      int code = in.u16();
      if (code == PROGRESS) {
        return;
      }
      text.error(code, in);
      ended = true;
      return;
    }
    boolean eof = first() == EOF && length < 9 && hasEof();
    if (!eof) {
      text.ok(in.encoded());
    }
    finish(eof ? eofStatus() : okStatus());
  }

  private void finish(int flags) {
    listener.status(flags);
    ended = (flags & MysqlPackets.STATUS_MORE_RESULTS) == 0;
    place = Place.FIRST;
  }

  private int eofStatus() {
    Slice in = new Slice(kept, 3, Math.min(length, KEPT));
    return in.u16();
  }

  private int okStatus() {
    Slice in = new Slice(kept, 1, Math.min(length, KEPT));
    in.encoded();
    in.encoded();
    return in.u16();
  }

  private boolean hasEof() {
    return (capabilities & CLIENT_DEPRECATE_EOF) == 0;
  }
}
