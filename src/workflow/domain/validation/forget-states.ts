import type { RE2JS } from 're2js';

type Automaton = ReturnType<RE2JS['re2']>['lazyDFA'];

// A sensible pattern needs some thousand bytes, a bad one all that the engine allows it: eight million.
const KEPT_BYTES = 65_536;

/**
 * Makes an engine forget the states of its automaton, when there are many: it would keep them as long as it lives.
 * It makes them again where it needs them.
 */
export function forgetStates(engine: RE2JS): void {
  // Whatever its type says, it is null until it is needed
  const automaton = engine.re2().lazyDFA as Automaton | null;
  if (automaton === null) return;
  if (automaton.maxMem - automaton.memBudget > KEPT_BYTES) automaton.clearCache();
}
