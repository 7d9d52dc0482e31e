-- Adds a chunk of users to those in the making. KEYS[5]: these. ARGV: id, lease (millis), users.
local id, lease = ARGV[1], tonumber(ARGV[2])
local meta = redis.call('HMGET', META, 'state', 'rebuild')
if meta[1] ~= 'REBUILDING' or meta[2] ~= id then return {'LOST', ''} end

redis.call('HSET', META, 'lease', millis(now() + lease))
redis.call('SADD', KEYS[5], unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[5], MAKING_MILLIS)
return {'INSTALLED', ''}
