-- Gives a reservation back. ARGV: user, token. Without this token in it: repeated, late or rebuilt.
local user, token = ARGV[1], ARGV[2]
local problem, gate = look(user)
if problem then return {problem, gate} end
if gate.token ~= token then return {'NOTHING', ''} end

-- The first write frees memory, so that a full server lets the script run to its end.
redis.call('HDEL', PENDING, user)
redis.call('SREM', USERS, user)
writeStock(gate.total)
return {'RELEASED', ''}
