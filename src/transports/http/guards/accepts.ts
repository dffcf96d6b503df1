/** A part of a list with commas, or of a range with semicolons: they may stand in quotes, too (RFC 9110, 5.6.4). */
const LIST = /(?:"(?:[^"\\]|\\.)*"|[^",])+/gs;
const PARAMETERS = /(?:"(?:[^"\\]|\\.)*"|[^";])+/gs;
const WEIGHT = /^q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?)$/;
const ANY_WEIGHT = /^q\s*=/;
/** What all answers are written in. */
const UTF_8 = /^charset\s*=\s*"?utf-?8"?$/;

/**
 * Whether a header `Accept` accepts a media type in lower case: the most specific range that matches it decides, and a
 * weight of 0 refuses (RFC 9110, 12.5.1). Without the header everything is accepted.
 */
export function accepts(accept: string | null, mediaType: string): boolean {
  if (accept === null) return true;
  const matches = (accept.toLowerCase().match(LIST) ?? []).flatMap((range) => readRange(range, mediaType));
  const closest = Math.max(...matches.map(({ closeness }) => closeness));
  return matches.some(({ closeness, isAccepted }) => isAccepted && closeness === closest);
}

interface Match {
  /** The closer, the more specific. */
  readonly closeness: number;
  readonly isAccepted: boolean;
}

/** Nothing for a range that does not match, or whose weight is none. */
function readRange(text: string, mediaType: string): readonly Match[] {
  const [range = '', ...parameters] = (text.match(PARAMETERS) ?? []).map((part) => part.trim());
  const weight = weightOf(parameters);
  const closeness = closenessOf(range, parameters, mediaType);
  if (weight === undefined || closeness < 0) return [];
  // What else a range asks for is not in the answer: that is better than none, and cannot be refused by it
  return closeness === OTHER && weight === 0 ? [] : [{ closeness, isAccepted: weight > 0 }];
}

/** Of a range with parameters that no answer has. */
const OTHER = 2;

/** Below 0 where the range does not match. */
function closenessOf(range: string, parameters: readonly string[], mediaType: string): number {
  if (range === '*/*') return 0;
  if (range === `${mediaType.slice(0, mediaType.indexOf('/'))}/*`) return 1;
  if (range !== mediaType) return -1;
  return parameters.every((each) => UTF_8.test(each) || ANY_WEIGHT.test(each)) ? 3 : OTHER;
}

/** Undefined for a weight that is none. */
function weightOf(parameters: readonly string[]): number | undefined {
  const given = parameters.find((each) => ANY_WEIGHT.test(each));
  if (given === undefined) return 1;
  const [, weight] = WEIGHT.exec(given) ?? [];
  return weight === undefined ? undefined : Number(weight);
}
