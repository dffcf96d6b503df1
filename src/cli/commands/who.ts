import { readFile } from 'node:fs/promises';
import { subjectKey, type Subject } from '../../index.ts';
import { isPlainObject, parseJson, withoutUndefined } from '../../shared/json.ts';
import { deriveKeys, signatureOf } from '../../shared/sealed-text.ts';
import type { RunCommand } from '../command.ts';
import { CliError, EXIT } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { checkReadable, openAuditStore } from './audit.ts';

interface WhoOptions {
  readonly key?: string;
  readonly secrets?: string;
  readonly schema?: string;
  readonly name?: string;
}

/** A caller, and what stands for it in log records. */
interface NamedSubject extends Subject {
  readonly hash: string;
}

/** Shorter beginnings of a hash could be those of several callers. */
const MIN_HASH_LENGTH = 8;

/** Finds the caller behind a hash of the log among callers that are known: nobody can compute it from the hash alone. */
export const run: RunCommand<WhoOptions> = async ({ values: [source = '', wanted], options }, terminal) => {
  if (wanted !== undefined && !new RegExp(`^[0-9a-f]{${String(MIN_HASH_LENGTH)},64}$`).test(wanted))
    throw wrongArgument(
      `cannot look for ${terminal.label(wanted)}, which is not the hash of a caller.`,
      `copy the member subject of a log record, or at least ${String(MIN_HASH_LENGTH)} characters of its beginning`,
    );
  const hash = await readHasher(options);
  const found = new Map<string, NamedSubject>();
  const { store, close } = await openAuditStore(source, options, 'toolwright who');
  try {
    for await (const line of store.read()) {
      const subject = readSubject(line);
      if (subject === undefined || found.has(subjectKey(subject))) continue;
      const named = { ...subject, hash: hash(subject) };
      if (wanted === undefined || named.hash.startsWith(wanted)) found.set(subjectKey(subject), named);
    }
  } finally {
    await close();
  }
  const subjects = [...found.values()];
  terminal.give({ subjects: subjects.map(withoutUndefined) }, () => describe(subjects, terminal));
  return subjects.length > 0 ? EXIT.done : EXIT.finding;
};

async function readHasher({ key, secrets }: WhoOptions): Promise<(subject: Subject) => string> {
  if ((key === undefined) === (secrets === undefined))
    throw wrongArgument(
      'takes the key of the hashes from one file.',
      'give --key with redact.endUserKey, or --secrets with the first of the secrets, as the application has it',
    );
  const file = await checkReadable(key ?? secrets ?? '', 'toolwright who');
  const text = (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  if (text === '') throw wrongArgument(`found nothing in ${file}.`, 'put the key in it');
  // As the application does it
  const hashKey = key === undefined ? deriveKeys([text], 'log-subject')[0] : text;
  return (subject) => signatureOf(subjectKey(subject), hashKey).toString('hex');
}

/** Reads whom a record of an audit is about, or a line that names a caller as `subjectOf()` does. */
function readSubject(line: string): Subject | undefined {
  const value = parseJson(line);
  if (!isPlainObject(value)) return undefined;
  const { issuer, clientId, sub, tenant } = value;
  if (typeof clientId !== 'string') return undefined;
  return { issuer: readText(issuer), clientId, sub: readText(sub), tenant: readText(tenant) };
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function describe(subjects: readonly NamedSubject[], terminal: Terminal): string {
  if (subjects.length === 0) return terminal.paint.red('None of the callers has this hash.');
  return subjects
    .map(({ hash, issuer, clientId, sub, tenant }) => {
      const facts = { client: clientId, sub, tenant, issuer };
      const named = Object.entries(facts).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name} ${terminal.label(value)}`],
      );
      return `${hash}: ${named.join(', ')}`;
    })
    .join('\n');
}

function wrongArgument(what: string, fix: string): CliError {
  return new CliError('TW_CLI_ARGUMENT', { where: 'toolwright who', what, fix });
}
