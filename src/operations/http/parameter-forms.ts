import { ToolError } from '../../index.ts';

/** How the value of a parameter is written (OpenAPI 3.1, 4.8.12.2.1, Style Values). */
export interface ParameterForm {
  readonly style: ParameterStyle;
  /** Whether each item or member stands by itself. */
  readonly isExploded: boolean;
  /** Whether characters that separate the parts of a URL stay as they are. */
  readonly keepsReserved?: boolean;
  /** Whether `/` in a value of a path separates segments. */
  readonly isMultiSegment?: boolean;
  /** Whether the value is sent as JSON. */
  readonly isJson?: boolean;
}

export type ParameterStyle =
  | 'form'
  | 'simple'
  | 'label'
  | 'matrix'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject';

/** How the body of a request is written. */
export interface BodyForm {
  readonly kind: 'json' | 'form' | 'text' | 'multipart' | 'bytes';
  readonly mediaType: string;
  /** What is known of the parts of a body of several. */
  readonly parts?: readonly BodyPart[];
}

/** A part of a body of several. */
export interface BodyPart {
  readonly name: string;
  /** Whether its value is base64, and its bytes are sent. */
  readonly isFile: boolean;
  /** Default: JSON for an object, and none for other values. */
  readonly mediaType?: string;
}

/** How an operation writes its values. What is not named is written in the usual way. */
export interface RequestForms {
  /** By place and name: `query ids`. */
  readonly parameters?: ReadonlyMap<string, ParameterForm>;
  /** Default: JSON. */
  readonly body?: BodyForm;
  /** The name of a list in the query, by its name on the wire: `ids[]`. */
  readonly names?: ReadonlyMap<string, string>;
  /** The text for false in the query, by the name of the field. */
  readonly falseTexts?: ReadonlyMap<string, string>;
}

/** Encodes one text of a value. @throws ToolError for one that cannot be sent */
type Encode = (text: string) => string;

const PREFIXES: Partial<Record<ParameterStyle, string>> = { label: '.', matrix: ';' };
const PATH_GLUES: Partial<Record<ParameterStyle, string>> = { label: '.', matrix: ';' };
const QUERY_GLUES: Partial<Record<ParameterStyle, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** What stands in a path in the place of a value. */
export function writePathValue(name: string, given: unknown, form: ParameterForm, encode: Encode): string {
  const { style, isExploded, isJson = false } = form;
  const value = isJson ? JSON.stringify(given) : given;
  const pieces = writePieces(value, isExploded, encode);
  const glue = (isExploded ? PATH_GLUES[style] : undefined) ?? ',';
  const prefix = PREFIXES[style] ?? '';
  if (style !== 'matrix' || (isExploded && isMembers(value))) return `${prefix}${pieces.join(glue)}`;
  const isNamedEach = isExploded && Array.isArray(value);
  const named = isNamedEach ? pieces.map((piece) => `${name}=${piece}`) : [`${name}=${pieces.join(glue)}`];
  return `${prefix}${named.join(glue)}`;
}

/** The pairs of a query, encoded. An empty list has none. */
export function writeQueryValue(
  name: string,
  given: unknown,
  form: ParameterForm,
  { encode, encodeName }: { readonly encode: Encode; readonly encodeName: Encode },
): readonly string[] {
  const { style, isExploded, isJson = false } = form;
  const value = isJson ? JSON.stringify(given) : given;
  const pair = (key: string, text: string): string => `${encodeName(key)}=${text}`;
  if (isMembers(value) && style === 'deepObject') {
    return Object.entries(value).flatMap(([key, item]) =>
      [item].flat().map((each) => pair(`${name}[${key}]`, encode(scalarText(each)))),
    );
  }
  if (isExploded && Array.isArray(value)) return value.map((item) => pair(name, encode(scalarText(item))));
  if (isExploded && isMembers(value))
    return Object.entries(value).map(([key, item]) => pair(key, encode(scalarText(item))));
  const pieces = writePieces(value, false, encode);
  return pieces.length === 0 ? [] : [pair(name, pieces.join(QUERY_GLUES[style] ?? ','))];
}

/** The text of a header, or of a cookie. */
export function writeSimpleValue(given: unknown, { isExploded, isJson = false }: ParameterForm): string {
  if (isJson) return JSON.stringify(given);
  return writePieces(given, isExploded, (text) => text).join(',');
}

function writePieces(value: unknown, isExploded: boolean, encode: Encode): readonly string[] {
  if (Array.isArray(value)) return value.map((item) => encode(scalarText(item)));
  if (!isMembers(value)) return [encode(scalarText(value))];
  return Object.entries(value).flatMap(([key, item]) => {
    const texts = [encode(key), encode(scalarText(item))];
    return isExploded ? [texts.join('=')] : texts;
  });
}

function isMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function scalarText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function refusedValue(field: string, message: string): ToolError {
  return new ToolError('VALIDATION_FAILED', `${field}: ${message}`, {
    details: { issues: [{ path: field, message }] },
  });
}
