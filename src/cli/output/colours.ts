import picocolors from 'picocolors';

/** What decides whether a stream gets colours. */
export interface ColourFacts {
  /** `--color` or `--no-color`. */
  readonly chosen: boolean | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
}

/** Option, NO_COLOR, FORCE_COLOR, TERM, and at last whether the stream is a terminal; an empty variable does not count. */
export function isColoured({ chosen, env, isTerminal }: ColourFacts): boolean {
  if (chosen !== undefined) return chosen;
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const force = env['FORCE_COLOR'] ?? '';
  if (force !== '') return force !== '0' && force !== 'false';
  return env['TERM'] !== 'dumb' && isTerminal;
}

/** Functions that colour texts, or leave them as they are. */
export type Paint = Readonly<
  Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>
>;

// By itself, picocolors looks at stdout alone, and switches on in CI
export function createPaint(isOn: boolean): Paint {
  return picocolors.createColors(isOn);
}
