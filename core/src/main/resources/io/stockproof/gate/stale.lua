-- Finds reservations that are too old, by this server's clock. ARGV: age (millis), cursor, count.
-- Answers a word, the next cursor, then user and token of each.
local problem, gate = look(SENTINEL)
if problem then return {problem, '0'} end
local oldest = now() - tonumber(ARGV[1])
local scan = redis.call('HSCAN', PENDING, ARGV[2], 'COUNT', ARGV[3])
local answer = {'FOUND', scan[1]}
for i = 1, #scan[2], 2 do
  local token, since = string.match(scan[2][i + 1], '^(%S+) %d+ (%d+)$')
  if token and tonumber(since) <= oldest then
    answer[#answer + 1] = scan[2][i]
    answer[#answer + 1] = token
  end
end
return answer
