import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostApplications } from '../../index.ts';
import { planNest, type ApiPlan, type ExposeNestOptions, type NestApplication } from '../../nest/index.ts';
import { isObject, membersOf, parseJson } from '../../shared/json.ts';
import type { RunCommand } from '../command.ts';
import { CliError, EXIT } from '../output/cli-error.ts';
import { sayFindings } from '../output/findings.ts';
import type { Terminal } from '../output/terminal.ts';
import { readReference } from '../target/entry.ts';
import { importFile, LoadingTime } from '../target/load-file.ts';

interface ImportOptions {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly maxActions?: number;
  readonly maxTokens?: number;
  readonly write?: boolean;
  readonly output?: string;
  readonly timeout?: number;
}

/** Shows what the routes of an application of NestJS would be as actions, and writes down what is selected. */
export const run: RunCommand<ImportOptions> = async ({ values: [what, reference], options }, terminal) => {
  if (what !== 'nest') throw unknownKind(what ?? '');
  const { write = false, output, timeout, include, exclude, maxActions, maxTokens } = options;
  const { file, name } = readReference(reference ?? '');
  const time = new LoadingTime(file, timeout ?? TIMEOUT);
  const found = await findExposed(file, name, time).finally(() => {
    time.end();
  });
  const selection = defined({ include, exclude, maxActions, maxTokens });
  const given: ExposeNestOptions = { ...found.options, ...selection };
  const plan = await planNest(found.nest, given);
  const { problems } = plan;
  await (found.nest as NestApplication & { close(): Promise<unknown> }).close();
  terminal.give(plan, () => planText(plan, terminal));
  if (problems.length > 0) {
    sayFindings(
      problems.map((problem) => ({ ...problem, level: 'problem' as const })),
      terminal,
    );
    terminal.say(`Try: ${plan.include.map((pattern) => `--include '${pattern}'`).join(' ')}`);
    return EXIT.finding;
  }
  if (write) writeSelection(output ?? given.curation ?? 'toolwright.api.json', plan, terminal);
  return EXIT.done;
};

const TIMEOUT = 30_000;

function unknownKind(what: string): CliError {
  return new CliError('TW_CLI_ARGUMENT', {
    where: 'toolwright import',
    what: `cannot import ${JSON.stringify(what)}.`,
    fix: 'toolwright import nest server.ts',
  });
}

interface Exposed {
  readonly nest: NestApplication;
  readonly options: ExposeNestOptions;
}

/** The application that the file hands to `exposeNest()`, which goes no further; else the one that it exports. */
async function findExposed(file: string, name: string | undefined, time: LoadingTime): Promise<Exposed> {
  let release: () => void = () => undefined;
  const handed = new Promise<Exposed>((resolve) => {
    release = hostApplications({
      created: () => undefined,
      listen: (_application, options, open) => open(options),
      stdio: (_application, options, open) => open(options),
      exposed: (nest, options) => {
        resolve({ nest: nest as NestApplication, options });
        return new Promise(() => undefined);
      },
    });
  });
  try {
    const exported = time.load(() => importFile(file)).then((exports) => exportIn(exports, name, time, file));
    return await Promise.race([handed, exported]);
  } finally {
    release();
  }
}

async function exportIn(
  exports: Readonly<Record<string, unknown>>,
  name: string | undefined,
  time: LoadingTime,
  file: string,
): Promise<Exposed> {
  const candidates = name === undefined ? [exports['default'], ...Object.values(exports)] : [exports[name]];
  for (const candidate of candidates) {
    const isFactory =
      typeof candidate === 'function' && candidate.length === 0 && candidate.prototype === undefined;
    const value: unknown = await time.within(
      Promise.resolve(isFactory ? (candidate as () => unknown)() : candidate),
    );
    if (isNest(value)) return { nest: value, options: {} };
  }
  // A `main()` that nobody awaits may come to exposeNest() later
  await time.within(new Promise(() => undefined));
  throw new CliError('TW_CLI_ENTRY_EMPTY', {
    where: file,
    what: 'gives no application of NestJS.',
    fix: 'call exposeNest(nest, options) in it, or export default NestFactory.create(AppModule)',
  });
}

function isNest(value: unknown): value is NestApplication {
  return (
    isObject(value) && typeof value['getHttpAdapter'] === 'function' && typeof value['init'] === 'function'
  );
}

function defined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** What is selected, by its keys: a route that is added later is not offered before somebody selects it. */
function writeSelection(path: string, plan: ApiPlan, terminal: Terminal): void {
  const { actions = {} } = existsSync(path) ? membersOf(parseJson(readFileSync(path, 'utf8'))) : {};
  const include = plan.operations.filter(({ leftOut }) => leftOut === undefined).map(({ key }) => key);
  const file = { version: 1, include, maxActions: Math.max(1, include.length), actions };
  writeFileSync(path, `${JSON.stringify(file, undefined, 2)}\n`);
  terminal.say(`Wrote ${path}. Use it: exposeNest(nest, { curation: './${path.replace(/^\.\//, '')}' })`);
}

function planText({ groups, total, operations }: ApiPlan, terminal: Terminal): string {
  const rows = [
    ['group', 'actions', 'reads', 'writes', 'tokens', 'left out'],
    ...groups.map(({ name, actions, reads, writes, tokens, leftOut }) => [
      terminal.label(name),
      ...[actions, reads, writes, tokens].map((count) => count.toLocaleString('en')),
      Object.entries(leftOut)
        .map(([reason, count]) => `${String(count)} ${reason}`)
        .join(', '),
    ]),
    [
      'all tools',
      ...[total.actions, total.reads, total.writes, total.tokens].map((count) => count.toLocaleString('en')),
      '',
    ],
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const cell = (text: string, column: number): string =>
    column === 0 || column === 5 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  const table = rows.map((row) => row.map(cell).join('  ').trimEnd());
  const left = operations.flatMap(({ key, leftOut }) =>
    leftOut === undefined
      ? []
      : [`  ${terminal.label(key)}: ${leftOut.reason}; ${terminal.label(leftOut.note)}`],
  );
  return [...table, ...(left.length === 0 ? [] : ['', 'Left out:', ...left])].join('\n');
}
