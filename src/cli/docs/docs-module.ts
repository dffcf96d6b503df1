import {
  Action,
  Complete,
  Inject,
  Injectable,
  Input,
  Module,
  OpenWorld,
  ReadOnly,
  Resource,
  ToolError,
  ToolGroup,
  type ListedResource,
} from '../../index.ts';
import { packageVersion } from '../package-version.ts';
import type { DocKind } from './doc-page.ts';
import { DocLibrary, type DocHit } from './doc-library.ts';
import { readLibrary } from './read-library.ts';

const KINDS: readonly DocKind[] = ['guide', 'reference', 'error', 'command'];
const DEFAULT_HIT_COUNT = 5;

// The bundle of the command has no emitted types, so each input names its schema
const SEARCH = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 2, maxLength: 200 },
    limit: { type: 'integer', minimum: 1, maximum: 10, default: DEFAULT_HIT_COUNT },
    kind: { enum: KINDS },
  },
  required: ['query'],
} as const;
const READ = {
  type: 'object',
  properties: {
    page: { type: 'string', maxLength: 200, description: 'page.md, page.md#section or an error code' },
  },
  required: ['page'],
} as const;

interface Search {
  readonly query: string;
  readonly limit: number;
  readonly kind?: DocKind;
}

/** Two flat tools, `docs_search` and `docs_read`. Each answer begins with the release that it is about. */
@ToolGroup({ name: 'docs', expose: 'flat' })
@OpenWorld(false)
export class DocsTools {
  constructor(@Inject(DocLibrary) private readonly library: DocLibrary) {}

  @Action('Search the documentation of Toolwright')
  @ReadOnly()
  search(@Input(SEARCH) { query, limit, kind }: Search): string {
    const hits = this.library.search(query, limit, kind);
    return `${release()}\n${hits.length === 0 ? this.#sayNothingFound() : hits.map(writeHit).join('\n')}`;
  }

  @Action('Read a page that docs_search found')
  @ReadOnly()
  read(@Input(READ) { page }: { readonly page: string }): string {
    const found = this.library.read(page);
    if (found === undefined) {
      const nearest = this.library.nearest(page);
      const message = `There is no page ${JSON.stringify(page)}. Near are ${nearest.join(', ')}`;
      throw new ToolError('DOCS_PAGE_UNKNOWN', message, { details: { nearest } });
    }
    return `${release()}, docs/${found.page.path}:${String(found.section.line)}\n\n${found.text}`;
  }

  #sayNothingFound(): string {
    const first = this.library.pages.slice(0, 3).map(({ path, title }) => `${path} (${title})`);
    return `Nothing is found. The index begins with ${first.join(', ')}; use other words, or leave kind out.`;
  }
}

/** The pages as they are in the package. */
@Injectable()
export class DocsResources {
  constructor(@Inject(DocLibrary) private readonly library: DocLibrary) {}

  @Resource('docs://{+path}', {
    mimeType: 'text/markdown',
    list: 'pages',
    description: 'A page about Toolwright',
  })
  page(@Input() { path = '' }: Readonly<Record<string, string>>): string | undefined {
    return this.library.page(path)?.text;
  }

  pages(): readonly ListedResource[] {
    return this.library.pages.map(({ path, title, summary }) => ({
      uri: `docs://${path}`,
      name: path,
      title,
      ...(summary === '' ? {} : { description: summary }),
    }));
  }

  @Complete('page', 'path')
  paths(value: string): readonly string[] {
    return this.library.pages.map(({ path }) => path).filter((path) => path.includes(value));
  }
}

/** The documentation of this release as a server. */
@Module({
  controllers: [DocsTools, DocsResources],
  providers: [{ provide: DocLibrary, useFactory: () => readLibrary() }],
})
export class DocsModule {}

function release(): string {
  return `Toolwright ${packageVersion()}`;
}

function writeHit({ page, section, excerpt }: DocHit): string {
  const title = section.level === 1 ? page.title : `${page.title}: ${section.title}`;
  return `${section.id} (line ${String(section.line)}) ${title}\n  ${excerpt}`;
}
