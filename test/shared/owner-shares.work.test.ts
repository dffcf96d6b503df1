import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OwnerShares } from '../../src/shared/owner-shares.ts';
import { Executions } from '../support/executions.ts';

const executions = new Executions('src/shared/owner-shares.ts');
beforeAll(() => executions.start());
afterAll(() => {
  executions.stop();
});

/** What it takes to put something of 1,000 new owners into a store that is full with one thing of each owner. */
function workOf(owners: number): Promise<number> {
  const shares = new OwnerShares<string>();
  const bounds = { total: owners, perOwner: 10 };
  const put = (owner: string): void => {
    shares.makeRoom(owner, 1, bounds, (item) => {
      shares.withdraw(item, item);
      shares.remove(item, 1);
    });
    shares.add(owner, 1);
    shares.offer(owner, owner);
  };
  for (let count = 0; count < owners; count += 1) put(`owner ${String(count)}`);
  return executions.during(() => {
    for (let count = 0; count < 1000; count += 1) put(`new ${String(count)}`);
  });
}

test('a full store makes room with nearly the same work, however many owners it has', async () => {
  const few = await workOf(1000);
  expect(few).toBeGreaterThan(10_000);
  expect(await workOf(20_000)).toBeLessThan(3 * few);
});
