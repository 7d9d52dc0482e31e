-- A fenced owner asks for the newer epoch. ARGV: user, token. Its time stays: it grows no younger.
local user, token = ARGV[1], ARGV[2]
local problem, gate = look(user)
if problem then return {problem, gate} end
if gate.token ~= token or gate.state ~= 'OPEN' then return {'LOST', ''} end

redis.call('HSET', PENDING, user, token .. ' ' .. millis(gate.epoch) .. ' ' .. gate.since)
return {'RENEWED', millis(gate.epoch)}
