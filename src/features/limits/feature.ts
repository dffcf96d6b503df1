import { feature } from '../feature.ts';
import type {} from './call-fields.ts';
import {
  concurrencyRule,
  COUNTED_RULES,
  COUNTING_RULES,
  quotaRule,
  rateLimitRule,
  type CountedLimits,
} from './counted-limits.ts';
import { compileLimit, compileSlots } from './limit-stages.ts';
import { LimitState } from './limit-state.ts';
import { defaultLimits, isOfApplication, readLimits, sayLimit, type SaidLimits } from './scanned-limits.ts';

/** How many calls there may be: rates, quotas, and calls that run at the same time. */
export const limitsFeature = feature({
  name: 'limits',
  decorators: [
    { name: '@RateLimit', rule: rateLimitRule, repeats: true },
    { name: '@Quota', rule: quotaRule, repeats: true },
    { name: '@Concurrency', rule: concurrencyRule, repeats: true },
  ],
  options: { callLimits: COUNTED_RULES, limits: COUNTING_RULES },
  saidIn: (given: CountedLimits): SaidLimits => given,
  around: (options) => defaultLimits(options.limits ?? {}),
  readAction: readLimits,
  readOffer: readLimits,
  boundsIn: (kept) => kept.map(sayLimit),
  needs: (kept) => ({
    countsCalls: kept.some((limit) => limit.kind !== 'concurrency' && !isOfApplication(limit)),
  }),

  stages: [
    { ring: 'conversation', place: 'limit', compile: compileLimit },
    { ring: 'attempt', place: 'slot', compile: compileSlots },
  ],
  madeOf: ['limits'],
  state: ({ options, ports, telemetry }) => new LimitState(options.limits, { ...ports, telemetry }),
  stores: (state) => ({ limits: state?.stores.counting ?? [] }),
});
