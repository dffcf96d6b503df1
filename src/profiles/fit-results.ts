import type { ContentHabit } from './facts.ts';
import { GENERIC } from './clients.ts';
import type { Profile } from './profiles.ts';

/** The kinds of blocks that some clients do not show to a model. */
type BlockType = 'image' | 'audio' | 'resource' | 'resource_link';

const BLOCK_TYPES: readonly BlockType[] = ['image', 'audio', 'resource', 'resource_link'];

/** How results are made for a client. */
export interface ResultFit {
  /** False for one that is not known: then the budget of the author counts, where there is one. */
  readonly isKnown: boolean;
  /** Whether it gets the structure with one line of text, where an output is declared. */
  readonly isStructured: boolean;
  /** Whether its tools are listed without `outputSchema`, and its results have none, where lists fit the client. */
  readonly isText: boolean;
  /** What its model reads of a result with both. */
  readonly reads: 'text' | 'structure' | 'both';
  /** Tokens and characters of what its model reads. */
  readonly tokens: number;
  readonly characters: number;
  /** So many characters may tools that say it have in their results; undefined where they cannot say it. */
  readonly maxCharacters: number | undefined;
  /** Characters of an error. */
  readonly errorCharacters: number;
  /** Blocks of these kinds never reach a model. */
  readonly dropped: ReadonlySet<string>;
  /** Whether it reads resources; undefined where that is not known. */
  readonly readsResources: boolean | undefined;
}

const READS = { 'replaces-text': 'structure', ignored: 'text', both: 'both' } as const;

/**
 * How results are made for the client of a profile.
 *
 * @example
 * const { tokens } = fitResults(profiles.profileOf('codex-mcp-client')); // 8000
 */
export function fitResults({ id, facts, choices }: Pick<Profile, 'id' | 'facts' | 'choices'>): ResultFit {
  const { result, budget, outputSchema } = choices;
  const habits: Readonly<Record<BlockType, ContentHabit | undefined>> = {
    image: facts['content.image']?.value,
    audio: facts['content.audio']?.value,
    resource: facts['content.resource']?.value,
    resource_link: facts['content.resource_link']?.value,
  };
  return Object.freeze({
    isKnown: id !== GENERIC,
    isStructured: result === 'structured',
    isText: result === 'text' && outputSchema === false,
    // Where nothing is known, a program may read the structure whole
    reads: facts.structured === undefined ? 'text' : READS[facts.structured.value],
    tokens: budget.tokens ?? Infinity,
    characters: budget.chars ?? Infinity,
    maxCharacters: readMaxCharacters(facts),
    errorCharacters: facts['error.chars']?.value ?? Infinity,
    dropped: new Set(BLOCK_TYPES.filter((type) => habits[type] === 'dropped')),
    readsResources: facts.resources?.value,
  });
}

function readMaxCharacters({ 'result.limitKey': limit }: Profile['facts']): number | undefined {
  return limit === undefined || limit.sure === 'reported' ? undefined : limit.value.max;
}
