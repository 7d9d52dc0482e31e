package io.stockproof.verification.wire;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which arguments of a Redis command are keys, after the key specifications of the command
 * documentation.
 */
final class RedisKeys {

  /** Finds the positions of keys in the arguments, name included, or null if they make no sense. */
  private interface Rule {
    @Nullable List<Integer> positions(List<String> words);
  }

  private static final Map<String, Rule> RULES = new HashMap<>();

  static {
    rule(
        range(1, 1, 1),
        "GET SET SETNX SETEX PSETEX GETSET GETDEL GETEX APPEND STRLEN INCR DECR INCRBY DECRBY"
            + " INCRBYFLOAT SETRANGE GETRANGE SUBSTR GETBIT SETBIT BITCOUNT BITPOS BITFIELD"
            + " BITFIELD_RO EXPIRE PEXPIRE EXPIREAT PEXPIREAT TTL PTTL EXPIRETIME PEXPIRETIME"
            + " PERSIST TYPE DUMP RESTORE SORT_RO LPUSH RPUSH LPUSHX RPUSHX LPOP RPOP LLEN LINDEX"
            + " LSET LRANGE LTRIM LREM LINSERT LPOS SADD SREM SISMEMBER SMISMEMBER SCARD SMEMBERS"
            + " SRANDMEMBER SPOP SSCAN HSET HSETNX HGET HMSET HMGET HDEL HLEN HSTRLEN HKEYS HVALS"
            + " HGETALL HEXISTS HINCRBY HINCRBYFLOAT HSCAN HRANDFIELD HEXPIRE HPEXPIRE HEXPIREAT"
            + " HPEXPIREAT HTTL HPTTL HPERSIST HGETDEL HGETEX HSETEX ZADD ZREM ZSCORE ZMSCORE ZRANK"
            + " ZREVRANK ZCARD ZCOUNT ZLEXCOUNT ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE"
            + " ZRANGEBYLEX ZREVRANGEBYLEX ZINCRBY ZPOPMIN ZPOPMAX ZRANDMEMBER ZSCAN"
            + " ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREMRANGEBYLEX PFADD XADD XLEN XRANGE XREVRANGE"
            + " XDEL XTRIM XACK XCLAIM XAUTOCLAIM XPENDING XSETID GEOADD GEODIST GEOPOS GEOHASH"
            + " GEOSEARCH GEORADIUS_RO GEORADIUSBYMEMBER_RO MOVE");
    rule(
        range(1, -1, 1),
        "DEL UNLINK EXISTS TOUCH MGET WATCH SINTER SUNION SDIFF SINTERSTORE SUNIONSTORE SDIFFSTORE"
            + " PFCOUNT PFMERGE");
    rule(range(1, -1, 2), "MSET MSETNX");
    rule(
        range(1, 2, 1),
        "RENAME RENAMENX SMOVE RPOPLPUSH LMOVE BLMOVE BRPOPLPUSH COPY LCS ZRANGESTORE"
            + " GEOSEARCHSTORE");
    rule(range(1, -2, 1), "BLPOP BRPOP BZPOPMIN BZPOPMAX");
    rule(range(2, 2, 1), "OBJECT XGROUP XINFO");
    rule(range(2, -1, 1), "BITOP");
    rule(counted(2), "EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO BLMPOP BZMPOP");
    rule(counted(1), "ZUNION ZINTER ZDIFF ZINTERCARD SINTERCARD LMPOP ZMPOP");
    rule(destinationAndCounted(), "ZUNIONSTORE ZINTERSTORE ZDIFFSTORE");
    rule(streams(), "XREAD XREADGROUP");
    rule(
        words -> List.of(),
        "MULTI EXEC DISCARD UNWATCH PUBLISH SPUBLISH TIME WAIT WAITAOF PING HELLO CLIENT AUTH"
            + " SELECT INFO ECHO QUIT RESET COMMAND CONFIG CLUSTER READONLY READWRITE ASKING ROLE"
            + " SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE SCRIPT"
            + " PUBSUB FUNCTION SENTINEL LASTSAVE SLOWLOG LATENCY MODULE ACL MONITOR");
  }

  private RedisKeys() {}

  private static void rule(Rule rule, String names) {
    for (String name : names.split(" ", -1)) {
      RULES.put(name, rule);
    }
  }

  /**
   * Positions of the keys.
   *
   * @param words name in upper case, then the arguments
   * @return null if the command is not known or touches keys it does not name
   */
  static @Nullable List<Integer> positions(List<String> words) {
    Rule rule = RULES.get(words.get(0));
    return rule == null ? null : rule.positions(words);
  }

  private static Rule range(int first, int last, int step) {
    return words -> {
      int end = last < 0 ? words.size() + last : Math.min(last, words.size() - 1);
      List<Integer> positions = new ArrayList<>(1);
      for (int i = first; i <= end; i += step) {
        positions.add(i);
      }
      return positions;
    };
  }

  private static Rule counted(int countAt) {
    return words -> {
      int count = number(words, countAt);
      return count < 0 || count >= words.size() - countAt
          ? null
          : range(countAt + 1, countAt + count, 1).positions(words);
    };
  }

  private static Rule destinationAndCounted() {
    return words -> {
      List<Integer> sources = counted(2).positions(words);
      if (sources == null) {
        return null;
      }
      List<Integer> positions = new ArrayList<>(sources);
      positions.add(0, 1);
      return positions;
    };
  }

  private static Rule streams() {
    return words -> {
      for (int i = 1; i < words.size(); i++) {
        if (words.get(i).toUpperCase(Locale.ROOT).equals("STREAMS")) {
          int half = (words.size() - i - 1) / 2;
          return range(i + 1, i + half, 1).positions(words);
        }
      }
      return null;
    };
  }

  private static int number(List<String> words, int at) {
    try {
      return at < words.size() ? Integer.parseInt(words.get(at)) : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
