import { expect, test } from '@jest/globals';
import { Cancellation } from '../../../../src/call/call-context.ts';
import { unlessCancelled } from '../../../../src/transports/http/sessions/batch.ts';

const never = new Promise<string>(() => undefined);

/** One that counts its listeners. */
class Counting extends Cancellation {
  listeners = 0;

  override onCancel(listener: () => void): void {
    this.listeners += 1;
    super.onCancel(listener);
  }

  override offCancel(listener: () => void): void {
    this.listeners -= 1;
    super.offCancel(listener);
  }
}

test('gives the outcome of the promise and leaves no listener behind', async () => {
  const session = new Counting();
  expect(await unlessCancelled(Promise.resolve('value'), [session])).toBe('value');
  await expect(unlessCancelled(Promise.reject(new Error('no')), [session])).rejects.toThrow('no');
  expect(session.listeners).toBe(0);
});

test('gives up when any of them is cancelled, or was before', async () => {
  const cancellation = new Cancellation();
  const outcome = unlessCancelled(never, [new Cancellation(), cancellation]);
  cancellation.cancel();
  expect(await outcome).toBeUndefined();
  expect(await unlessCancelled(never, [cancellation])).toBeUndefined();
});
