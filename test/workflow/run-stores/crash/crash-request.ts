import type { AppendRequest } from '../../../../src/workflow/application/ports/run-store.ts';
import type { RunEvent } from '../../../../src/workflow/domain/run/run-state.ts';
import { keyedRequest, sampleEvents } from '../../../../src/workflow/testing/conformance-case.ts';

const SIZES = [1, 2, 5];

function sizeOf(index: number): number {
  return SIZES[index % SIZES.length] ?? 1;
}

/** How many events the requests before one have. */
export function seqBefore(index: number): number {
  return Array.from({ length: index }, (_, earlier) => sizeOf(earlier)).reduce((sum, size) => sum + size, 0);
}

export function eventsUntil(index: number): readonly RunEvent[] {
  return sampleEvents(1, seqBefore(index));
}

/** The same for the process that is killed and for the one that looks what remains. */
export function crashRequest(runId: string, index: number): AppendRequest {
  const idempotencyKey = `request-${index}`;
  const expectedSeq = seqBefore(index);
  const seq = expectedSeq + sizeOf(index);
  return keyedRequest({
    runId,
    expectedSeq,
    count: sizeOf(index),
    idempotencyKey,
    requestHash: idempotencyKey,
    response: `response ${index}`,
    snapshot: { seq, state: `{"seq":${seq}}` },
  });
}
