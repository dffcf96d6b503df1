import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { isPlainObject, membersOf, parseJson, type PlainObject } from '../../shared/json.ts';
import { listValues } from '../../shared/listing.ts';
import { CliError } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import type { CreatedApplication } from '../target/entry-host.ts';
import type { JudgedAction, JudgedTool } from './judged.ts';
import { readServer } from './read-server.ts';

const FILE = 'chatgpt-app-submission.json';
const SCHEMA = 'https://developers.openai.com/apps-sdk/schemas/chatgpt-app-submission.v1.json';

/**
 * Writes the hints of all tools with a sentence for each, in the form that the directory imports. Sentences that a
 * person edited stay while the hints of their tool stay, and so does everything else in the file.
 */
export function writeSubmission(created: CreatedApplication, terminal: Terminal): void {
  const before = existsSync(FILE) ? parseJson(readFileSync(FILE, 'utf8')) : {};
  if (!isPlainObject(before)) throw unreadable();
  const submission = createSubmission(readServer(created).tools, before);
  writeFileSync(FILE, `${JSON.stringify(submission, undefined, 2)}\n`);
  terminal.say(
    `Wrote ${FILE}. Read each sentence before you send it, and add test cases: 5 that use tools, 3 that do not.`,
  );
}

/** The whole file. @param before the one that is there */
export function createSubmission(tools: readonly JudgedTool[], before: PlainObject = {}): PlainObject {
  const kept = membersOf(before['tools']);
  const entries = tools.map((tool) => {
    const annotations = readHints(tool);
    const own = membersOf(Object.hasOwn(kept, tool.name) ? kept[tool.name] : undefined);
    const isSame = canonicalJson(own['annotations'] ?? {}) === canonicalJson(annotations);
    return [tool.name, isSame ? own : { annotations, justifications: justify(tool, annotations) }] as const;
  });
  return { ...before, $schema: SCHEMA, schema_version: 1, tools: Object.fromEntries(entries) };
}

interface Hints {
  readonly readOnlyHint: boolean;
  readonly openWorldHint: boolean;
  readonly destructiveHint: boolean;
}

/** What is left out counts as the protocol says (spec: ToolAnnotations). */
function readHints({ annotations }: JudgedTool): Hints {
  const { readOnlyHint, openWorldHint, destructiveHint } = membersOf(annotations);
  const isReadOnly = readOnlyHint === true;
  return {
    readOnlyHint: isReadOnly,
    openWorldHint: openWorldHint !== false,
    destructiveHint: typeof destructiveHint === 'boolean' ? destructiveHint : !isReadOnly,
  };
}

function justify(
  { actions }: JudgedTool,
  { readOnlyHint, openWorldHint, destructiveHint }: Hints,
): PlainObject {
  const keys = (isMeant: (action: JudgedAction) => boolean): string => {
    const meant = actions.filter(isMeant);
    return listValues(meant.length === 0 ? actions : meant, ({ key }) => key);
  };
  return {
    read_only_justification: readOnlyHint
      ? `It only reads: ${keys(() => true)} changes no data.`
      : `It changes data: ${keys(({ isReadOnly }) => !isReadOnly)}.`,
    open_world_justification: openWorldHint
      ? `It can change what is public or belongs to a third party: ${keys(({ isReadOnly }) => !isReadOnly)}.`
      : 'It stays in the data of this server, and changes nothing that is public or belongs to a third party.',
    destructive_justification: destructiveHint
      ? `It can delete or overwrite data: ${keys(({ isDestructive }) => isDestructive)}.`
      : 'It deletes and overwrites nothing.',
  };
}

function unreadable(): CliError {
  return new CliError('TW_CLI_OPTION', {
    where: '--justify',
    what: `cannot read the ${FILE} that is there.`,
    fix: `correct it, or move it away`,
  });
}
