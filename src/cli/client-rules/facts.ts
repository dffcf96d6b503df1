import type { ClientFacts, Fact, Sureness } from '../../profiles/facts.ts';

/** A fact with its name, as the file of clients has it. */
export type NamedFact = readonly [name: keyof ClientFacts, fact: Fact<unknown>];

const MAX_AGE_DAYS = 180;
const DAY = 24 * 60 * 60 * 1000;

const HOW_SURE: Readonly<Record<Sureness, string>> = {
  seen: 'seen in a run',
  source: 'in its source',
  docs: 'in its documentation',
  reported: 'reported by others',
};

export function namedFacts(facts: ClientFacts): readonly NamedFact[] {
  return Object.entries(facts) as [keyof ClientFacts, Fact<unknown>][];
}

/** Whether it is so long ago that it should be looked at again. */
export function isOld({ date }: Pick<Fact<unknown>, 'date'>, now: Date): boolean {
  return now.getTime() - new Date(date).getTime() > MAX_AGE_DAYS * DAY;
}

/** `2026-11-26, in its documentation: https://…`: who says a fact, and when. */
export function sayOrigin({ date, sure, source, for: range }: Fact<unknown>): string {
  const versions = range === undefined ? '' : `, of version ${range}`;
  return `${date}, ${HOW_SURE[sure]}${versions}: ${source}`;
}
