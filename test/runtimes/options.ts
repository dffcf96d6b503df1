import { NODE_VERSIONS } from './versions.ts';

export const PARTS = ['servers', 'refusals', 'workers', 'agents', 'size', 'core'] as const;
export type PartName = (typeof PARTS)[number];

export interface RuntimeOptions {
  readonly parts: readonly PartName[];
  /** The versions of Node that run the tests of the core. */
  readonly core: readonly string[];
  /** Writes the table into the pages in place of comparing it. */
  readonly writes: boolean;
}

/** @throws RangeError for an option, a part or a version that does not exist. */
export function readOptions(args: readonly string[]): RuntimeOptions {
  let parts: readonly PartName[] = PARTS;
  let core: readonly string[] = NODE_VERSIONS;
  let writes = false;
  const rest = [...args];
  for (let option = rest.shift(); option !== undefined; option = rest.shift()) {
    if (option === '--write') writes = true;
    else if (option === '--only') parts = chosen(option, rest.shift(), PARTS);
    else if (option === '--core') core = chosen(option, rest.shift(), NODE_VERSIONS);
    else throw new RangeError(`There is no option ${option}; there are --only, --core and --write`);
  }
  return { parts, core, writes };
}

function chosen<Name extends string>(option: string, list = '', known: readonly Name[]): readonly Name[] {
  const wanted = list.split(',');
  const unknown = wanted.find((name) => !known.some((one) => one === name));
  if (unknown !== undefined)
    throw new RangeError(`${option} takes some of ${known.join(',')}, not "${unknown}"`);
  return known.filter((name) => wanted.includes(name));
}
