import { createRandom, type Random } from '../support/random.ts';
import { isProgram, mutationsIn } from './mutations.ts';
import { findPlace, mutate, type Place, type Sources } from './place.ts';

/** As many places as the list has. */
const PLACES = 80;

/** The explorer's page is tested as it is built, and not by what the files of its folder export. */
const UNREACHED = 'explorer/page/';

/** What no test noticed when the list was made: a list begins with those that are still there. */
const KNOWN: readonly Pick<Place, 'line' | 'mutation'>[] = [
  { line: 'if (!isOpenApi && (isMap || hasAlternatives)) return schema;', mutation: 'drop left of &&' },
  {
    line: 'return this.#options.canAsk && this.record.client !== undefined;',
    mutation: 'drop right of &&',
  },
  { line: 'if (isOver) return;', mutation: 'drop early exit' },
  { line: 'return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;', mutation: '> to <' },
];

/** Chooses places in all folders of `src`, more in those that have more code, and one at most in a file. */
export function makeList(sources: Sources, seed: number): readonly Place[] {
  const random = createRandom(seed);
  const places: Place[] = [];
  const used = new Set<string>();
  const take = (path: string, wanted?: Pick<Place, 'line' | 'mutation'>): void => {
    const place = choose(placesIn(path, sources, wanted), random, sources);
    used.add(path);
    if (place !== undefined) places.push(place);
  };
  for (const known of KNOWN) {
    const path = [...sources.keys()].find((each) => sources.get(each)?.includes(`${known.line}\n`));
    if (path !== undefined) take(path, known);
  }
  const byFolder = filesByFolder(sources);
  const unused = (folder: string): readonly string[] =>
    (byFolder.get(folder) ?? []).filter((path) => !used.has(path));
  for (const folder of byFolder.keys()) {
    const before = places.length;
    while (places.length === before && unused(folder).length > 0) take(random.pick(unused(folder)));
  }
  // A line that is picked at random is in a folder as often as that is long
  const all = [...byFolder].flatMap(([folder, paths]) =>
    paths.flatMap((path) => linesOf(path, sources).map(() => folder)),
  );
  while (places.length < PLACES) {
    const files = unused(random.pick(all));
    if (files.length > 0) take(random.pick(files));
  }
  return places;
}

function filesByFolder(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>();
  for (const path of [...sources.keys()].sort()) {
    const [folder = path, ...below] = path.split('/');
    if (below.length === 0 || path.startsWith(UNREACHED)) continue;
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  return folders;
}

function linesOf(path: string, sources: Sources): readonly string[] {
  return (sources.get(path) ?? '').split('\n');
}

/** Every kind of mutation is as likely as every other, however often it is possible. */
function choose(places: readonly Place[], random: Random, sources: Sources): Place | undefined {
  if (places.length === 0) return undefined;
  const kind = random.pick([...new Set(places.map(({ mutation }) => mutation))]);
  const place = random.pick(places.filter(({ mutation }) => mutation === kind));
  const [spot] = findPlace(place, sources);
  const isPossible = spot !== undefined && isProgram(mutate(sources.get(spot.path) ?? '', spot, place));
  return isPossible
    ? place
    : choose(
        places.filter((each) => each !== place),
        random,
        sources,
      );
}

/** The places of a file whose code stands nowhere else in `src`. */
function placesIn(path: string, sources: Sources, wanted: Partial<Place> = {}): readonly Place[] {
  const lines = linesOf(path, sources).map((line) => line.trim());
  return mutationsIn(path, sources.get(path) ?? '').flatMap(({ mutation, line: number, becomes }) => {
    const [before = '', line = '', after = ''] = ['', ...lines].slice(number - 1, number + 2);
    if (mutation !== (wanted.mutation ?? mutation) || line !== (wanted.line ?? line)) return [];
    const forms: readonly Place[] = [
      { mutation, line, becomes },
      { mutation, line, before, becomes },
      { mutation, line, before, after, becomes },
    ];
    // A short line may be written once more by a later change
    const lasting = line.length < 40 ? forms.slice(1) : forms;
    const clear = lasting.find((form) => findPlace(form, sources).length === 1);
    return clear === undefined ? [] : [clear];
  });
}
