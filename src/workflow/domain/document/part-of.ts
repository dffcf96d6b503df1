/** A part of a document with a language of its own, in which every fault has the same code. */
export type DocumentPart = 'condition' | 'criteria';

const PART =
  /^\/steps\/\d+(?:\/body\/\d+)?\/(?:(?:runCondition|requireConfirmation|loop\/condition)|(validationCriteria))(?:\/|$)/;

/** The part that a pointer leads into; undefined outside. */
export function partOf(path: string): DocumentPart | undefined {
  const match = PART.exec(path);
  if (match === null) return undefined;
  return match[1] === undefined ? 'condition' : 'criteria';
}
