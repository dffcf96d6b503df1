/** Encodes all but unreserved characters. */
export function encodeAll(value: string): string {
  return encodeURIComponent(wellFormed(value)).replace(/[!'()*]/g, encodeCharacter);
}

/** Leaves reserved characters and percent-encoded triplets as they are (RFC 6570, 3.2.3). */
export function encodeKeepingReserved(value: string): string {
  return wellFormed(value).replace(/%(?![0-9A-Fa-f]{2})|[^%\w.~:/?#[\]@!$&'()*+,;=-]+/g, encodeURIComponent);
}

/** The characters and percent-encoded triplets of a text. */
export function unitsOf(text: string): readonly string[] {
  return upperCaseTriplets(text).match(/%[0-9A-F]{2}|[^%]|%/gu) ?? [];
}

/**
 * The units of a whole URI; undefined when it contains what no URI does.
 *
 * @throws URIError when it contains half an emoji.
 */
export function unitsOfUri(uri: string): readonly string[] | undefined {
  const units = unitsOf(uri.replace(/[^\0-\x7F]+/g, encodeURIComponent));
  return units.every((unit) => /^(?:%..|[!-$&-~])$/.test(unit)) ? units : undefined;
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Triplets mean the same in either case (RFC 3986, 6.2.2.1). */
function upperCaseTriplets(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase());
}

function wellFormed(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '\uFFFD');
}
