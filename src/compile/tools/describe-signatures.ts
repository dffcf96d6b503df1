import { MAX_READ_LENGTH } from '../../schema/client-rules.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';
import { describePurpose, joinSentences, oneLine } from './describe-tool.ts';
import type { ActionFacts, ToolFacts } from './prepared-tool.ts';
import { writeSignatures, type ToolSignatures } from './signature.ts';

/** The description of a tool with one line for each action. */
export interface SignedDescription {
  readonly text: string;
  /** What was done to keep it within what clients read; undefined where nothing was necessary. */
  readonly shortened: string | undefined;
  /** Whether all of that was not enough. */
  readonly isTooLong: boolean;
}

/** One way to shorten a description. */
interface Shortening {
  /** As a notice calls it; undefined for the whole text. */
  readonly step: string | undefined;
  readonly hasGroups: boolean;
  readonly shorten: (text: string) => string;
}

const BARE: Shortening = { step: 'descriptions are left out', hasGroups: false, shorten: () => '' };
/** The next one is taken only where the text is still too long. */
const STEPS: readonly Shortening[] = [
  { step: undefined, hasGroups: true, shorten: (text) => text },
  { step: 'the lines of groups are left out', hasGroups: false, shorten: (text) => text },
  { step: 'of descriptions the first sentence is left', hasGroups: false, shorten: firstSentence },
  ...[60, 40, 24].map((length) => ({
    step: `descriptions are cut at ${String(length)} characters`,
    hasGroups: false,
    shorten: (text: string) => cutAtWord(firstSentence(text), length),
  })),
  BARE,
];

/**
 * The description of a tool with a signature for each action, as long as clients read.
 * @param published the schema that the tool publishes: what stands in it is not repeated
 */
export function describeBySignatures(tool: ToolFacts, published: ObjectSchema): SignedDescription {
  const signatures = writeSignatures(tool, published);
  const write = (way: Shortening): string => writeLines(tool, signatures, way);
  const { maxDescription = MAX_READ_LENGTH } = tool;
  const way = STEPS.find((each) => write(each).length <= maxDescription) ?? BARE;
  const text = write(way);
  return { text, shortened: way.step, isTooLong: text.length > maxDescription };
}

function writeLines(
  tool: ToolFacts,
  { shared, actions: signatures }: ToolSignatures,
  { hasGroups, shorten }: Shortening,
): string {
  const lines = [joinSentences(describePurpose(tool), 'Actions:'), ...shared];
  // A mark that holds for all actions stands in the hints of the tool
  const isMarked = tool.annotations.destructiveHint === false || !tool.actions.every(isDestructive);
  const said = new Set<string>();
  for (const [index, action] of tool.actions.entries()) {
    if (hasGroups) lines.push(...groupLines(tool, action, said));
    const text = shorten(oneLine(action.description));
    const colon = text === '' ? '' : `: ${text}`;
    lines.push(`${signatures[index] ?? ''}${colon}${marksText(action, isMarked)}`);
  }
  return lines.join('\n');
}

function isDestructive(action: ActionFacts): boolean {
  return action.isDestructive;
}

/** The lines of the groups around an action, each before the first action of the group. */
function groupLines({ groups }: ToolFacts, { group }: ActionFacts, said: Set<string>): readonly string[] {
  if (group === undefined) return [];
  const around = groups.filter(({ path }) => group === path || group.startsWith(`${path}.`));
  return around.flatMap(({ path, description }) => {
    const text = oneLine(description);
    if (text === '' || said.has(path)) return [];
    said.add(path);
    return [`# ${path}: ${text}`];
  });
}

/** What a line says behind the description of an action. */
export function marksText(
  {
    isDestructive,
    isConfirmed,
    deprecated,
  }: Pick<ActionFacts, 'isDestructive' | 'isConfirmed' | 'deprecated'>,
  isMarked = true,
): string {
  const use = deprecated?.use === undefined ? '' : `: use ${deprecated.use}`;
  return [
    isDestructive && isMarked ? ' [destructive]' : '',
    isConfirmed ? ' [asks first]' : '',
    deprecated === undefined ? '' : ` [deprecated${use}]`,
  ].join('');
}

/** The text up to the first mark that ends a sentence; `e.g. this` is none. */
export function firstSentence(text: string): string {
  return /^.*?(?:[.!?](?=\s+["'(]?\p{Lu}|\s*$)|[。！？])/u.exec(text)?.[0] ?? text;
}

/** At most so many characters, the last of them `…`, without a part of a word or of a letter. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.slice(0, length - 1);
  const isWhole = /\s/.test(text.charAt(length - 1));
  const words = isWhole ? start : (/^(.*)\s/su.exec(start)?.[1] ?? start);
  const whole = words.replace(/[\uD800-\uDBFF]$/, '').trimEnd();
  return `${whole.replace(/[,;:–—-]+$/, '').trimEnd()}…`;
}
