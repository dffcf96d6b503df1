import { sayFurther } from './listing.ts';
import { titleFromName } from './names.ts';

/** Claude Code reads so much of instructions (code.claude.com/docs/en/mcp). */
const MAX_SUMMARY_LENGTH = 2048;
/** The ChatGPT directory wants these first characters to stand alone (developers.openai.com/plugins/deploy/submission). */
const MAX_LEAD_LENGTH = 512;
const MAX_TITLE_LENGTH = 128;

/** What a listed tool adds to a summary of all tools. */
export interface ToolSummary {
  /** The name of its group, also where each action is a tool of its own. */
  readonly root: string;
  /** What the author says of the group. */
  readonly description: string | undefined;
  /** The keys of the listed actions. */
  readonly keys: readonly string[];
}

/** A definition of this process has a summary, hidden as its other methods are; others have none. */
export interface SummarizedTool {
  readonly name: string;
  readonly summary?: () => ToolSummary;
}

/** A summary of some tools; undefined for one alone, whose description says it. */
export function summarizeTools(
  { name, title = titleFromName(name) }: { readonly name: string; readonly title?: string },
  list: readonly SummarizedTool[],
): string | undefined {
  if (list.length < 2) return undefined;
  const roots = rootsOf(list);
  if (roots.length === 0) return undefined;
  return writeRoots(`${cut(oneLine(title), MAX_TITLE_LENGTH)}.`, roots);
}

/** The tools of a group that is listed flat are one root. */
function rootsOf(list: readonly SummarizedTool[]): readonly ToolSummary[] {
  const roots = new Map<string, ToolSummary>();
  for (const { summary } of list) {
    if (summary === undefined) continue;
    const own = summary();
    const known = roots.get(own.root);
    const keys = [...new Set([...(known?.keys ?? []), ...own.keys])];
    roots.set(own.root, { root: own.root, description: known?.description ?? own.description, keys });
  }
  return [...roots.values()];
}

/** How much is said of a root. */
interface RootLine {
  readonly name: string;
  readonly count: number;
  description: string;
  actions: string;
}

/** Where it is too long, the actions of the largest groups go first, then the longest descriptions. */
function writeRoots(title: string, roots: readonly ToolSummary[]): string {
  const lines = roots.map(({ root, description = '', keys }): RootLine => ({
    name: root,
    count: keys.length,
    description: oneLine(description),
    actions: writeKeys(keys),
  }));
  const byCount = [...lines].sort((left, right) => right.count - left.count);
  const byLength = [...lines].sort((left, right) => right.description.length - left.description.length);
  const steps = [
    ...byCount.map((line) => () => (line.actions = '')),
    ...byLength.map((line) => () => (line.description = '')),
  ];
  let text = join(title, lines);
  for (const shorten of steps) {
    if (text.length <= MAX_SUMMARY_LENGTH) return text;
    shorten();
    text = join(title, lines);
  }
  if (text.length <= MAX_SUMMARY_LENGTH) return text;
  return `${title}\n${listNames(lines, MAX_SUMMARY_LENGTH - title.length - 1)}`;
}

/** The names of all roots stand before the lines that would bring the last of them too late. */
function join(title: string, lines: readonly RootLine[]): string {
  const written = lines.map(writeLine);
  const text = [title, ...written].join('\n');
  const end = text.length - (written.at(-1) ?? '').length + (lines.at(-1)?.name ?? '').length;
  if (end <= MAX_LEAD_LENGTH) return text;
  return [title, listNames(lines, MAX_LEAD_LENGTH - title.length - 1), ...written].join('\n');
}

function writeLine({ name, description, actions }: RootLine): string {
  const said = description === '' ? name : `${name}: ${description}`;
  return actions === '' ? said : `${said} (${actions})`;
}

/** `find, get; contacts: add, list` */
function writeKeys(keys: readonly string[]): string {
  const groups = new Map<string, string[]>([['', []]]);
  for (const key of keys) {
    const end = key.lastIndexOf('.');
    const group = key.slice(0, Math.max(end, 0));
    groups.set(group, [...(groups.get(group) ?? []), key.slice(end + 1)]);
  }
  return [...groups]
    .filter(([, names]) => names.length > 0)
    .map(([group, names]) => `${group === '' ? '' : `${group}: `}${names.join(', ')}`)
    .join('; ');
}

/** The names that fit, and the number of the others. */
function listNames(lines: readonly RootLine[], room: number): string {
  const names = lines.map(({ name }) => name);
  const all = `${names.join(', ')}.`;
  if (all.length <= room) return all;
  for (let shown = names.length - 1; shown > 0; shown -= 1) {
    const text = `${names.slice(0, shown).join(', ')}, ${sayFurther(names.length - shown)}.`;
    if (text.length <= room) return text;
  }
  return `${sayFurther(names.length)}.`;
}

/** Without the full stop at its end. */
function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().replace(/\.$/u, '');
}

/** Never in the middle of a pair of surrogates. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
