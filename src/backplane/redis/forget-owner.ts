import type { RedisLink } from './redis-link.ts';
import { writingScript } from './redis-script.ts';

/** One step through the keys of the node that has all those of the owner. */
const FORGET = writingScript(`
local reply = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', 1000)
local removed = 0
for _, key in ipairs(reply[2]) do removed = removed + redis.call('UNLINK', key) end
return { reply[1], removed }
`);

/**
 * Removes all keys that begin with a name and a colon. It looks at every key of the node: keeping lists of what each owner
 * has would cost every call a write, for what is done once in a while.
 * @returns how many there were
 */
export async function forgetKeys(link: Pick<RedisLink, 'run'>, name: string): Promise<number> {
  const pattern = `${name.replace(/[\\*?[\]]/g, '\\$&')}:*`;
  let [cursor, removed] = ['0', 0];
  do {
    const [next, count] = (await link.run(FORGET, [name], [cursor, pattern])) as readonly [string, number];
    cursor = next;
    removed += count;
  } while (cursor !== '0');
  return removed;
}
