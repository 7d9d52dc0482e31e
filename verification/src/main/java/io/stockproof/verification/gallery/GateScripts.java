package io.stockproof.verification.gallery;

/**
 * The scripts of {@link GateIssuer}. Keys: stock; pending; users. Users and pending hold a sentinel
 * "", so that they are there while nobody is in them; beside it, pending holds user → token of each
 * open reservation, and under the sentinel the fence.
 */
final class GateScripts {

  /** ARGV: user, token. Everything is asked before anything is written. */
  static final String ACQUIRE =
      """
      if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3]) < 3 then return 'MISSING' end
      local holder = redis.call('HGET', KEYS[2], ARGV[1])
      local fence = redis.call('HGET', KEYS[2], '')
      -- the same request again: a client library sends anew what was not answered
      if holder == ARGV[2] then return fence end
      -- it may still fail
      if holder then return 'IN_FLIGHT' end
      if redis.call('SISMEMBER', KEYS[3], ARGV[1]) == 1 then return 'DUPLICATE' end
      if tonumber(redis.call('GET', KEYS[1])) <= 0 then return 'SOLD_OUT' end
      redis.call('DECR', KEYS[1])
      redis.call('SADD', KEYS[3], ARGV[1])
      redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
      return fence
      """;

  /** ARGV: user, token. Only who still holds the reservation gives it back, and so only once. */
  static final String RELEASE =
      """
      if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3]) < 3 then return 'MISSING' end
      if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then return 'NOT_MINE' end
      redis.call('HDEL', KEYS[2], ARGV[1])
      redis.call('SREM', KEYS[3], ARGV[1])
      redis.call('INCR', KEYS[1])
      return 'RELEASED'
      """;

  /** ARGV: user. The row is there, so whatever is open for the user is settled. */
  static final String CONFIRM =
      """
      redis.call('HDEL', KEYS[2], ARGV[1])
      return 'CONFIRMED'
      """;

  /** Whether there is anything to reconcile: a key that is gone, or an open reservation. */
  static final String SETTLED =
      """
      if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3]) < 3 then return 'MISSING' end
      if redis.call('HLEN', KEYS[2]) > 1 then return 'OPEN' end
      return 'SETTLED'
      """;

  /** ARGV: rows of the ledger, units in all. Whether a settled gate says the same as the rows. */
  static final String AS_OLD_AS_ROWS =
      """
      local rows, total = tonumber(ARGV[1]), tonumber(ARGV[2])
      local users, stock = redis.call('SCARD', KEYS[3]) - 1, tonumber(redis.call('GET', KEYS[1]))
      if users ~= rows or stock ~= math.max(0, total - rows) then return 'OLDER' end
      return 'SAME'
      """;

  /** ARGV: fence, stock, users. A rebuild that was overtaken by another does nothing. */
  static final String INSTALL =
      """
      local newest = tonumber(redis.call('HGET', KEYS[2], '') or -1)
      if newest > tonumber(ARGV[1]) then return 'OVERTAKEN' end
      redis.call('DEL', KEYS[2], KEYS[3])
      redis.call('SET', KEYS[1], ARGV[2])
      redis.call('SADD', KEYS[3], '')
      for i = 3, #ARGV do redis.call('SADD', KEYS[3], ARGV[i]) end
      redis.call('HSET', KEYS[2], '', ARGV[1])
      return 'INSTALLED'
      """;

  private GateScripts() {}
}
