-- Records that users have rows. ARGV: users. It is about the row, which exists, not about a token:
-- a row committed after its reservation was lost or released puts its user back.
local problem, gate = look(SENTINEL)
-- While rebuilding nothing is needed: these rows are older than the epoch the rebuild reads at.
if problem then return {problem, gate} end

redis.call('HDEL', PENDING, unpack(ARGV))
redis.call('SADD', USERS, unpack(ARGV))
writeStock(gate.total)
return {'CONFIRMED', ''}
