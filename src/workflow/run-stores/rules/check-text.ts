import { WorkflowError } from '../../domain/errors/workflow-error.ts';

/** SQLite ends a text at U+0000, PostgreSQL refuses it, and neither gives half a surrogate pair back. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Refuses what not every database gives back byte for byte. JSON text that `JSON.stringify` made always passes. */
export function checkText(texts: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text] of Object.entries(texts)) {
    if (text === undefined || !UNSTORABLE.test(text)) continue;
    throw new WorkflowError('INVALID_PARAMS', {
      where: name,
      message: `${name} has U+0000 or half of a surrogate pair, which cannot be stored.`,
      details: { field: name },
    });
  }
}
