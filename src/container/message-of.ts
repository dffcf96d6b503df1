/** What a thrown value says of itself, for a sentence that goes on from there. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
