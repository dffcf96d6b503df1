import { isSameJson } from '../../shared/canonical-json.ts';
import type { LockedSurface, Surface } from '../surface/surface.ts';
import { changeOf, type Change, type RuleName } from './changes.ts';

const OWN = 'own';

/**
 * What differs in what known clients get, beside what the differences of the tools themselves say. Nothing, where one side
 * does not say what they get: a lock file of the first version, or a server at a distance.
 */
export function compareByClient(before: Surface, after: Surface): readonly Change[] {
  const { surfaces: old, profiles: was = '' } = before;
  const { surfaces: now, profiles: is = '' } = after;
  if (old === undefined || now === undefined) return [];
  const kept = Object.keys(now).filter((key) => Object.hasOwn(old, key));
  return [
    ...kept.flatMap((key) => compareLists(key, [before, after])),
    ...compareClients(before, after),
    ...(was === '' || is === '' || was === is
      ? []
      : [changeOf('profiles-changed', '', 'clients', `it was ${was}, and is ${is}`)]),
  ];
}

/** A surface that was there and is. Where the tools changed, the difference of the tools says how. */
function compareLists(key: string, [before, after]: readonly [Surface, Surface]): readonly Change[] {
  const [was, is] = [before.surfaces?.[key], after.surfaces?.[key]] as [LockedSurface, LockedSurface];
  const [old, now] = [was, is].map(({ names, beside = {} }) => [...names, ...Object.keys(beside)]);
  const gone = (old ?? []).filter((name) => now?.includes(name) !== true);
  const fresh = (now ?? []).filter((name) => old?.includes(name) !== true);
  const hasSameNames = gone.length === 0 && fresh.length === 0;
  const isReworded = was.hash !== is.hash && isSameJson(before.tools, after.tools);
  const isOther = isReworded || !isSameJson(was.beside ?? {}, is.beside ?? {});
  return [
    ...gone.map((name) =>
      change(isRouted(name, after) ? 'surface-name-moved' : 'surface-name-removed', key, name),
    ),
    ...fresh.map((name) => change('surface-name-added', key, name)),
    ...(hasSameNames && isOther ? [change('surface-changed', key)] : []),
  ];
}

/** Clients that get another surface: those with the same change together. */
function compareClients(before: Surface, after: Surface): readonly Change[] {
  const [old, now] = [findKeys(before), findKeys(after)];
  const moved = new Map<string, { readonly from: string; readonly to: string; readonly clients: string[] }>();
  for (const client of [...new Set([...old.keys(), ...now.keys()])].sort()) {
    const [from, to] = [old.get(client) ?? OWN, now.get(client) ?? OWN];
    if (from === to) continue;
    const group = moved.get(`${from} ${to}`) ?? { from, to, clients: [] };
    group.clients.push(client);
    moved.set(`${from} ${to}`, group);
  }
  return [...moved.values()].flatMap(({ from, to, clients }) => {
    const lost = after.foreignNames === false ? namesOn(before, from) : [];
    const left = new Set(namesOn(after, to));
    return [
      change('client-surface-changed', to, undefined, `${clients.join(', ')} had "${from}"`),
      ...lost.filter((name) => !left.has(name)).map((name) => change('surface-name-removed', to, name)),
    ];
  });
}

/** Client → surface. */
function findKeys({ surfaces = {} }: Surface): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(surfaces).flatMap(([key, { clients }]) => clients.map((client) => [client, key] as const)),
  );
}

function namesOn({ tools, surfaces = {} }: Surface, key: string): readonly string[] {
  return surfaces[key]?.names ?? tools.map(({ name }) => name);
}

/** Whether a call finds the name on another surface. */
function isRouted(name: string, after: Surface): boolean {
  const { surfaces = {}, foreignNames = true } = after;
  return foreignNames && [OWN, ...Object.keys(surfaces)].some((key) => namesOn(after, key).includes(name));
}

function change(rule: RuleName, key: string, name?: string, detail?: string): Change {
  const place = `surface ${key}`;
  return changeOf(rule, place, name === undefined ? place : `${place}: ${name}`, detail);
}
