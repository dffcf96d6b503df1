import type { PlainObject } from '../shared/json.ts';

/** A question to the client, as it stands in a result. */
export interface InputRequest {
  readonly method: string;
  readonly params: PlainObject;
}

/** A result that asks for more before there is another one (spec 2026-07-28: basic/patterns/mrtr). */
export interface InputRequiredResult {
  readonly resultType: 'input_required';
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  readonly requestState?: string;
}
