import { feature } from '../feature.ts';
import type {} from './call-fields.ts';
import { compileTimeLimit } from './stage.ts';
import { nearestLimit, timeLimitRule } from './time-limit.ts';

/** How long calls may take: `@Timeout`, `limits.timeout`. */
export const timeLimits = feature({
  name: 'time-limit',
  decorators: [{ name: '@Timeout', rule: timeLimitRule, isValue: true }],
  options: { limits: { timeout: timeLimitRule }, action: { timeout: timeLimitRule } },
  saidOf: ({ timeout }): number | undefined => timeout,
  around: ({ limits }) => limits?.timeout,
  readAction: nearestLimit,
  readOffer: nearestLimit,
  endsIn: (milliseconds) => [`ends after ${String(milliseconds)} ms`],

  stages: [{ ring: 'attempt', place: 'timeout', compile: compileTimeLimit }],
});
