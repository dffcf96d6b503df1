import assert from 'node:assert/strict';

/** Errors are told by their code, as another copy of the package throws another class. */
export async function rejectsWith(code: string, work: () => Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof Error && 'code' in error, `an error with a code, not ${String(error)}`);
    assert.equal(error.code, code);
    return true;
  });
}
