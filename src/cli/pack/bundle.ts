import { readFileSync, renameSync, rmSync } from 'node:fs';
import { membersOf, withoutUndefined, type PlainObject } from '../../shared/json.ts';
import { titleFromName } from '../../shared/names.ts';
import { readServer } from '../client-rules/read-server.ts';
import { CliError } from '../output/cli-error.ts';
import type { CreatedApplication } from '../target/entry-host.ts';
import type { BundleFile } from './bundle-files.ts';
import { findProgram, readText, type PackedProject } from './project.ts';
import type { ServerJson } from './server-json.ts';
import { ZipWriter, type WrittenZip } from './zip-writer.ts';

const MANIFEST = 'manifest.json';

/** The manifest of a bundle (MCPB, manifest_version 0.3). */
export function createBundleManifest(
  { manifest, created }: PackedProject,
  { name = '', title, version, description, websiteUrl, repository }: ServerJson,
  files: readonly BundleFile[],
): PlainObject {
  const program = findProgram(manifest) ?? '';
  const { tools, changesLists } = readServer(created);
  const node = readText(membersOf(manifest['engines']), 'node');
  const isNative = files.some((file) => file.name.endsWith('.node'));
  return withoutUndefined({
    manifest_version: '0.3',
    name: nameBundle(manifest),
    display_name: title,
    version,
    description,
    author: readAuthor(manifest['author']) ?? { name: name.replace(/\/.*/, '') },
    repository: repository && { type: 'git', url: repository.url },
    homepage: websiteUrl,
    license: readText(manifest, 'license'),
    server: {
      type: 'node',
      entry_point: program,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${program}`],
        ...nonEmpty(
          'env',
          created.application.variables.map((each) => [each.name, `\${user_config.${each.name}}`]),
        ),
      },
    },
    tools: tools.map((tool) => ({ name: tool.name, description: firstLine(tool.description ?? '') })),
    // What a caller may see is decided when it calls
    tools_generated: changesLists ? true : undefined,
    compatibility: {
      // Compiled code runs where it was installed
      ...(isNative && { platforms: [process.platform] }),
      runtimes: { node: node ?? '>=20' },
    },
    ...nonEmpty('user_config', created.application.variables.map(describeVariable)),
  });
}

/** The file is written beside, and takes its name when it is whole. @throws CliError where it cannot be written */
export function writeBundle(path: string, manifest: PlainObject, files: readonly BundleFile[]): WrittenZip {
  const part = `${path}.part`;
  let zip: ZipWriter | undefined;
  try {
    zip = new ZipWriter(part);
    zip.add(MANIFEST, Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`));
    for (const file of files) if (file.name !== MANIFEST) zip.add(file.name, readFileSync(file.path));
    const written = zip.end();
    renameSync(part, path);
    return written;
  } catch (cause) {
    zip?.close();
    rmSync(part, { force: true });
    throw new CliError('TW_CLI_PACK', {
      where: path,
      what: `cannot be written: ${(cause as Error).message}.`,
      fix: '-o with a folder in which you may write',
      cause,
    });
  }
}

/** The name of a package for files: without its scope. */
function nameBundle(manifest: PlainObject): string {
  return plainName((readText(manifest, 'name') ?? 'server').replace(/^@[^/]*\//, ''));
}

/** The name of its file. A version is any text, and a slash in one would name another folder. */
export function nameBundleFile(manifest: PlainObject, version = ''): string {
  return `${nameBundle(manifest)}-${plainName(version)}.mcpb`;
}

function plainName(text: string): string {
  return text.replaceAll(/[^\w.+-]/g, '-');
}

type Variable = CreatedApplication['application']['variables'][number];

/**
 * What a person is asked when they install the bundle. Hosts put nothing in the place of a variable without a value, so
 * that one which may be left out is an empty text, which counts as not set.
 */
function describeVariable({
  name,
  description,
  type,
  isRequired,
  isSecret,
}: Variable): readonly [string, object] {
  const title = titleFromName(name.toLowerCase());
  const value = isRequired ? { type, required: true } : { type: 'string', default: '' };
  return [name, { ...value, title, description: description ?? title, ...(isSecret && { sensitive: true }) }];
}

function nonEmpty(name: string, entries: readonly (readonly [string, unknown])[]): PlainObject {
  return entries.length === 0 ? {} : { [name]: Object.fromEntries(entries) };
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

/** As npm writes it: `Ann <ann@example.com> (https://example.com)`, or an object. */
function readAuthor(given: unknown): PlainObject | undefined {
  if (typeof given === 'string') {
    const [, name = '', email, url] = /^([^<(]*)(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?$/.exec(given) ?? [];
    return describeAuthor({ name: name.trim(), email, url });
  }
  return describeAuthor(membersOf(given));
}

/** The form refuses what is not an address, so that it is left out. */
function describeAuthor({ name, email, url }: PlainObject): PlainObject | undefined {
  if (typeof name !== 'string' || name === '') return undefined;
  return {
    name,
    ...(typeof email === 'string' && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && { email }),
    ...(typeof url === 'string' && URL.canParse(url) && { url }),
  };
}
