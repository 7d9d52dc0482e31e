package io.stockproof.chaos;

import io.stockproof.verification.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What became of one fault of a campaign. A call is <em>under way</em> in a window if it was due
 * before its end and ended after its beginning.
 *
 * @param fault what broke
 * @param at when, from the beginning of the load
 * @param lasted from the beginning of the fault until it was undone, the start of a server included
 * @param issued units that were given to calls under way
 * @param unavailable calls under way that were told UNAVAILABLE or UNKNOWN, or ended in an
 *     exception
 * @param waited calls under way that took far longer than those before the first fault
 * @param troubles errors of servers, ends of connections, and commands delayed, held or lost, as
 *     the instances saw them meanwhile
 * @param hung calls under way that did not end within their deadline
 * @param recovery from the end of the window until every instance had issued to a call that was due
 *     after it; null if that was not seen
 * @param balanced from the end of the window until gate, rows and counter were first seen to agree;
 *     null if that was not seen
 * @param verdict of this window
 * @param detail why, in a line
 */
public record WindowResult(
    Fault fault,
    Duration at,
    Duration lasted,
    int issued,
    int unavailable,
    int waited,
    long troubles,
    int hung,
    @Nullable Duration recovery,
    @Nullable Duration balanced,
    Verdict verdict,
    String detail) {}
