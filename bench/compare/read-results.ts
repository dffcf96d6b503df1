import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH, PROJECT } from '../folders.ts';
import { isNoisy } from '../results/spread.ts';
import { MEASURED_COLUMNS, type MeasuredFile, type MeasuredRow } from './measured.ts';

/** What frameworks say that they offer. */
export interface Feature {
  readonly name: string;
  readonly own: string;
  /** The test that shows it, from the root of the project. */
  readonly test?: string;
  /** By column, with the address of the document. */
  readonly others: Readonly<Record<string, { readonly value: string; readonly source: string }>>;
}

/** What was read of other frameworks, and when. */
export interface Documents {
  readonly date: string;
  /** By framework: the package or repository that was read, and its version where nothing is measured. */
  readonly columns: Readonly<Record<string, { readonly source: string; readonly version?: string }>>;
}

/** The form of `documented.json`. A value alone was found in the package or repository of the column. */
interface DocumentedFile extends Documents {
  readonly features: readonly (Omit<Feature, 'others'> & {
    readonly others: Readonly<Record<string, string | readonly [value: string, source: string]>>;
  })[];
}

/** All that the page is written from. */
export interface Comparison {
  /** What was measured in Toolwright and in others. */
  readonly rows: readonly MeasuredRow[];
  readonly surfaces: readonly MeasuredRow[];
  readonly features: readonly Feature[];
  readonly documents: Documents;
  /** When, where and in which versions. */
  readonly notes: readonly string[];
}

/** The form of `bench/repair/results.json`, as far as it is shown. */
export interface RepairFile {
  readonly servers: readonly {
    readonly name: string;
    /** The share of refused calls that are as meant after one repair, with its interval. */
    readonly interval: { readonly share: number; readonly low: number; readonly high: number };
    /** Calls that were taken as they were, and run with something else than what was meant. */
    readonly silent?: { readonly otherwise: number };
    readonly tokens: { readonly median: number };
  }[];
}

const FOLDER = join(BENCH, 'compare');
export const SPEED = join(FOLDER, 'speed.json');
export const TOKENS = join(FOLDER, 'tokens.json');
export const SURFACES = join(FOLDER, 'surfaces.json');

/** Reads the files of results. A file that is missing is a row that was not measured. */
export function readComparison(): Comparison {
  const speed = readJson<MeasuredFile>(SPEED);
  const tokens = readJson<MeasuredFile>(TOKENS);
  const documented = readJson<DocumentedFile>(join(FOLDER, 'documented.json'));
  const repair = readJson<RepairFile>(join(BENCH, 'repair/results.json'));
  const conformance = readFileSync(join(PROJECT, 'docs/conformance.md'), 'utf8');
  return {
    rows: [
      ...(speed?.rows ?? []),
      ...(tokens?.rows ?? []),
      ...repairRows(repair),
      conformanceRow(conformance),
    ],
    surfaces: readJson<MeasuredFile>(SURFACES)?.rows ?? [],
    features: documented === undefined ? [] : readFeatures(documented),
    documents: documented ?? { date: 'no day', columns: {} },
    notes: [speed === undefined ? 'Speed was not measured.' : describeRun(speed), TOKEN_NOTE],
  };
}

function readFeatures({ columns, features }: DocumentedFile): readonly Feature[] {
  return features.map((feature) => ({
    ...feature,
    others: Object.fromEntries(
      Object.entries(feature.others).map(([column, found]) => {
        const [value, source = columns[column]?.source ?? ''] = [found].flat();
        return [column, { value: value ?? '', source }];
      }),
    ),
  }));
}

function readJson<File>(path: string): File | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as File;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const TOKEN_NOTE =
  'Tokens are those of o200k_base, of names, descriptions, schemas and hints, whose figures have no noise. Each peer is given the same inputs as zod schemas, one tool for each action, and is counted as it publishes them; zod publishes the pattern of its dates and e-mail addresses. Toolwright is counted as the application declares it. In the conversation, definitions count once, a result is the text of the answer, and the peers give the same values.';

/** When and where something was measured, how calm it was, and in which versions. */
function describeRun({ date, machine, versions, rows }: MeasuredFile): string {
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const spreads = rows.flatMap(({ values }) =>
    Object.values(values).filter((value) => typeof value === 'object'),
  );
  const noisy = spreads.filter(isNoisy).length;
  const warning = `In ${String(noisy)} of ${String(spreads.length)} figures the rounds are further apart than a third of the median: the machine was busy, and these figures mean little.`;
  return [
    `Measured on ${date} with Node ${machine.node} on ${String(machine.cpus)} processors. ± is half of how far the rounds are apart.`,
    ...(noisy === 0 ? [] : [warning]),
    `Versions: ${packages.join(', ')}.`,
  ].join(' ');
}

type RepairServer = RepairFile['servers'][number];

/** What a mechanical repair made of malformed calls, in each framework. @param repair undefined: not measured */
export function repairRows(repair: RepairFile | undefined): readonly MeasuredRow[] {
  const measure = (read: (server: RepairServer) => MeasuredRow['values'][string]): MeasuredRow['values'] =>
    Object.fromEntries(repair?.servers.map((server) => [findColumn(server.name), read(server)]) ?? []);
  return [
    {
      name: 'Refused calls that a mechanical repair by the error text makes right in one retry',
      unit: '%',
      better: 'more',
      values: measure(({ interval: { share, low, high } }) => ({
        ...{ median: share * 100, minimum: low * 100, maximum: high * 100 },
      })),
    },
    {
      name: 'Malformed calls that run with something else than was meant',
      unit: 'calls',
      better: 'less',
      values: measure(({ silent }) => silent?.otherwise ?? 'not measured'),
    },
    {
      name: 'Text of an error, median',
      unit: 'tokens',
      better: 'less',
      values: measure(({ tokens }) => tokens.median),
    },
  ];
}

/** `sdk-v1` is `SDK v1`, and `mcp-nest` its package. A name without a column is not shown. */
function findColumn(name: string): string {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/^@rekog\//, '')
      .replaceAll('-', ' ');
  return MEASURED_COLUMNS.find((column) => plain(column) === plain(name)) ?? name;
}

/** The checks of the official suites that pass, from the page whose figures the suites are held to. */
function conformanceRow(page: string): MeasuredRow {
  const passed = [...page.matchAll(/^\| `[^`]+`\s*\|\s*\d+ \|\s*(\d+) \|\s*0 \|/gm)].map(([, count]) =>
    Number(count),
  );
  const toolwright = passed.reduce((sum, count) => sum + count, 0);
  return {
    name: 'Checks of the official conformance suites that pass, none failing',
    unit: 'checks',
    better: 'more',
    values: { toolwright },
  };
}
