import type { McpApplication, ToolDefinition } from '../index.ts';
import { isPlainObject, membersOf } from '../shared/json.ts';
import { readWords } from '../shared/search/words.ts';
import { SurfaceTools } from './surface-tools.ts';

/** A text that makes it hard for a model to choose or call an action. */
export interface EvalFinding {
  /** Which of the rules it breaks. */
  readonly rule:
    | 'no-description'
    | 'long-description'
    | 'long-name'
    | 'undocumented-field'
    | 'similar-descriptions';
  /** The action, or the tool of the surface. */
  readonly where: string;
  /** What is wrong, in a sentence. */
  readonly message: string;
}

/** What several providers allow. */
const MAX_NAME_LENGTH = 64;
const MAX_DESCRIPTION_LENGTH = 1024;
/** The share of words that two descriptions have in common. */
const SIMILAR = 0.8;

/** Looks for texts that no model can choose by. Nothing is called. */
export async function lintTools(app: McpApplication, tools: SurfaceTools): Promise<readonly EvalFinding[]> {
  const flat = await SurfaceTools.open(app, 'flat');
  const actions = flat.definitions.flatMap((definition) =>
    flat.actionsIn(definition.name).map((action) => ({ action, definition })),
  );
  return [
    ...actions.flatMap(({ action, definition }) => lintAction(action, definition)),
    ...findSimilar(actions),
    ...tools.definitions.flatMap(lintTool),
  ];
}

function lintAction(where: string, { description, inputSchema }: ToolDefinition): readonly EvalFinding[] {
  const { required = [], properties = {} } = inputSchema;
  const silent = required.filter((name) => !hasText(membersOf(properties)[name]));
  const message = `It says nothing of the required ${silent.join(', ')}.`;
  return [
    ...(description.trim() === ''
      ? [{ rule: 'no-description' as const, where, message: 'It has no description.' }]
      : []),
    ...(silent.length > 0 ? [{ rule: 'undocumented-field' as const, where, message }] : []),
  ];
}

function hasText(schema: unknown): boolean {
  if (!isPlainObject(schema)) return false;
  // The values say what it is
  return ['description', '$ref', 'enum', 'const'].some((member) => schema[member] !== undefined);
}

function lintTool({ name, description }: ToolDefinition): readonly EvalFinding[] {
  const [named, described] = [String(name.length), String(description.length)];
  return [
    ...(name.length > MAX_NAME_LENGTH
      ? [
          {
            rule: 'long-name' as const,
            where: name,
            message: `Its name has ${named} characters; some providers take 64.`,
          },
        ]
      : []),
    ...(description.length > MAX_DESCRIPTION_LENGTH
      ? [
          {
            rule: 'long-description' as const,
            where: name,
            message: `Its description has ${described} characters; some providers take 1,024.`,
          },
        ]
      : []),
  ];
}

function findSimilar(
  actions: readonly { readonly action: string; readonly definition: ToolDefinition }[],
): readonly EvalFinding[] {
  const read = actions.map(({ action, definition: { description } }) => ({
    action,
    words: new Set(readWords(description)),
  }));
  return read.flatMap(({ action, words }, place) =>
    read
      .slice(place + 1)
      .filter((other) => words.size > 0 && shareWords(words, other.words) >= SIMILAR)
      .map((other) => ({
        rule: 'similar-descriptions' as const,
        where: action,
        message: `Its description has nearly the words of ${other.action}.`,
      })),
  );
}

/** Words in both, of those in either. */
function shareWords(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let common = 0;
  for (const word of left) if (right.has(word)) common += 1;
  return common / (left.size + right.size - common);
}
