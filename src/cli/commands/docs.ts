import { relative } from 'node:path';
import { McpApplication } from '../../index.ts';
import type { RunCommand } from '../command.ts';
import type { DocHit, DocLibrary } from '../docs/doc-library.ts';
import { DocsModule } from '../docs/docs-module.ts';
import { docsFolder, readLibrary } from '../docs/read-library.ts';
import { CliError, EXIT, type ExitCode } from '../output/cli-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { columns, wrap } from '../output/wrap.ts';
import { packageVersion } from '../package-version.ts';
import { Signals } from '../target/signals.ts';

interface DocsOptions {
  /** A page, a section of one, or an error code. */
  readonly read?: string;
}

/** Finds words in the documentation, or serves it to agents where nobody is at a terminal. */
export const run: RunCommand<DocsOptions> = async ({ values, options }, terminal) => {
  const query = values.join(' ').trim();
  if (options.read === undefined && query === '' && !terminal.isJson && terminal.stdin.isTTY !== true)
    return serveDocs(terminal);
  const library = readLibrary();
  if (options.read !== undefined) return readPage(library, options.read, terminal);
  if (query === '') return showIndex(library, terminal);
  return showHits(library, query, terminal);
};

/** Until the client closes stdin, or a signal comes. */
async function serveDocs(terminal: Terminal): Promise<ExitCode> {
  const signals = new Signals();
  const app = await McpApplication.create(DocsModule, { name: 'toolwright-docs', version: packageVersion() });
  try {
    const serving = await app.stdio({ signals: false });
    terminal.say('Serving the documentation over stdin and stdout. The end of stdin ends it.');
    const signal = await Promise.race([signals.received, serving.closed]);
    return signal === 'SIGINT' ? EXIT.interrupted : EXIT.done;
  } finally {
    await app.close();
    signals.release();
  }
}

const HIT_COUNT = 5;

function showHits(library: DocLibrary, query: string, terminal: Terminal): ExitCode {
  const hits = library.search(query, HIT_COUNT);
  const facts = hits.map(({ page, section, excerpt }) => ({
    id: section.id,
    title: section.title,
    page: page.title,
    file: locatePage(page.path),
    line: section.line,
    excerpt,
  }));
  terminal.give(facts, () =>
    hits.length === 0
      ? 'Nothing is found. `toolwright docs` at a terminal lists all pages.'
      : hits.map((hit) => hitText(hit, terminal)).join('\n\n'),
  );
  return EXIT.done;
}

function hitText({ page, section, excerpt }: DocHit, { paint, width }: Terminal): string {
  const title = section.level === 1 ? page.title : `${page.title}: ${section.title}`;
  const place = `${locatePage(page.path)}:${String(section.line)}`;
  return `${paint.bold(title)}\n${place}\n${wrap(`  ${excerpt}`, width)}`;
}

/** As editors open it. */
function locatePage(path: string): string {
  const folder = docsFolder();
  const near = relative(process.cwd(), folder);
  return `${near.startsWith('..') ? folder : near}/${path}`;
}

function readPage(library: DocLibrary, name: string, terminal: Terminal): ExitCode {
  const found = library.read(name);
  if (found === undefined) {
    throw new CliError(
      'TW_CLI_NAME',
      {
        where: 'The documentation',
        what: `has no page ${JSON.stringify(name)}.`,
        fix: `toolwright docs --read ${library.nearest(name).join(', or ')}`,
      },
      EXIT.refused,
    );
  }
  const { page, section, text } = found;
  const facts = {
    id: section.id,
    title: section.title,
    file: locatePage(page.path),
    line: section.line,
    text,
  };
  terminal.give(facts, () => text);
  return EXIT.done;
}

function showIndex(library: DocLibrary, terminal: Terminal): ExitCode {
  const listed = library.pages.filter(({ part }) => part !== '');
  const parts = new Set(listed.map(({ part }) => part));
  const pages = listed.map(({ path, title, summary, part }) => ({ path, title, summary, part }));
  terminal.give(pages, () =>
    [...parts]
      .map((name) => {
        const rows = listed
          .filter(({ part }) => part === name)
          .map(({ path, summary }) => [path, summary] as const);
        return `${terminal.paint.bold(name)}\n${columns(rows, terminal.width)}`;
      })
      .join('\n\n'),
  );
  terminal.say('\nFor a coding agent: toolwright install claude-code --docs');
  return EXIT.done;
}
