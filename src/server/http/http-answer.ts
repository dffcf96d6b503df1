/** An answer that is complete before it is sent. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What an HTTP request is answered with: a text, or a response of fetch, whose body may be a stream. */
export type HttpAnswer = PlainAnswer | Response;

export const JSON_TYPE = 'application/json';

export function jsonAnswer(
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): PlainAnswer {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, text };
}

export function isPlainAnswer(answer: HttpAnswer): answer is PlainAnswer {
  return 'text' in answer && typeof answer.text === 'string';
}

export function toResponse(answer: HttpAnswer): Response {
  if (!isPlainAnswer(answer)) return answer;
  const { text, status, headers } = answer;
  return new Response(text, { status, headers });
}
