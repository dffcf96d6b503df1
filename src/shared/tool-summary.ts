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
  /** False for a tool that only views call. */
  readonly isForModels: boolean;
  /** Whether it stays in the list where other tools are searched for. */
  readonly isPinned: boolean;
}

/** A definition of this process has a summary, hidden as its other methods are; others have none. */
export interface SummarizedTool {
  readonly name: string;
  readonly summary?: () => ToolSummary;
}

/** Those that models may call. The same array where all are. */
export function toolsForModels<Tool extends SummarizedTool>(list: readonly Tool[]): readonly Tool[] {
  const kept = list.filter(({ summary }) => summary?.().isForModels !== false);
  return kept.length === list.length ? list : kept;
}

/** A summary of some tools; undefined for one alone, whose description says it. */
export function summarizeTools(
  { name, title = titleFromName(name) }: { readonly name: string; readonly title?: string },
  list: readonly SummarizedTool[],
): string | undefined {
  const told = toolsForModels(list);
  if (told.length < 2) return undefined;
  const roots = rootsOf(told);
  if (roots.length === 0) return undefined;
  return writeRoots(`${cut(oneLine(title), MAX_TITLE_LENGTH)}.`, roots);
}

interface Root {
  readonly name: string;
  description: string | undefined;
  readonly keys: Set<string>;
}

/** The tools of a group that is listed flat are one root. */
function rootsOf(list: readonly SummarizedTool[]): readonly Root[] {
  const roots = new Map<string, Root>();
  for (const { summary } of list) {
    if (summary === undefined) continue;
    const { root, description, keys } = summary();
    const known = roots.get(root) ?? { name: root, description: undefined, keys: new Set() };
    for (const key of keys) known.keys.add(key);
    known.description ??= description;
    roots.set(root, known);
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

/**
 * Where it is too long, the actions of the largest groups go first, then the longest descriptions. Each client that
 * connects asks for this, and there may be thousands of tools: lengths are counted, and the text is written once.
 */
function writeRoots(title: string, roots: readonly Root[]): string {
  const lines = roots.map(({ name, description = '', keys }): RootLine => ({
    name,
    count: keys.size,
    description: oneLine(description),
    actions: writeKeys(keys),
  }));
  const byCount = [...lines].sort((left, right) => right.count - left.count);
  const byLength = [...lines].sort((left, right) => right.description.length - left.description.length);
  const steps = [
    ...byCount.map((line) => [line, 'actions'] as const),
    ...byLength.map((line) => [line, 'description'] as const),
  ];
  const lead = `\n${listNames(lines, MAX_LEAD_LENGTH - title.length - 1)}`;
  let length = lines.reduce((sum, line) => sum + 1 + writeLine(line).length, title.length);
  const leadNow = () => (endOfNames(length, lines) <= MAX_LEAD_LENGTH ? '' : lead);
  for (const [line, part] of steps) {
    if (length + leadNow().length <= MAX_SUMMARY_LENGTH) break;
    length -= writeLine(line).length;
    line[part] = '';
    length += writeLine(line).length;
  }
  if (length + leadNow().length <= MAX_SUMMARY_LENGTH)
    return [`${title}${leadNow()}`, ...lines.map(writeLine)].join('\n');
  return `${title}\n${listNames(lines, MAX_SUMMARY_LENGTH - title.length - 1)}`;
}

/** Where the name of the last root ends. The names of all stand before the lines that would bring it too late. */
function endOfNames(length: number, lines: readonly RootLine[]): number {
  const last = lines.at(-1);
  return last === undefined ? length : length - writeLine(last).length + last.name.length;
}

function writeLine({ name, description, actions }: RootLine): string {
  const said = description === '' ? name : `${name}: ${description}`;
  return actions === '' ? said : `${said} (${actions})`;
}

/** `find, get; contacts: add, list` */
function writeKeys(keys: Iterable<string>): string {
  const groups = new Map<string, string[]>([['', []]]);
  for (const key of keys) {
    const end = key.lastIndexOf('.');
    const group = key.slice(0, Math.max(end, 0));
    const names = groups.get(group) ?? [];
    names.push(key.slice(end + 1));
    groups.set(group, names);
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
  let shown = names.length;
  let length = all.length - 1;
  while (shown > 0) {
    shown -= 1;
    length -= (names[shown] ?? '').length + (shown === 0 ? 0 : ', '.length);
    const further = `${sayFurther(names.length - shown)}.`;
    if (shown > 0 && length + ', '.length + further.length <= room)
      return `${names.slice(0, shown).join(', ')}, ${further}`;
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
