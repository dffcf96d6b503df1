import { membersOf, withoutUndefined } from '../../shared/json.ts';
import { findIdentityFaults, publishRemotes, type PublishedRemote } from '../../shared/server-identity.ts';
import type { FindingLevel } from '../output/levels.ts';
import { readText, type PackedProject } from './project.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
const MAX_ICON_URL = 255;

/** A bundle that can be downloaded. */
export interface PublishedBundle {
  readonly url: string;
  readonly sha256: string;
}

/** What the registry would not take, or what is good to know of it. */
export interface ListingFinding {
  readonly level: FindingLevel;
  readonly where: string;
  readonly what: string;
  readonly fix: string;
}

/** What the MCP registry is sent: `server.json`, schema of 2025-12-11. */
export interface ServerJson {
  readonly $schema: string;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly version: string | undefined;
  readonly title?: string;
  readonly websiteUrl?: string;
  readonly repository?: { readonly url: string; readonly source: string };
  readonly icons?: readonly object[];
  readonly packages?: readonly object[];
  readonly remotes?: readonly PublishedRemote[];
}

/** What the option `card` says comes first, then what package.json says. */
export function createServerJson(project: PackedProject, bundle?: PublishedBundle): ServerJson {
  const { manifest, created } = project;
  const { card, name, version, title, auth } = created.options;
  const identity =
    card === undefined
      ? readPackage(manifest)
      : { ...readPackage(manifest), ...withoutUndefined(card), name: card.name ?? name };
  return withoutUndefined({
    $schema: SCHEMA,
    name: identity.name,
    description: identity.description,
    version: version ?? readText(manifest, 'version'),
    title,
    websiteUrl: identity.websiteUrl,
    repository: identity.repository,
    icons: listIcons(project),
    packages: listPackages(project, bundle),
    remotes: publishRemotes(card?.remotes, auth),
  }) as ServerJson;
}

/** What package.json says of the server, under the names that npm has for it. */
function readPackage(
  manifest: PackedProject['manifest'],
): Pick<ServerJson, 'name' | 'description' | 'websiteUrl' | 'repository'> {
  return withoutUndefined({
    name: readText(manifest, 'mcpName'),
    description: readText(manifest, 'description'),
    websiteUrl: readText(manifest, 'homepage'),
    repository: readRepository(manifest['repository']),
  }) as ReturnType<typeof readPackage>;
}

/** The registry takes https URLs only. */
function listIcons({ created: { options } }: PackedProject): readonly object[] | undefined {
  const icons = options.icons?.filter(({ src }) => src.startsWith('https:') && src.length <= MAX_ICON_URL);
  return icons === undefined || icons.length === 0 ? undefined : icons;
}

function listPackages(
  project: PackedProject,
  bundle: PublishedBundle | undefined,
): readonly object[] | undefined {
  const packages = [
    ...(isPublishedPackage(project) ? [describePackage(project)] : []),
    ...(bundle === undefined ? [] : [describeBundle(bundle, project)]),
  ];
  return packages.length === 0 ? undefined : packages;
}

/** What is wrong with it, and where it differs from package.json, which the registry compares. */
export function findListingFaults(project: PackedProject, listing: ServerJson): readonly ListingFinding[] {
  const { manifest } = project;
  const version = readText(manifest, 'version');
  const mcpName = readText(manifest, 'mcpName');
  const faults = findIdentityFaults(listing).map(({ member, what, fix }) => ({
    ...({
      level: 'problem',
      where: `server.json, ${member}`,
      what,
      fix: `${nameSource(project, member)}: ${fix}`,
    } as const),
  }));
  const found: ListingFinding[] = [...faults];
  if (
    listing.name !== undefined &&
    listing.name !== mcpName &&
    (mcpName !== undefined || isPublishedPackage(project))
  )
    found.push({
      ...{ level: 'problem', where: 'package.json, mcpName' },
      what: `${mcpName === undefined ? 'is missing' : `is ${JSON.stringify(mcpName)}`}, and the server is called ${JSON.stringify(listing.name)}.`,
      fix: `"mcpName": ${JSON.stringify(listing.name)}`,
    });
  if (version !== undefined && version !== listing.version)
    found.push({
      ...{ level: 'problem', where: 'package.json, version' },
      what: `is ${JSON.stringify(version)}, and the application says ${JSON.stringify(listing.version)}.`,
      fix: 'the same version in both',
    });
  if (listing.packages === undefined && listing.remotes === undefined)
    found.push({
      ...{ level: 'advice', where: 'server.json' },
      what: 'names no package and no address, so that nobody could connect.',
      fix: '`card.remotes` or `auth.resource` for a server with an address; `bin` and no `private` in package.json for a package',
    });
  return found;
}

/** Where its author writes a member. */
function nameSource({ created: { options } }: PackedProject, member: string): string {
  if (member === 'title' || (member === 'version' && options.version !== undefined))
    return `the option ${member}`;
  if (member === 'version') return '"version" of package.json';
  if (options.card !== undefined || member.startsWith('remotes')) return `the option card.${member}`;
  const names: Readonly<Record<string, string>> = { name: 'mcpName', websiteUrl: 'homepage' };
  return `"${names[member] ?? member}" of package.json`;
}

/** A package that clients start by its name. */
function isPublishedPackage({ manifest }: PackedProject): boolean {
  return (
    manifest['private'] !== true && manifest['bin'] !== undefined && readText(manifest, 'name') !== undefined
  );
}

function describePackage(project: PackedProject): object {
  const { manifest } = project;
  return withoutUndefined({
    registryType: 'npm',
    identifier: readText(manifest, 'name'),
    version: readText(manifest, 'version'),
    transport: { type: 'stdio' },
    environmentVariables: describeEnvironment(project),
  });
}

function describeBundle({ url, sha256 }: PublishedBundle, project: PackedProject): object {
  return withoutUndefined({
    registryType: 'mcpb',
    identifier: url,
    fileSha256: sha256,
    transport: { type: 'stdio' },
    environmentVariables: describeEnvironment(project),
  });
}

function describeEnvironment({ created: { application } }: PackedProject): readonly object[] | undefined {
  const { variables } = application;
  if (variables.length === 0) return undefined;
  return variables.map(({ name, description, type, isRequired, isSecret }) =>
    withoutUndefined({ name, description, format: type, isRequired, isSecret }),
  );
}

const HOSTS: Readonly<Record<string, string>> = { 'github.com': 'github', 'gitlab.com': 'gitlab' };

/** As npm writes it, where it is of a host that the registry knows. */
function readRepository(given: unknown): ServerJson['repository'] {
  const { url = given, directory } = membersOf(given);
  const [, host = '', path = ''] =
    /^(?:git\+)?https:\/\/([\w.-]+)\/([\w./-]+?)(?:\.git)?\/?$/.exec(typeof url === 'string' ? url : '') ??
    [];
  const source = Object.hasOwn(HOSTS, host) ? HOSTS[host] : undefined;
  if (source === undefined) return undefined;
  const subfolder = typeof directory === 'string' ? { subfolder: directory } : {};
  return { url: `https://${host}/${path}`, source, ...subfolder };
}
