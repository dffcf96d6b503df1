/** What a page is for. Guides come before the others where several fit. */
export type DocKind = 'guide' | 'reference' | 'error' | 'command';

/** A page of the documentation. */
export interface DocPage {
  /** Below `docs/`, with slashes: `guides/testing.md`. */
  readonly path: string;
  readonly title: string;
  /** One line about it; empty where the list of pages has none. */
  readonly summary: string;
  /** The part of the index that lists it; empty where none does. */
  readonly part: string;
  /** Other words for what is in it. */
  readonly also: string;
  readonly kind: DocKind;
  /** As it is in the file. */
  readonly text: string;
  /** From the title on, in the order of the page. */
  readonly sections: readonly DocSection[];
}

/** What stands below one heading, up to the next heading. */
export interface DocSection {
  /** The path of its page, then `#` and the anchor as GitHub makes it; the path alone for the first one. */
  readonly id: string;
  readonly title: string;
  /** 1 is the title of the page. */
  readonly level: number;
  /** The line of its heading, from 1. */
  readonly line: number;
  /** Without the heading. */
  readonly text: string;
}

/** Takes a page apart at its headings. What looks like one inside of a code block is none. */
export function readSections(path: string, text: string): readonly DocSection[] {
  const anchors = new Map<string, number>();
  const sections: DocSection[] = [];
  const lines = text.split('\n');
  let [title, level, line] = ['', 1, 1];
  let body: string[] = [];
  let isCode = false;
  const end = (): void => {
    if (title === '') return;
    const id = sections.length === 0 ? path : `${path}#${uniqueAnchor(title, anchors)}`;
    sections.push({ id, title: plainTitle(title), level, line, text: body.join('\n').trim() });
  };
  for (const [index, each] of lines.entries()) {
    if (each.startsWith('```')) isCode = !isCode;
    const [, marks = '', heading] = (!isCode && /^(#{1,6}) (.+)$/.exec(each)) || [];
    if (heading === undefined) {
      body.push(each);
      continue;
    }
    end();
    [title, level, line] = [heading, marks.length, index + 1];
    body = [];
  }
  end();
  return sections;
}

const LINK = /\[([^\]]*)\]\([^)]*\)/g;

function plainTitle(title: string): string {
  return title.replaceAll(LINK, '$1').replaceAll('`', '');
}

/** GitHub numbers headings that have the same anchor. */
function uniqueAnchor(title: string, known: Map<string, number>): string {
  const anchor = title
    .replaceAll(LINK, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const count = known.get(anchor) ?? 0;
  known.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${String(count)}`;
}

/** Code comes first, so that a comment in code stays. */
const COMMENT = /^```[^]*?^```|`[^`\n]+`|<!--[^]*?-->\n*/gm;

/** Markdown for a reader who pays for each character: without comments, and with tables that are not padded. */
export function squeezeMarkdown(text: string): string {
  return text
    .replaceAll(COMMENT, (found) => (found.startsWith('<!--') ? '' : found))
    .replaceAll(/^\|.*$/gm, (row) => row.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---'))
    .trim();
}

const MAX_EXCERPT_LENGTH = 240;
/** Characters before the word that was found. */
const MAX_LEAD_LENGTH = 100;

/** Up to 240 characters of a section, around the first of some words that it has. */
export function writeExcerpt(text: string, words: readonly string[]): string {
  const plain = squeezeMarkdown(text)
    .replaceAll(/^```[^]*?^```$/gm, ' ')
    .replaceAll(/^_Also called: .*_$/gm, ' ')
    .replaceAll(/^\|[ |:-]+\|$/gm, ' ')
    .replaceAll(LINK, '$1')
    .replaceAll(/[\s|]+/g, ' ')
    .trim();
  const lower = plain.toLowerCase();
  const found = words.map((word) => lower.indexOf(word)).filter((place) => place !== -1);
  const first = Math.min(plain.length, ...found);
  const sentence = first === plain.length ? 0 : plain.lastIndexOf('. ', first) + 1;
  const start = first - sentence > MAX_LEAD_LENGTH ? plain.indexOf(' ', first - MAX_LEAD_LENGTH) : sentence;
  const end = start + MAX_EXCERPT_LENGTH;
  if (plain.length <= end) return plain.slice(start).trim();
  return `${plain.slice(start, plain.lastIndexOf(' ', end)).trim()} …`;
}
