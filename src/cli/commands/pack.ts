import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { createBundleManifest, nameBundleFile, writeBundle } from '../pack/bundle.ts';
import { listBundleFiles, type BundleFile } from '../pack/bundle-files.ts';
import { findProject, type PackedProject } from '../pack/project.ts';
import {
  createServerJson,
  findListingFaults,
  type ListingFinding,
  type PublishedBundle,
} from '../pack/server-json.ts';
import type { RunCommand } from '../command.ts';
import { CliError, EXIT } from '../output/cli-error.ts';
import { countFindings, sayFindings, type ShownFinding } from '../output/findings.ts';
import type { Terminal } from '../output/terminal.ts';
import { chooseEntry } from '../target/default-entry.ts';
import { loadEntry } from '../target/entry.ts';

interface PackOptions {
  readonly check?: boolean;
  readonly mcpb?: boolean;
  readonly bundleUrl?: string;
  readonly output?: string;
  readonly timeout?: number;
}

const SERVER_JSON = 'server.json';

/** Writes what is published of a server, or lists what would be refused. */
export const run: RunCommand<PackOptions> = async ({ values: [given], options }, terminal) => {
  checkBundleUrl(options);
  const { timeout } = options;
  const entry = await loadEntry(chooseEntry(given), { timeout, compilesOnly: true, waitsForServing: true });
  try {
    const project = findProject(entry.file, entry.created);
    if (project === undefined) throw noProject(entry.file);
    const findings = findListingFaults(project, createServerJson(project)).map(showFinding);
    const listing = resolve(options.output ?? project.folder, SERVER_JSON);
    const files =
      options.mcpb === true
        ? // It names the hash of the bundle, so it cannot be a part of it
          listBundleFiles(project).filter(({ path }) => path !== listing)
        : undefined;
    sayFindings(findings, terminal);
    const isSound = findings.every(({ level }) => level !== 'problem');
    if (options.check === true || !isSound) {
      report(findings, files, terminal);
      return isSound ? EXIT.done : EXIT.finding;
    }
    writeAll(project, files, options, terminal);
    return EXIT.done;
  } finally {
    await entry.close();
  }
};

/** The registry downloads the bundle, and takes no other URL (registry: validators/registries/mcpb.go). */
function checkBundleUrl({ bundleUrl: url, mcpb }: PackOptions): void {
  if (url === undefined) return;
  const isRight =
    url.toLowerCase().includes('mcp') && URL.canParse(url) && new URL(url).protocol === 'https:';
  if (isRight && mcpb === true) return;
  throw new CliError('TW_CLI_OPTION', {
    where: '--bundle-url',
    what: isRight ? 'is about a bundle, and none is written.' : 'is not an https URL with "mcp" in it.',
    fix: isRight
      ? '--mcpb with it'
      : '--bundle-url https://github.com/ann/notes-mcp/releases/download/v1.0.0/notes-1.0.0.mcpb',
  });
}

function noProject(file: string): CliError {
  return new CliError('TW_CLI_PACK', {
    where: file,
    what: 'is in no folder with a package.json that can be read.',
    fix: 'write one, with name, version and description',
  });
}

function showFinding(finding: ListingFinding): ShownFinding {
  return { code: 'TW_FOR_REGISTRY', ...finding };
}

function report(
  findings: readonly ShownFinding[],
  files: readonly BundleFile[] | undefined,
  terminal: Terminal,
): void {
  const bundle = files === undefined ? '' : ` The bundle: ${describeFiles(files)}.`;
  terminal.give(
    { findings, ...(files && { bundle: { files: files.length, bytes: sumBytes(files) } }) },
    () => `${SERVER_JSON}: ${countFindings(findings)}.${bundle}`,
  );
}

function writeAll(
  project: PackedProject,
  files: readonly BundleFile[] | undefined,
  { output, bundleUrl }: PackOptions,
  terminal: Terminal,
): void {
  const folder = output ?? project.folder;
  mkdirSync(folder, { recursive: true });
  const listing = createServerJson(project);
  let bundle: PublishedBundle | undefined;
  const written: object[] = [];
  const lines: string[] = [];
  if (files !== undefined) {
    const path = join(folder, nameBundleFile(project.manifest, listing.version));
    const { bytes, sha256 } = writeBundle(path, createBundleManifest(project, listing, files), files);
    written.push({ file: path, files: files.length, bytes, sha256 });
    lines.push(
      `Wrote ${shownPath(path)}: ${describeFiles(files)}; ${mebibytes(bytes)} packed, sha256 ${sha256}.`,
    );
    if (bundleUrl !== undefined) bundle = { url: bundleUrl, sha256 };
  }
  const path = join(folder, SERVER_JSON);
  writeFileSync(path, `${JSON.stringify(createServerJson(project, bundle), undefined, 2)}\n`);
  written.push({ file: path });
  lines.push(`Wrote ${shownPath(path)}: ${listing.name ?? ''} ${listing.version ?? ''}.`);
  terminal.give({ written }, () => lines.join('\n'));
}

function shownPath(path: string): string {
  return relative(process.cwd(), path);
}

function describeFiles(files: readonly BundleFile[]): string {
  return `${String(files.length)} files, ${mebibytes(sumBytes(files))}`;
}

function sumBytes(files: readonly BundleFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
