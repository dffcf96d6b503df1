import { DEFAULT_SECTIONS, SECTION_NAMES, type SectionName } from './results/section.ts';

export interface BenchOptions {
  readonly isQuick: boolean;
  readonly sections: readonly SectionName[];
}

/** @throws RangeError for an option or a section that does not exist. */
export function readOptions(args: readonly string[]): BenchOptions {
  const rest = [...args];
  let isQuick = false;
  let sections = DEFAULT_SECTIONS;
  for (let option = rest.shift(); option !== undefined; option = rest.shift()) {
    if (option === '--quick') isQuick = true;
    else if (option === '--only') sections = readSections(rest.shift() ?? '');
    else throw new RangeError(`There is no option ${option}; there are --quick and --only <sections>`);
  }
  return { isQuick, sections };
}

function readSections(list: string): readonly SectionName[] {
  const wanted = list.split(',').filter((name) => name !== '');
  const known: readonly string[] = SECTION_NAMES;
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown === undefined && wanted.length > 0) {
    return SECTION_NAMES.filter((name) => wanted.includes(name));
  }
  throw new RangeError(`--only takes some of ${known.join(',')}, not "${unknown ?? list}"`);
}
