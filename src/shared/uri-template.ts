import { parse } from '@hyperjump/uri-template';
import { matchChunks } from './match-chunks.ts';
import { unitsOfUri } from './uri-encoding.ts';
import {
  expressionPiece,
  literalPiece,
  type TemplateOperator,
  type TemplatePiece,
  type TemplateValues,
} from './uri-template-piece.ts';

/** A template of RFC 6570, levels 1 to 3: every variable is one text. */
export interface UriTemplate {
  readonly text: string;
  /** In order of appearance. */
  readonly variables: readonly string[];
  /** The decoded variables of a URI that fits as a whole; those that it leaves out are missing. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
  expand(variables: TemplateValues): string;
}

/** A literal has no operator. */
type Node =
  | { readonly operator: undefined; readonly text: string }
  | { readonly operator: TemplateOperator; readonly names: readonly string[] };

/**
 * Reads a template.
 *
 * @throws SyntaxError that says in one sentence why it is none, or why no URI could be matched with it.
 */
export function parseUriTemplate(text: string): UriTemplate {
  const nodes = joinForms(readNodes(text));
  const variables = nodes.flatMap((node) => (node.operator === undefined ? [] : node.names));
  const twice = variables.find((name, index) => variables.indexOf(name) !== index);
  if (twice !== undefined) throw new SyntaxError(`The variable "${twice}" stands in it twice.`);
  const pieces = nodes.map((node) =>
    node.operator === undefined ? literalPiece(node.text) : expressionPiece(node.operator, node.names),
  );
  return Object.freeze({
    text,
    variables: Object.freeze(variables),
    match: (uri: string) => matchPieces(pieces, uri),
    // The library's own expand() encodes the two halves of an emoji one by one
    expand: (values: TemplateValues) => pieces.map((piece) => piece.expand(values)).join(''),
  });
}

function readNodes(text: string): readonly Node[] {
  return parseText(text).map((node): Node => {
    if (node.type === 'literal') return { operator: undefined, text: node.value };
    for (const { name, explode, maxLength } of node.variables) {
      if (!explode && maxLength === undefined) continue;
      const modifier = explode ? '*' : `:${maxLength ?? ''}`;
      throw new SyntaxError(
        `"${name}${modifier}" stands for a list or the beginning of a value, but a variable is one whole text.`,
      );
    }
    return { operator: node.type, names: node.variables.map(({ name }) => name) };
  });
}

function parseText(text: string): ReturnType<typeof parse> {
  try {
    return parse(text.replace(/[\u{10000}-\u{10FFFF}]/gu, encodeURIComponent));
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new SyntaxError(reason.replace(/^Parse Error: /, '').replace(/\.?$/, '.'), { cause: error });
  }
}

/** Reads `{?a}{&b}` as `{?a,b}`, for named values come in any order. */
function joinForms(nodes: readonly Node[]): readonly Node[] {
  const joined: Node[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.operator === '&' && (last?.operator === '?' || last?.operator === '&')) {
      joined[joined.length - 1] = { operator: last.operator, names: [...last.names, ...node.names] };
    } else joined.push(node);
  }
  return joined;
}

function matchPieces(
  pieces: readonly TemplatePiece[],
  uri: string,
): Readonly<Record<string, string>> | undefined {
  try {
    const units = unitsOfUri(uri);
    // Encoded separators stay encoded until the URI has been taken apart
    const found = units === undefined ? undefined : matchChunks(pieces, units);
    if (found === undefined) return undefined;
    const values: [string, string][] = [];
    for (const piece of pieces) {
      const pairs = piece.read(found);
      if (pairs === undefined) return undefined;
      for (const [name, encoded] of pairs) values.push([name, decodeURIComponent(encoded)]);
    }
    return Object.freeze(Object.fromEntries(values));
  } catch (error) {
    // Triplets that are no UTF-8, or half an emoji
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
