import { createHash } from 'node:crypto';

/** A script that runs inside of Redis, in one step. */
export interface RedisScript {
  readonly text: string;
  /** Redis knows it by this after its first run. */
  readonly sha: string;
  /** That it ran says that Redis takes writes. */
  readonly writes: boolean;
}

/** The time of the server, in milliseconds since the epoch, as `now`. */
export const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** The time of the server that has the key. */
export const TELL_TIME = readingScript(`${NOW}
return string.format('%.0f', now)
`);

export function readingScript(text: string): RedisScript {
  return { text, sha: createHash('sha1').update(text).digest('hex'), writes: false };
}

export function writingScript(text: string): RedisScript {
  return { ...readingScript(text), writes: true };
}

/** Ten years, in milliseconds: what lives longer need not be counted. */
const LONGEST = 315_360_000_000;

/** A lifetime as Redis takes it: whole, and above 0. */
export function wholeTime(milliseconds: number): number {
  return Math.min(LONGEST, Math.max(1, Math.ceil(milliseconds)));
}
