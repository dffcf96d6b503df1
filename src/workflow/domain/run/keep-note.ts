import type { RunDraft } from './run-draft.ts';

/** Every view has them, and so does every recorded response. */
const MOST_NOTES = 50;
const MOST_BYTES = 16 * 1024;

/** Adds a note, which is kept however long it is, and lets go of the oldest ones where they are too many. */
export function keepNote(draft: RunDraft, note: string): void {
  const { notes } = draft;
  notes.push(note);
  let bytes = notes.reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  while (notes.length > 1 && (notes.length > MOST_NOTES || bytes > MOST_BYTES)) {
    bytes -= Buffer.byteLength(notes.shift() ?? '');
    draft.olderNotes += 1;
  }
}
