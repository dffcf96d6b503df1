import type { CheckedHead, RequestHead } from './check-head.ts';

const MAX_HEADS = 16;

/** Caches heads that have passed: most requests have the same head, and the guards would give the same result. */
export class KnownHeads {
  readonly #known: CheckedHead[] = [];

  find(given: RequestHead): CheckedHead | undefined {
    if (given.method !== 'POST') return undefined;
    for (const checked of this.#known) if (isSameHead(checked.head, given)) return checked;
    return undefined;
  }

  remember(checked: CheckedHead): void {
    if (checked.head.method !== 'POST' || checked.contentFault !== undefined) return;
    if (this.#known.length >= MAX_HEADS) this.#known.shift();
    this.#known.push(checked);
  }
}

/** Compared one by one without a loop, because engines optimize that best and every request needs it. */
function isSameHead(known: RequestHead, given: RequestHead): boolean {
  return (
    known.target === given.target &&
    known.host === given.host &&
    known.sentHost === given.sentHost &&
    known.origin === given.origin &&
    known.accept === given.accept &&
    known.contentType === given.contentType &&
    known.contentEncoding === given.contentEncoding &&
    known.transferEncoding === given.transferEncoding &&
    known.revision === given.revision &&
    known.isDecoded === given.isDecoded
  );
}
