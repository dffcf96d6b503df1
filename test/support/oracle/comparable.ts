interface ErrorAnswer {
  readonly id: unknown;
  readonly error?: { readonly code: number; readonly data?: Readonly<Record<string, unknown>> };
}

/**
 * Errors that the protocol itself makes, of which the engine and the SDK agree in the code and the id, and each has
 * words of its own. What clients read by name in their data has to agree, too.
 */
const OWN_WORDS: Readonly<Record<number, readonly string[]>> = {
  // No message of the protocol
  [-32600]: [],
  // Method not found
  [-32601]: [],
  // Invalid params, of which the envelope is a part
  [-32602]: ['uri'],
  // The headers contradict the body
  [-32020]: [],
  // A revision that is not served
  [-32022]: ['supported', 'requested'],
};

/**
 * A message of a server, without what may differ between the engine and the SDK: the words of errors of the protocol,
 * a sealed state, which is another one each time, and the order of members.
 */
export function comparable(text: string): unknown {
  const message = JSON.parse(text.replaceAll(/"requestState":"[^"]*"/g, '"requestState":"…"')) as ErrorAnswer;
  const kept = message.error && OWN_WORDS[message.error.code];
  if (message.error === undefined || kept === undefined) return message;
  const { code, data = {} } = message.error;
  return { id: message.id, code, data: kept.map((name) => data[name]) };
}
