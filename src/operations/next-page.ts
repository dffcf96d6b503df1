import { isPlainObject } from '../shared/json.ts';
import { isBelow, joinUrl } from './http/base-url.ts';
import type { CompiledInput } from './inputs.ts';
import type { HttpAnswer, HttpRequest } from './operation.ts';

/** Members of answers that hold a mark of the next page, and the fields that take it. */
const MARKS: readonly (readonly [member: string, fields: readonly string[]])[] = [
  ['next_cursor', ['cursor', 'after']],
  ['nextCursor', ['cursor', 'after']],
  ['next_page_token', ['page_token', 'pageToken']],
  ['nextPageToken', ['pageToken', 'page_token']],
  ['next_page', ['page']],
  ['nextPage', ['page']],
];

/** What says how links become fields. */
interface PageFacts extends Pick<CompiledInput, 'targets'> {
  /** What the path of the request stands behind; undefined for an application of this process. */
  readonly baseUrl?: string | undefined;
}

/**
 * How a call asks for the next page, in the fields of its own action: `page=3`. Undefined where the answer names none,
 * or leads to another operation or host.
 */
export function nextPage(
  answer: HttpAnswer,
  value: unknown,
  request: HttpRequest,
  { targets, baseUrl }: PageFacts,
): string | undefined {
  const fieldFor = (name: string): string | undefined =>
    [...targets].find(([, places]) =>
      places.some((place) => place.in === 'query' && place.name === name),
    )?.[0];
  const link = linkIn(answer) ?? (isPlainObject(value) ? linkInBody(value) : undefined);
  if (link !== undefined) return fieldsOfLink(link, request, baseUrl, fieldFor);
  if (!isPlainObject(value)) return undefined;
  for (const [member, fields] of MARKS) {
    const mark = value[member];
    const field = fields.map(fieldFor).find((each) => each !== undefined);
    if (field !== undefined && isMark(mark)) return `${field}=${String(mark)}`;
  }
  return undefined;
}

function isMark(value: unknown): boolean {
  return (typeof value === 'string' && value !== '' && /^[^\s]+$/.test(value)) || Number.isSafeInteger(value);
}

const LINK = /<([^<>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s;,"]+))*)/g;
const RELATION = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i;

/** RFC 8288, as far as it is used for pages. */
function linkIn({ headers }: HttpAnswer): string | undefined {
  const text = [headers['link']].flat().join(',');
  for (const [, url, parameters = ''] of text.matchAll(LINK)) {
    const [, quoted, plain = ''] = RELATION.exec(parameters) ?? [];
    if ((quoted ?? plain).toLowerCase().split(/\s+/).includes('next')) return url;
  }
  return undefined;
}

function linkInBody({ next, links, _links: hal }: Readonly<Record<string, unknown>>): string | undefined {
  const inner = [links, hal].map((each) => (isPlainObject(each) ? each['next'] : undefined));
  const found = [next, ...inner].map((each) => (isPlainObject(each) ? each['href'] : each));
  return found.find((each) => typeof each === 'string' && /^(https?:\/)?\/|^\?/.test(each)) as
    | string
    | undefined;
}

function fieldsOfLink(
  link: string,
  { path, headers }: HttpRequest,
  baseUrl = `http://${headers['host'] ?? 'in.process'}`,
  fieldFor: (name: string) => string | undefined,
): string | undefined {
  const base = new URL(baseUrl);
  const sent = joinUrl(base, path);
  if (!URL.canParse(link, sent.href)) return undefined;
  const target = new URL(link, sent);
  if (!isBelow(base, target) || lastSegment(target) !== lastSegment(sent)) return undefined;
  const changed = [...target.searchParams].filter(([name, text]) => sent.searchParams.get(name) !== text);
  const named = changed.map(([name, text]) => [fieldFor(name), text] as const);
  if (named.length === 0 || named.some(([field, text]) => field === undefined || !isMark(text)))
    return undefined;
  return named.map(([field, text]) => `${String(field)}=${text}`).join(', ');
}

/** APIs lead to the same list under another path: GitHub to that of a repository by its number. */
function lastSegment({ pathname }: URL): string | undefined {
  return pathname.split('/').at(-1);
}
