import { access, constants, readFile, stat } from 'node:fs/promises';
import {
  jsonLinesAuditStore,
  readCheckpoints,
  verifyAudit,
  type AuditStore,
  type AuditVerification,
} from '../../audit/index.ts';
import { postgresAuditStore } from '../../backplane/postgres/index.ts';
import { codeOf } from '../../shared/error-shape.ts';
import { withoutUndefined } from '../../shared/json.ts';
import type { RunCommand } from '../command.ts';
import { CliError, EXIT } from '../output/cli-error.ts';
import { openPool } from './migrate.ts';
import type { Terminal } from '../output/terminal.ts';

interface AuditCommandOptions {
  readonly checkpoints?: string;
  readonly publicKey?: readonly string[];
  readonly prunedBefore?: Date;
  readonly allowUnsigned?: boolean;
  readonly interval?: number;
  readonly schema?: string;
  readonly name?: string;
}

const WHERE = 'toolwright audit';

/** Verifies an audit, and names the first record that is not as it was stored. */
export const run: RunCommand<AuditCommandOptions> = async (
  { values: [what, source = ''], options },
  terminal,
) => {
  if (what !== 'verify') throw wrongArgument(`cannot ${what ?? ''}.`, 'toolwright audit verify audit.jsonl');
  const { checkpoints: anchor, publicKey: files = [], prunedBefore, allowUnsigned, interval } = options;
  if ((anchor === undefined) !== (files.length === 0)) {
    throw wrongArgument('was given one of --checkpoints and --public-key without the other.', 'give both');
  }
  const { store, close } = await openAuditStore(source, options, WHERE);
  const checkpoints =
    anchor === undefined ? undefined : await readCheckpoints(await checkReadable(anchor, WHERE));
  const publicKey = await Promise.all(files.map((file) => readKey(file)));
  const given = withoutUndefined({ checkpoints, publicKey, prunedBefore, allowUnsigned, interval });
  const verified = await verifyAudit(store, given).finally(close);
  terminal.give(verified, () => described(verified, terminal));
  for (const sentence of unknownOf(verified, checkpoints !== undefined, prunedBefore)) terminal.say(sentence);
  return verified.isSound ? EXIT.done : EXIT.finding;
};

interface OpenedStore {
  readonly store: AuditStore;
  readonly close: () => unknown;
}

/** @param where the command that needs it */
export async function openAuditStore(
  source: string,
  { schema, name }: Pick<AuditCommandOptions, 'schema' | 'name'>,
  where: string,
): Promise<OpenedStore> {
  if (!/^postgres(ql)?:/.test(source)) {
    return { store: jsonLinesAuditStore(await checkReadable(source, where)), close: () => undefined };
  }
  const pool = await openPool(where, source);
  const options = { ...(schema === undefined ? {} : { schema }), ...(name === undefined ? {} : { name }) };
  return { store: postgresAuditStore({ pool, ...options }), close: () => pool.end() };
}

async function readKey(file: string): Promise<string> {
  return readFile(await checkReadable(file, WHERE), 'utf8');
}

/** A missing file would look like an audit without records. @param where the command that reads it */
export async function checkReadable(file: string, where: string): Promise<string> {
  try {
    await access(file, constants.R_OK);
    if (!(await stat(file)).isDirectory()) return file;
  } catch (error) {
    throw wrongArgument(`cannot read ${file}: ${codeOf(error) ?? 'it fails'}.`, 'correct the path', where);
  }
  throw wrongArgument(`cannot read ${file}: it is a folder.`, 'correct the path', where);
}

/** What a sound audit does not show. */
function unknownOf(
  { isSound, chains }: AuditVerification,
  isConfirmed: boolean,
  prunedBefore: Date | undefined,
): readonly string[] {
  if (!isSound) return [];
  const sentences: string[] = [];
  if (!isConfirmed)
    sentences.push('Whether records are missing at the end is not known: that takes --checkpoints.');
  if (prunedBefore === undefined && chains.some(({ from }) => from > 1))
    sentences.push(
      'Whether the first records were pruned or deleted is not known: that takes --pruned-before.',
    );
  return sentences;
}

/** Who can write to the store chooses the names of chains. */
function described(verified: AuditVerification, terminal: Terminal): string {
  const { records, chains, torn, fault } = verified;
  const { paint } = terminal;
  const lines = chains.map(({ chain, from, to, confirmed }) => {
    const signed = confirmed === undefined ? 'not signed' : `signed up to ${String(confirmed)}`;
    return `chain ${terminal.label(chain)}: records ${String(from)} to ${String(to)}, ${signed}`;
  });
  const ends = torn.map((position) => `position ${String(position)}: half a record, where a process died`);
  const verdict =
    fault === undefined
      ? paint.green(`${String(records)} records, and nothing is wrong with them.`)
      : paint.red(terminal.label(`${fault.kind}: ${fault.message}`));
  return [...lines, ...ends, verdict].join('\n');
}

function wrongArgument(what: string, fix: string, where = WHERE): CliError {
  return new CliError('TW_CLI_ARGUMENT', { where, what, fix });
}
