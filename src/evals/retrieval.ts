import type { ToolDefinition } from '../index.ts';
import { searchTexts } from '../schema/search-texts.ts';
import { membersOf } from '../shared/json.ts';
import { WordIndex } from '../shared/search/word-index.ts';
import type { EvalCase } from './eval-case.ts';
import { measureShare, type EvalShare } from './metrics.ts';
import { FIND_ACTIONS, type SurfaceTools } from './surface-tools.ts';

/** Where a search finds what a case expects, from 1; null where it does not find it. */
export interface CaseRanks {
  /** The name of the case. */
  readonly case: string;
  /** By the words of the request. */
  readonly ask: number | null;
  /** By each of the written queries. */
  readonly queries: readonly (number | null)[];
}

/** How well a search finds the expected actions by the texts that a surface shows. No model is asked. */
export interface EvalRetrieval {
  /** How many tools, or on `progressive` actions, are searched. */
  readonly documents: number;
  /** Requests that find the expected action among the first five; none are counted where there are five or fewer to find. */
  readonly askAmongFive: EvalShare;
  /** Written queries that do. */
  readonly queriesAmongFive: EvalShare;
  /** The cases that expect a call. */
  readonly cases: readonly CaseRanks[];
}

const FEW = 5;
/** As many as `find_actions` gives at most. */
const MAX_FOUND_COUNT = 20;

type Search = (query: string) => Promise<readonly string[]>;

/** Ranks the first expected action of each case. */
export async function rankCases(cases: readonly EvalCase[], tools: SurfaceTools): Promise<EvalRetrieval> {
  const isFinding =
    tools.surface === 'progressive' && tools.definitions.some(({ name }) => name === FIND_ACTIONS);
  const search = isFinding ? searchActions(tools) : searchTools(tools.definitions);
  const ranked: CaseRanks[] = [];
  for (const { name, ask, queries = [], expect } of cases) {
    if (expect === 'none') continue;
    const [{ action } = { action: '' }] = expect;
    const rank = async (query: string): Promise<number | null> => {
      const found = await search(query);
      const place = found.findIndex((each) => each === action || tools.actionsIn(each).includes(action));
      return place === -1 ? null : place + 1;
    };
    const ranks: (number | null)[] = [];
    for (const query of queries) ranks.push(await rank(query));
    ranked.push({ case: name, ask: await rank(ask), queries: ranks });
  }
  const documents = isFinding ? tools.actions.length : tools.definitions.length;
  const isAmongFive = (rank: number | null): boolean | undefined =>
    documents <= FEW ? undefined : rank !== null && rank <= FEW;
  return {
    documents,
    askAmongFive: measureShare(ranked.map(({ ask }) => isAmongFive(ask))),
    queriesAmongFive: measureShare(ranked.flatMap(({ queries }) => queries.map(isAmongFive))),
    cases: ranked,
  };
}

/** What a client does that searches the tools it was listed: BM25 over names, descriptions and fields. */
function searchTools(definitions: readonly ToolDefinition[]): Search {
  const texts = definitions.map(({ name: key, title, description, inputSchema }) =>
    searchTexts({ key, title, description, inputSchema }),
  );
  const index = new WordIndex(texts);
  const view = index.view(definitions.keys());
  return async (query) => index.search(query, view).map(({ document }) => definitions[document]?.name ?? '');
}

/** What the surface itself finds. */
function searchActions({ dispatch }: SurfaceTools): Search {
  return async (query) => {
    const given = { query, limit: MAX_FOUND_COUNT };
    const result = await dispatch({ name: FIND_ACTIONS, arguments: given });
    const { actions } = membersOf(membersOf(result)['structuredContent']);
    return Array.isArray(actions) ? actions.map((each) => String(membersOf(each)['key'])) : [];
  };
}
