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

/**
 * Bytes of UTF-8. An entry of an index in PostgreSQL has 2704 at most, and several of these make one: tenant and run,
 * scope and key. A scope can be tenant and principal as JSON.
 */
const MOST_BYTES = {
  runId: 256,
  tenant: 256,
  principal: 1024,
  workflowId: 256,
  scope: 2048,
  key: 256,
  hash: 256,
  name: 256,
} as const;

export type Names = Readonly<Partial<Record<keyof typeof MOST_BYTES, string | undefined>>>;

/** Refuses names that not every database can keep in an index. @throws WorkflowError `INVALID_PARAMS` */
export function checkNames(names: Names): void {
  checkText(names);
  for (const [field, most] of Object.entries(MOST_BYTES)) {
    if (Buffer.byteLength(names[field as keyof Names] ?? '') <= most) continue;
    throw new WorkflowError('INVALID_PARAMS', {
      where: field,
      message: `${field} has more than ${most} bytes.`,
      details: { field },
    });
  }
}

/** Milliseconds: together with the time of now, they stay a number that every database keeps exactly. */
const LONGEST_LEASE = 2 ** 52;

/** @throws WorkflowError `INVALID_PARAMS` */
export function checkLease(runId: string, owner: string, ttl: number): void {
  checkNames({ runId });
  checkText({ owner });
  if (ttl > 0 && ttl <= LONGEST_LEASE) return;
  throw new WorkflowError('INVALID_PARAMS', {
    where: 'ttl',
    message: `ttl should be more than 0 and at most ${LONGEST_LEASE} milliseconds.`,
    details: { field: 'ttl' },
  });
}
