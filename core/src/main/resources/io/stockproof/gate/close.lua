-- Ends the sale. While rebuilding the wish is left for the end of the rebuild.
local state = redis.call('HGET', META, 'state')
if not state then return {'MISSING', ''} end
if state == 'REBUILDING' then
  redis.call('HSET', META, 'closing', '1')
else
  redis.call('HSET', META, 'state', 'CLOSED')
end
return {'CLOSED', ''}
