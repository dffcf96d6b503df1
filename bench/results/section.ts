import type { Measurement } from './target.ts';
import type { TargetId } from './targets.ts';
import type { Spread } from './spread.ts';
import type { Turns } from './take-turns.ts';

/** A line of a section's table. */
export interface Figure {
  readonly name: string;
  /** Undefined: what cannot run here. */
  readonly ratio: Spread | undefined;
  /** Why it cannot run, or what to know about it. */
  readonly note?: string;
}

/** What one section found out. */
export interface SectionResult {
  /** What the ratios are ratios to. */
  readonly reference: string;
  readonly figures: readonly Figure[];
  readonly targets: Readonly<Partial<Record<TargetId, Measurement>>>;
}

export interface SectionContext extends Turns {
  /** How long one side is measured in one round, in milliseconds. */
  readonly window: number;
  /** How long a server is called before it is measured, in milliseconds. Engines compile what they see often. */
  readonly warmUp: number;
}

export interface Section {
  readonly name: SectionName;
  readonly title: string;
  /** About how long it takes when nothing is taken again, so that all sections together stay below the limit. */
  readonly seconds: number;
  /** What is missing when the section itself cannot run. */
  readonly targets: readonly TargetId[];
  readonly run: (context: SectionContext) => Promise<SectionResult>;
}

export const SECTION_NAMES = [
  'http',
  'modern',
  'session',
  'authenticated',
  'stdio',
  'call',
  'list',
  'find',
  'surfaces',
  'validation',
  'memory',
  'start-up',
  'first-answer',
  'command',
  'cluster',
  'observed',
] as const;

export type SectionName = (typeof SECTION_NAMES)[number];

/** Measured only when it is asked for: one needs a Redis, one has no target, and one would leave no time for noise. */
const ON_REQUEST: readonly SectionName[] = ['cluster', 'find', 'observed', 'surfaces'];

/** What is measured unless some are named. */
export const DEFAULT_SECTIONS: readonly SectionName[] = SECTION_NAMES.filter(
  (name) => !ON_REQUEST.includes(name),
);
