/** An answer that is complete before it is sent. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text in pieces, where it was written before. */
  readonly bytes?: readonly Uint8Array[];
}

/** What an HTTP request is answered with: a text, or a response of fetch, whose body may be a stream. */
export type HttpAnswer = PlainAnswer | Response;

export const JSON_TYPE = 'application/json';
const JSON_HEADERS: PlainAnswer['headers'] = Object.freeze({ 'content-type': JSON_TYPE });

export function jsonAnswer(
  text: string,
  status = 200,
  headers?: Readonly<Record<string, string>>,
): PlainAnswer {
  return { status, headers: jsonHeaders(headers), text };
}

/** @param others those that a response has beside its type */
export function jsonHeaders(others?: PlainAnswer['headers']): PlainAnswer['headers'] {
  return others === undefined ? JSON_HEADERS : { 'content-type': JSON_TYPE, ...others };
}

export function isPlainAnswer(answer: HttpAnswer): answer is PlainAnswer {
  return !('body' in answer);
}

export function toResponse(answer: HttpAnswer): Response {
  if (!isPlainAnswer(answer)) return answer;
  const { text, status, headers } = answer;
  return new Response(text, { status, headers });
}
