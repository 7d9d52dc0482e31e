package io.stockproof.verification.wire;

/**
 * What passed a proxy since it was made.
 *
 * @param connections connections of clients
 * @param commands commands shown to the traffic
 * @param housekeeping commands passed on without asking
 * @param undecoded what was passed on without being understood: a connection that left the protocol
 *     (replication, MONITOR), a statement id never seen, a frame beyond the limit
 * @param pipelined commands that arrived before the reply to the one before them ended; 0 with a
 *     client that never pipelines
 * @param unmatched replies for which no command was known; 0 unless this proxy misjudged where a
 *     reply ends
 * @param failures exceptions thrown by the traffic
 */
public record WireCounters(
    long connections,
    long commands,
    long housekeeping,
    long undecoded,
    long pipelined,
    long unmatched,
    long failures) {}
