import type { Section } from './section.ts';

/** All sections together take at most this long, on a machine that does nothing else. */
export const MINUTES = 12;

/** Until when a section may take noisy rows again: those that come after it need their time. */
export function repetitionEnd(start: number, later: readonly Pick<Section, 'seconds'>[]): number {
  const needed = later.reduce((sum, { seconds }) => sum + seconds, 0);
  return start + (MINUTES * 60 - needed) * 1000;
}
