import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planNest, type ApiPlan, type ExposeNestOptions, type NestApplication } from '../../nest/index.ts';
import {
  findOpenApiChanges,
  planOpenApi,
  writeOpenApiClasses,
  type OpenApiPlan,
} from '../../openapi/index.ts';
import { isPlainObject, membersOf, parseJson } from '../../shared/json.ts';
import type { RunCommand } from '../command.ts';
import { findExposed } from '../import/find-exposed.ts';
import { planText } from '../import/plan-text.ts';
import { writeFiles } from '../import/write-files.ts';
import { CliError, EXIT, type ExitCode } from '../output/cli-error.ts';
import { sayFindings } from '../output/findings.ts';
import type { Terminal } from '../output/terminal.ts';
import { readReference } from '../target/entry.ts';
import { LoadingTime } from '../target/load-file.ts';

interface ImportOptions {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly maxActions?: number;
  readonly maxTokens?: number;
  readonly write?: boolean;
  readonly output?: string;
  readonly force?: boolean;
  readonly timeout?: number;
}

/** What a kind of API gives for a plan. */
interface Planned {
  readonly plan: ApiPlan;
  /** The file of the selection that the application reads already. */
  readonly curation?: string | undefined;
  /** What the file says of the document beside the selection. */
  readonly document?: { readonly source: string; readonly operations: OpenApiPlan['fingerprints'] };
  /** The files of classes; undefined where there are none of this kind. */
  readonly writeClasses?: () => Promise<Readonly<Record<string, string>>>;
  /** How the file is used. */
  readonly usage: (curation: string) => string;
}

/** Shows what the operations of an API that exists would be as actions, and writes down what is selected. */
export const run: RunCommand<ImportOptions> = async ({ values: [what = '', target], options }, terminal) => {
  const planKind = KINDS[what];
  if (planKind === undefined) throw unknownKind(what);
  const { include, exclude, maxActions, maxTokens } = options;
  const selection = defined({ include, exclude, maxActions, maxTokens });
  return finish(await planKind(target ?? '', selection, options), options, terminal);
};

type Selection = Pick<ImportOptions, 'include' | 'exclude' | 'maxActions' | 'maxTokens'>;

type PlanKind = (target: string, selection: Selection, options: ImportOptions) => Promise<Planned>;

const KINDS: Readonly<Partial<Record<string, PlanKind>>> = { nest: planApplication, openapi: planDocument };
const TIMEOUT = 30_000;

function unknownKind(what: string): CliError {
  return new CliError('TW_CLI_ARGUMENT', {
    where: 'toolwright import',
    what: `cannot import ${JSON.stringify(what)}.`,
    fix: 'toolwright import nest server.ts, or toolwright import openapi shop.openapi.json',
  });
}

async function planApplication(
  target: string,
  selection: object,
  { timeout }: ImportOptions,
): Promise<Planned> {
  const { file, name } = readReference(target);
  const time = new LoadingTime(file, timeout ?? TIMEOUT);
  const found = await findExposed(file, name, time).finally(() => {
    time.end();
  });
  const given: ExposeNestOptions = { ...found.options, ...selection };
  const plan = await planNest(found.nest, given);
  await (found.nest as NestApplication & { close(): Promise<unknown> }).close();
  const usage = (curation: string): string => `exposeNest(nest, { curation: '${curation}' })`;
  return { plan, curation: given.curation, usage };
}

async function planDocument(target: string, { maxTokens, ...selection }: Selection): Promise<Planned> {
  if (target === '') {
    throw new CliError('TW_CLI_ARGUMENT', {
      where: 'toolwright import openapi',
      what: 'needs a document.',
      fix: 'toolwright import openapi shop.openapi.json, or the URL of one',
    });
  }
  const source = /^https?:\/\//.test(target) ? { url: target } : target;
  const plan = await planOpenApi(source, { ...selection, ...(maxTokens === undefined ? {} : { maxTokens }) });
  const usage = (curation: string): string =>
    `OpenApiModule.forRoot({ document: ${typeof source === 'string' ? `'${source}'` : `{ url: '${target}' }`}, curation: '${curation}' })`;
  const writeClasses = () => writeOpenApiClasses(source, selection);
  return { plan, document: { source: target, operations: plan.fingerprints }, usage, writeClasses };
}

async function finish(
  planned: Planned,
  { write = false, output, force = false }: ImportOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { plan, curation = 'toolwright.api.json' } = planned;
  const { problems } = plan;
  terminal.give(plan, () => planText(plan, terminal));
  if (problems.length > 0) {
    sayFindings(
      problems.map((problem) => ({ ...problem, level: 'problem' as const })),
      terminal,
    );
    terminal.say(`Try: ${plan.include.map((pattern) => `--include '${pattern}'`).join(' ')}`);
    return EXIT.finding;
  }
  if (write) writeSelection(output ?? curation, planned, terminal);
  else if (output !== undefined && planned.writeClasses !== undefined)
    await writeClasses(output, planned, force, terminal);
  return EXIT.done;
}

/** Says what an earlier document was, as far as the file of the classes says, and writes. */
async function writeClasses(
  folder: string,
  { plan, document, writeClasses: write }: Planned,
  isForced: boolean,
  terminal: Terminal,
): Promise<void> {
  const now = { fingerprints: document?.operations ?? {}, operations: plan.operations };
  const changes = findChangesSince(folder, now);
  sayFindings(
    changes.map((problem) => ({ ...problem, level: 'advice' as const })),
    terminal,
  );
  writeFiles(folder, (await write?.()) ?? {}, isForced, terminal);
}

/** What differs from the document of the classes that are there. Where nothing says what it was, that is a finding. */
function findChangesSince(
  folder: string,
  now: Pick<OpenApiPlan, 'fingerprints' | 'operations'>,
): ReturnType<typeof findOpenApiChanges> {
  if (!existsSync(join(folder, 'operations.ts'))) return [];
  const path = join(folder, 'operations.json');
  const known = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
  const areFingerprints = isPlainObject(known) && Object.values(known).every(isPlainObject);
  if (areFingerprints) return findOpenApiChanges(known as OpenApiPlan['fingerprints'], now, path);
  return [
    {
      code: 'TW_OPENAPI_CHANGED',
      where: path,
      what: 'is missing or cannot be read, so nothing says what has changed since the classes were written.',
      fix: 'look at the differences below, and commit the new file with the classes',
    },
  ];
}

function defined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** What is selected, by its keys: an operation that is added later is not offered before somebody selects it. */
function writeSelection(path: string, { plan, document, usage }: Planned, terminal: Terminal): void {
  const { actions = {} } = existsSync(path) ? membersOf(parseJson(readFileSync(path, 'utf8'))) : {};
  const include = plan.operations.filter(({ leftOut }) => leftOut === undefined).map(({ key }) => key);
  const maxActions = Math.max(1, include.length);
  const file = { version: 1, ...(document === undefined ? {} : { document }), include, maxActions, actions };
  writeFileSync(path, `${JSON.stringify(file, undefined, 2)}\n`);
  terminal.say(`Wrote ${path}. Use it: ${usage(`./${path.replace(/^\.\//, '')}`)}`);
}
