import { cutAtWord, firstSentence } from '../../compile/tools/describe-signatures.ts';
import { oneLine } from '../../compile/tools/describe-tool.ts';
import { estimateTokens } from '../../shared/token-estimate.ts';

/** How many actions stand directly in a group. */
export interface GroupCount {
  /** Its name below those around it, joined with dots. */
  readonly path: string;
  readonly count: number;
}

/** The groups of a view, as text and as data. */
interface Overview {
  readonly text: string;
  readonly structured: { readonly groups: readonly ShownGroup[]; readonly total: number };
}

interface ShownGroup {
  readonly group: string;
  readonly actions: number;
  readonly description?: string;
}

/** Sub-groups stand in the place of their groups down to a level that has at most so many. */
const MAX_SPLIT_COUNT = 12;
/** Data has about twice the tokens that are estimated of it: 500 at most. */
const MAX_ESTIMATED_TOKENS = 270;

/** One way to say less of each group. */
type Shorten = (description: string) => string;
const WAYS: readonly Shorten[] = [
  (text) => text,
  firstSentence,
  (text) => cutAtWord(firstSentence(text), 40),
  (text) => cutAtWord(firstSentence(text), 24),
  () => '',
];

/** All groups in few words: of many, what is said of them goes first, then the last of them. */
export function writeOverview(groups: readonly GroupCount[], describe: (path: string) => string): Overview {
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const shown = splitGroups(groups);
  const write = (shorten: Shorten, kept = shown.length): Overview => {
    const some = shown.slice(0, kept).map(({ path, count }): ShownGroup => {
      const description = shorten(oneLine(describe(path)));
      return { group: path, actions: count, ...(description === '' ? {} : { description }) };
    });
    return { text: writeText(some, shown.length, total), structured: { groups: some, total } };
  };
  const isShort = ({ text, structured }: Overview): boolean =>
    Math.max(estimateTokens(text), estimateTokens(JSON.stringify(structured))) <= MAX_ESTIMATED_TOKENS;
  const way = WAYS.find((each) => isShort(write(each)));
  if (way !== undefined) return write(way);
  let [low, high] = [0, shown.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isShort(write(() => '', middle))) low = middle;
    else high = middle - 1;
  }
  return write(() => '', low);
}

function writeText(groups: readonly ShownGroup[], all: number, total: number): string {
  const lines = groups.map(({ group, actions, description }) => {
    return `${group} (${String(actions)})${description === undefined ? '' : `: ${description}`}`;
  });
  const more = all - groups.length;
  return [
    `${String(total)} ${total === 1 ? 'action' : 'actions'}. Find them by query, or list those of a group:`,
    ...lines,
    ...(more > 0 ? [`${String(more)} more groups; find their actions by query.`] : []),
  ].join('\n');
}

/** The groups of the deepest level that has not too many. */
function splitGroups(groups: readonly GroupCount[]): readonly GroupCount[] {
  const depth = Math.max(0, ...groups.map(({ path }) => path.split('.').length));
  let best = joinAt(groups, 1);
  for (let level = 2; level <= depth; level += 1) {
    const split = joinAt(groups, level);
    if (split.length > MAX_SPLIT_COUNT) return best;
    best = split;
  }
  return best;
}

function joinAt(groups: readonly GroupCount[], level: number): readonly GroupCount[] {
  const counts = new Map<string, number>();
  for (const { path, count } of groups) {
    const short = path.split('.').slice(0, level).join('.');
    counts.set(short, (counts.get(short) ?? 0) + count);
  }
  return [...counts].map(([path, count]) => ({ path, count }));
}
