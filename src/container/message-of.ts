import { thrownMessage } from '../call/thrown-message.ts';

/** What a thrown value says of itself, for a sentence that goes on from there. */
export function messageOf(thrown: unknown): string {
  return thrownMessage(thrown);
}
