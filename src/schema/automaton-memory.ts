import type { RE2JS } from 're2js';

type Automaton = ReturnType<RE2JS['re2']>['lazyDFA'];

// Sensible patterns need some thousand bytes each, a bad one all that the engine allows it: eight million.
const MOST_BYTES = 65_536;

/**
 * Bounds what engines keep for as long as they live: the states of their automata, which they make of the texts that
 * they read and make again where they need them. What patterns of one owner keep is counted together.
 */
export class AutomatonMemory {
  readonly #engines = new Set<RE2JS>();
  #bytes = 0;

  /** Whether the engine finds its pattern in a text. */
  test(engine: RE2JS, text: string): boolean {
    const before = bytesOf(engine);
    const isFound = engine.test(text);
    const grown = bytesOf(engine) - before;
    if (grown !== 0) this.#grow(engine, grown);
    return isFound;
  }

  #grow(engine: RE2JS, bytes: number): void {
    this.#engines.add(engine);
    this.#bytes += bytes;
    if (this.#bytes <= MOST_BYTES) return;
    for (const grown of this.#engines) automatonOf(grown)?.clearCache();
    this.#engines.clear();
    this.#bytes = 0;
  }
}

/** Whatever its type says, there is none until it is needed. */
function automatonOf(engine: RE2JS): Automaton | null {
  return engine.re2().lazyDFA;
}

function bytesOf(engine: RE2JS): number {
  const automaton = automatonOf(engine);
  return automaton === null ? 0 : automaton.maxMem - automaton.memBudget;
}
