-- The ledger is full although the gate admitted. ARGV: user, token.
local user, token = ARGV[1], ARGV[2]
local problem, gate = look(user)
if problem then return {problem, gate} end

if gate.token == token then
  redis.call('HDEL', PENDING, user)
  redis.call('SREM', USERS, user)
end
-- Not the difference: rows never vanish, so there is nothing left, whatever the gate believed.
redis.call('SET', STOCK, '0', 'KEEPTTL')
return {'EMPTIED', ''}
