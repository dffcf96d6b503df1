import { jsonRpcCodes, type JsonRpcFailure } from './json-rpc-error.ts';

/** A message that was read, or what is wrong with its bytes. */
export type MessageReading =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly failure: JsonRpcFailure };

/** Arguments of real tools stay far below; code that walks a value recursively stays far from its limit. */
export const MAXIMUM_DEPTH = 256;

const DECODER = new TextDecoder('utf-8', { fatal: true });

/** Reads one JSON text of any content; never throws. */
export function readMessage(bytes: Uint8Array): MessageReading {
  let text: string;
  try {
    text = DECODER.decode(bytes);
  } catch {
    return failed(jsonRpcCodes.parseError, 'Parse error: the message is not valid UTF-8');
  }
  if (hasManyBrackets(text) && isTooDeep(text)) {
    return failed(
      jsonRpcCodes.invalidRequest,
      `Invalid request: the message is nested deeper than ${String(MAXIMUM_DEPTH)} levels`,
    );
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return failed(
      jsonRpcCodes.parseError,
      `Parse error: ${error instanceof Error ? error.message : 'no JSON'}`,
    );
  }
}

function failed(code: number, message: string): MessageReading {
  return { ok: false, failure: { code, message } };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
// `[` and `{`, `]` and `}` differ in this bit only.
const CURLY = 0x20;
const OPENING = 0x5b;
const CLOSING = 0x5d;

/** There is a bracket for each level, and whether there are so many is found faster than how deep they go. */
function hasManyBrackets(text: string): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let place = text.indexOf(bracket); place !== -1; place = text.indexOf(bracket, place + 1)) {
      count += 1;
      if (count > MAXIMUM_DEPTH) return true;
    }
  }
  return false;
}

/** Looks at the text, so that nothing deep is ever built. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) {
      isInString = true;
    } else if ((code & ~CURLY) === OPENING) {
      depth += 1;
      if (depth > MAXIMUM_DEPTH) return true;
    } else if ((code & ~CURLY) === CLOSING) {
      depth -= 1;
    }
  }
  return false;
}
