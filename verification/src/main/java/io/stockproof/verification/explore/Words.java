package io.stockproof.verification.explore;

import java.util.List;

/**
 * A command as text, with the number of the run's coupon replaced by 1, so that runs can be
 * compared.
 *
 * @param redis whether it went to Redis; else to the database
 * @param connection number of the connection it came through
 * @param autocommit whether it is a transaction of its own
 * @param name upper case, for example {@code EVALSHA} or {@code UPDATE}
 * @param keys Redis keys; empty for SQL
 * @param statement SQL as prepared or sent; for Redis the name and its arguments
 * @param parameters values bound to the statement; for Redis the arguments after the keys
 */
record Words(
    boolean redis,
    int connection,
    boolean autocommit,
    String name,
    List<String> keys,
    String statement,
    List<String> parameters) {}
