import { McpApplication, isModule, type DynamicModule } from '../../index.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { isClass } from '../../shared/class-type.ts';
import { isPlainObject } from '../../shared/json.ts';
import { CliError } from '../output/cli-error.ts';
import { isHandedOver, type CreatedApplication, type EntryHost } from './entry-host.ts';
import type { LoadingTime } from './load-file.ts';

/** A loaded file in which an application is looked for. */
export interface Search {
  readonly file: string;
  /** The export that was asked for. */
  readonly name: string | undefined;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly host: EntryHost;
  readonly time: LoadingTime;
}

/** An export that gives an application. */
interface Candidate {
  readonly name: string;
  /** What makes two exports the same candidate. */
  readonly identity: unknown;
  readonly isFactory: boolean;
  readonly open: () => Promise<McpApplication>;
}

/**
 * The export that was asked for; else the default export; else the only exported application, @Module class or
 * factory; else the application that was created while the file was loaded.
 *
 * @throws CliError when there is none, or a choice
 */
export async function findApplication(search: Search): Promise<CreatedApplication> {
  const candidate = await chooseExport(search);
  const application = candidate === undefined ? await chooseCreated(search) : await candidate.open();
  const created = search.host.applications.find((each) => each.application === application);
  if (created === undefined) throw nothingFound(search);
  return created;
}

async function chooseExport(search: Search): Promise<Candidate | undefined> {
  const { file, name, exports } = search;
  const found = await candidatesIn(search);
  if (name !== undefined) {
    const chosen = found.find((each) => each.name === name);
    if (chosen === undefined) throw notExported(search, name, found);
    return chosen;
  }
  const byDefault = 'default' in exports ? found.find((each) => each.name === 'default') : undefined;
  if (byDefault !== undefined) return byDefault;
  const certain = distinct(found.filter(({ isFactory }) => !isFactory));
  if (certain.length > 1) throw ambiguous(file, certain);
  if (certain.length === 1 || search.host.applications.length > 0) return certain[0];
  // A file that made its application exports functions for other reasons
  const factories = distinct(found);
  if (factories.length > 1) throw ambiguous(file, factories);
  return factories[0];
}

async function candidatesIn({ exports, host, time, name: asked }: Search): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  for (const [name, exported] of Object.entries(exports)) {
    const value = isPromise(exported) ? await time.within(exported) : exported;
    const candidate = candidateOf(name, value, host, asked === name || name === 'default');
    if (candidate !== undefined) candidates.push(candidate);
  }
  return candidates;
}

function candidateOf(
  name: string,
  value: unknown,
  host: EntryHost,
  isChosen: boolean,
): Candidate | undefined {
  const made = host.applications.find(
    ({ application, rootModule }) => application === value || rootModule === value,
  );
  if (made !== undefined) {
    const { application } = made;
    return { name, identity: application, isFactory: false, open: async () => application };
  }
  if (isModule(value) || isDynamicModule(value)) {
    return { name, identity: value, isFactory: false, open: () => McpApplication.create(value) };
  }
  if (typeof value !== 'function' || isClass(value)) return undefined;
  // A function with parameters is for other callers, unless the command line or the file names it
  if (value.length > 0 && !isChosen) return undefined;
  return { name, identity: value, isFactory: true, open: () => openMade(value as () => unknown, name, host) };
}

async function openMade(factory: () => unknown, name: string, host: EntryHost): Promise<McpApplication> {
  const made = await factory();
  const candidate = candidateOf(name, made, host, false);
  if (candidate !== undefined && !candidate.isFactory) return candidate.open();
  throw new CliError('TW_CLI_ENTRY_EMPTY', {
    where: `${name}()`,
    what: 'gave no application.',
    fix: `return one: export const ${name} = () => McpApplication.create(AppModule)`,
  });
}

/** The application that was created; waits for one that is not yet, as that of a `main()` that nobody awaits. */
async function chooseCreated(search: Search): Promise<McpApplication> {
  const { host, time, file } = search;
  while (host.applications.length === 0) {
    const changed = await time.within(host.changed().then(() => true));
    if (changed === undefined) throw nothingFound(search);
  }
  const served = host.applications.filter(isHandedOver);
  const [only, another] = served.length === 0 ? host.applications : served;
  if (only === undefined) throw nothingFound(search);
  if (another !== undefined) {
    throw new CliError('TW_CLI_ENTRY_AMBIGUOUS', {
      where: file,
      what: `makes ${String(host.applications.length)} applications and exports none.`,
      fix: `export them, and choose one: ${file}#name`,
    });
  }
  return only.application;
}

function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(
    ({ identity }, index) => candidates.findIndex((each) => each.identity === identity) === index,
  );
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

function isDynamicModule(value: unknown): value is DynamicModule {
  return isPlainObject(value) && isModule(value['module']);
}

function notExported({ file, exports }: Search, name: string, candidates: readonly Candidate[]): CliError {
  const names = candidates.map((each) => each.name);
  const what = name in exports ? 'which is not an application' : 'which does not exist';
  return new CliError('TW_CLI_ENTRY_EMPTY', {
    where: file,
    what: `should give its export ${JSON.stringify(name)}, ${what}${hint(didYouMean(name, names))}`,
    fix: names.length === 0 ? FORMS : `${file}#${names[0] ?? ''}`,
  });
}

function hint(text: string | undefined): string {
  return text === undefined ? '.' : `; ${text}`;
}

function ambiguous(file: string, candidates: readonly Candidate[]): CliError {
  return new CliError('TW_CLI_ENTRY_AMBIGUOUS', {
    where: file,
    what: `exports ${String(candidates.length)} applications: ${candidates.map(({ name }) => name).join(', ')}.`,
    fix: `choose one: ${candidates.map(({ name }) => `${file}#${name}`).join(' or ')}`,
  });
}

const FORMS =
  'export default AppModule (or the application); or export one @Module class, application or function that makes one; or call app.listen() or app.stdio(); or name the export: file.ts#name';

function nothingFound({ file }: Search): CliError {
  return new CliError('TW_CLI_ENTRY_EMPTY', {
    where: file,
    what: 'gives no application.',
    why: 'it exports none, and created none while it was loaded.',
    fix: FORMS,
  });
}
