import { nearestName } from '../../shared/did-you-mean.ts';
import { WordIndex, type IndexView, type WeightedText } from '../../shared/search/word-index.ts';
import { readWords } from '../../shared/search/words.ts';
import { squeezeMarkdown, writeExcerpt, type DocKind, type DocPage, type DocSection } from './doc-page.ts';

/** A section that was found. */
export interface DocHit {
  readonly page: DocPage;
  readonly section: DocSection;
  /** Up to 240 characters of it. */
  readonly excerpt: string;
}

/** A page or a section, as it is read. */
export interface DocReading {
  readonly page: DocPage;
  readonly section: DocSection;
  readonly text: string;
}

const WEIGHTS = { title: 5, also: 4, page: 2, body: 1 } as const;
const BOOSTS: Readonly<Record<DocKind, number>> = { guide: 2, command: 1.2, reference: 0.7, error: 0.7 };
/** Pages for contributors, and about details that few need. */
const OPTIONAL = 'Optional';
const OPTIONAL_BOOST = 0.6;

/** Characters of a reading: with the list of sections at most 3,500 tokens, also where it is all code. */
const MAX_READING_LENGTH = 10_000;
/** Characters of the text where a list of sections comes after it. */
const MAX_OPENING_LENGTH = 5000;
const MAX_LIST_LENGTH = 4500;

const NEAREST_COUNT = 3;

/**
 * The documentation, to search and to read. Pages and sections are looked up by their names in a map, and no name becomes a
 * path, so that nothing else can be read.
 */
export class DocLibrary {
  readonly pages: readonly DocPage[];
  readonly #byPath: ReadonlyMap<string, DocPage>;
  readonly #entries: readonly Omit<DocHit, 'excerpt'>[];
  /** By id, and by title where that is an error code. */
  readonly #byName = new Map<string, Omit<DocHit, 'excerpt'>>();
  /** Made for the first search. */
  #words: WordIndex | undefined;

  constructor(pages: readonly DocPage[]) {
    this.pages = pages;
    this.#byPath = new Map(pages.map((page) => [page.path, page]));
    this.#entries = pages.flatMap((page) => page.sections.map((section) => ({ page, section })));
    for (const entry of this.#entries) {
      this.#byName.set(entry.section.id, entry);
      if (entry.page.kind === 'error' && /^[A-Z_]+$/.test(entry.section.title))
        this.#byName.set(entry.section.title, entry);
    }
  }

  /** The page of a path; undefined where there is none. */
  page(path: string): DocPage | undefined {
    return this.#byPath.get(path);
  }

  /** The sections that fit best. One whose title is the query, letter by letter, comes first: an error code, a decorator. */
  search(query: string, count: number, kind?: DocKind): readonly DocHit[] {
    const words = (this.#words ??= new WordIndex(this.#entries.map(readTexts)));
    const wanted = readWords(query);
    const exact = plainName(query);
    return words
      .search(query, this.#view(words, kind))
      .map(({ document, score }) => {
        const entry = this.#entries[document] as Omit<DocHit, 'excerpt'>;
        const isNamed = plainName(entry.section.title) === exact;
        return { entry, score: isNamed ? Infinity : score * readBoost(entry.page) };
      })
      .sort((left, right) => (left.score === right.score ? 0 : right.score - left.score))
      .slice(0, count)
      .map(({ entry }) => ({ ...entry, excerpt: writeExcerpt(entry.section.text, wanted) }));
  }

  #view(words: WordIndex, kind: DocKind | undefined): IndexView {
    const seen = [...this.#entries.keys()].filter(
      (at) => kind === undefined || this.#entries[at]?.page.kind === kind,
    );
    return words.view(seen);
  }

  /**
   * A page, a section of it or what stands about an error code. What is long is its beginning and a list of its sections.
   * @param name `guides/testing.md`, `guides/testing.md#matchers`, or an error code
   * @returns undefined for a name that the documentation does not have
   */
  read(name: string): DocReading | undefined {
    const entry = this.#byName.get(name) ?? this.#byName.get(name.replace(/^(?:docs:\/\/|docs\/)/, ''));
    if (entry === undefined) return undefined;
    const { page, section } = entry;
    const inner = innerSections(page, section);
    const whole = [section, ...inner].map(writeSection).join('\n\n');
    const text = whole.length <= MAX_READING_LENGTH ? whole : shortenReading(section, inner);
    return { page, section, text };
  }

  /** Names that are near to one that there is not. */
  nearest(name: string): readonly string[] {
    const known = nearestName(name, this.#byName.keys());
    const found = this.search(name, NEAREST_COUNT).map(({ section }) => section.id);
    const first = this.pages.slice(0, NEAREST_COUNT).map(({ path }) => path);
    return [...new Set([...(known === undefined ? [] : [known]), ...found, ...first])].slice(
      0,
      NEAREST_COUNT,
    );
  }
}

function readTexts({ page, section }: Omit<DocHit, 'excerpt'>): readonly WeightedText[] {
  const isFirst = section.level === 1;
  const [, also = ''] = /^_Also called: (.*)_$/m.exec(section.text) ?? [];
  return [
    { text: section.title, weight: WEIGHTS.title },
    { text: also, weight: WEIGHTS.also },
    { text: isFirst ? `${page.summary} ${page.also}` : page.title, weight: WEIGHTS.page },
    { text: section.text, weight: WEIGHTS.body },
  ];
}

function readBoost({ kind, part }: DocPage): number {
  return part === OPTIONAL || part === '' ? OPTIONAL_BOOST : BOOSTS[kind];
}

/** A title without what is in parentheses: `@Field(options)` is looked for as `@Field`. */
function plainName(title: string): string {
  return title.replace(/\(.*$/, '').trim();
}

/** The sections that stand inside of one. */
function innerSections({ sections }: DocPage, outer: DocSection): readonly DocSection[] {
  const after = sections.slice(sections.indexOf(outer) + 1);
  const end = after.findIndex(({ level }) => level <= outer.level);
  return end === -1 ? after : after.slice(0, end);
}

function writeSection({ title, level, text }: DocSection): string {
  return `${'#'.repeat(level)} ${title}\n\n${squeezeMarkdown(text)}`.trim();
}

function shortenReading(section: DocSection, inner: readonly DocSection[]): string {
  const own = writeSection(section);
  const maximum = inner.length === 0 ? MAX_READING_LENGTH : MAX_OPENING_LENGTH;
  const opening = own.length <= maximum ? own : cutText(own, maximum, section);
  return inner.length === 0 ? opening : `${opening}\n\n${listSections(inner)}`;
}

/** Between two lines, so that no row of a table is in pieces. */
function cutText(text: string, maximum: number, { line }: DocSection): string {
  const kept = text.slice(0, text.lastIndexOf('\n', maximum));
  return `${kept}\n\n(Cut here. The whole section begins in line ${String(line)} of the file.)`;
}

function listSections(inner: readonly DocSection[]): string {
  const top = Math.min(...inner.map(({ level }) => level));
  const lines: string[] = [];
  let length = 0;
  const listed = inner.filter(({ level }) => level === top);
  for (const [at, section] of listed.entries()) {
    const next = listed[at + 1];
    const to = next === undefined ? inner.length : inner.indexOf(next);
    const size = inner.slice(inner.indexOf(section), to).reduce((sum, { text }) => sum + text.length, 0);
    const line = `- ${section.id.replace(/^.*#/, '#')} (${String(size)})`;
    length += line.length + 1;
    if (length > MAX_LIST_LENGTH) {
      lines.push(`- and ${String(listed.length - at)} more: search for them`);
      break;
    }
    lines.push(line);
  }
  return `Sections, with their characters; read them as page#section:\n${lines.join('\n')}`;
}
