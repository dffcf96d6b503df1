import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { check } from '../../version/index.ts';
import { isObject, type PlainObject } from '../../shared/json.ts';
import { manifestsAbove, readManifest } from '../manifest.ts';
import { installLine } from '../package-source.ts';
import { packageManifest, packageRoot } from '../package-version.ts';
import type { Finding, Project } from './finding.ts';

/** An installed package. */
interface Copy {
  readonly folder: string;
  readonly version: string;
}

/** The version of Node that runs. */
export function examineNode(version = process.versions.node): Finding {
  const about = 'Node';
  const { node } = packageManifest().engines;
  if (!check(node, version, { includePrerelease: true })) {
    return { about, state: 'problem', found: `${version}; toolwright needs ${node}`, fix: 'install Node 24' };
  }
  if (Number.parseInt(version) < 22) {
    const found = `${version}, which has had no security updates since April 2026`;
    return { about, state: 'advice', found, fix: 'install Node 24' };
  }
  return { about, state: 'ok', found: version };
}

/** The package itself, and those that an application shares with it. */
export function examinePackages({ folder }: Project): readonly Finding[] {
  return [
    examineOwn(folder),
    examineShared('class-validator', folder, 'advice'),
    // Each copy keeps what decorators say to itself
    examineShared('class-transformer', folder, 'problem'),
    examineShared('tsyringe', folder, 'advice'),
  ];
}

function examineOwn(folder: string): Finding {
  const about = 'toolwright';
  const { version } = packageManifest();
  const copy = findCopy('toolwright', folder);
  if (copy === undefined) {
    const found = `cannot be imported in ${folder}`;
    return { about, state: 'problem', found, fix: installLine() };
  }
  if (copy.folder === realpathSync(packageRoot())) return { about, state: 'ok', found: version };
  const found = `this command is ${version} in ${packageRoot()}, and the project has ${copy.version} in ${copy.folder}`;
  const state = copy.version === version ? 'advice' : 'problem';
  return { about, state, found, fix: 'run the one of the project: npx toolwright doctor' };
}

function examineShared(name: string, folder: string, several: 'advice' | 'problem'): Finding {
  const copies = copiesOf(name, folder);
  const [first] = copies;
  const range = packageManifest().peerDependencies[name];
  if (first === undefined || (range !== undefined && findCopy(name, folder) === undefined)) {
    const isOptional = range === undefined;
    return {
      about: name,
      state: isOptional ? 'advice' : 'problem',
      found: 'is not installed',
      fix: `npm install ${name}`,
    };
  }
  const unfit = copies.find(({ version }) => range !== undefined && !check(range, version));
  if (range !== undefined && unfit !== undefined) {
    const found = `${unfit.version} in ${unfit.folder}; toolwright needs ${range}`;
    return { about: name, state: 'problem', found, fix: `npm install '${name}@${range}'` };
  }
  if (copies.length === 1) return { about: name, state: 'ok', found: first.version };
  const places = copies.map(({ version, folder: place }) => `${version} in ${place}`);
  const found = `is there ${String(copies.length)} times: ${places.join(', ')}`;
  return { about: name, state: several, found, fix: 'npm dedupe, or the same range in every package.json' };
}

/** The copies that the project, this package and the project's dependencies use. */
function copiesOf(name: string, folder: string): readonly Copy[] {
  const own = findCopy('toolwright', folder)?.folder ?? packageRoot();
  const dependencies = dependenciesOf(folder)
    .flatMap((each) => findCopy(each, folder)?.folder ?? [])
    .filter((place) => isUsedBy(readManifest(place), name));
  const found = [folder, own, ...dependencies].flatMap((place) => findCopy(name, place) ?? []);
  return [...new Map(found.map((copy) => [copy.folder, copy])).values()];
}

function isUsedBy(manifest: PlainObject | undefined, name: string): boolean {
  const { dependencies, peerDependencies } = manifest ?? {};
  return [dependencies, peerDependencies].some((names) => isObject(names) && Object.hasOwn(names, name));
}

/** By the folders that Node looks into; a package need not export its package.json. */
function findCopy(name: string, from: string): Copy | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    const version = versionIn(place);
    if (version !== undefined) return { folder: realpathSync(place), version };
    // A package finds itself by its name
    if (readManifest(folder)?.['name'] === name && name === 'toolwright')
      return { folder: realpathSync(folder), version: versionIn(folder) ?? '' };
    if (folder === dirname(folder)) return undefined;
  }
}

function versionIn(folder: string): string | undefined {
  const version = readManifest(folder)?.['version'];
  return typeof version === 'string' && /^\d+\.\d+\.\d/.test(version) ? version : undefined;
}

function dependenciesOf(folder: string): readonly string[] {
  const [nearest] = manifestsAbove(folder);
  return Object.keys(nearest?.manifest['dependencies'] ?? {});
}
