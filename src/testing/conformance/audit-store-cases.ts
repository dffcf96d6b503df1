import assert from 'node:assert/strict';
import { auditHash, type AuditRecord, type AuditStore } from '../../audit/index.ts';
import type { ConformanceCase } from '../../shared/conformance-case.ts';
import { atOnce, portConformance, type MakePort, type PortCases } from './trial.ts';

/** A record of a chain; what it follows does not matter to a store. */
function recordOf(chain: string, seq: number, change = 'something'): AuditRecord {
  const sealed = {
    ...({ type: 'change', change } as const),
    ...{
      id: `${chain}-${String(seq)}`,
      time: new Date(0).toISOString(),
      chain,
      seq,
      previous: '0'.repeat(64),
    },
  };
  return { ...sealed, hash: auditHash(sealed) };
}

async function recordsOf(store: AuditStore): Promise<readonly AuditRecord[]> {
  const records: AuditRecord[] = [];
  for await (const text of store.read()) records.push(JSON.parse(text) as AuditRecord);
  return records;
}

const CASES: PortCases<AuditStore> = {
  async 'gives back records as they were, in the order in which they were stored'({ port, second }) {
    const records = [recordOf('b', 1), recordOf('b', 2), recordOf('a', 1, 'ä "\\ \u2028 \u0000 🎈')];
    await port.append(records.slice(0, 2));
    await port.append(records.slice(2));
    assert.deepEqual(await recordsOf(port), records);
    assert.deepEqual(await recordsOf(await second()), records);
  },
  async 'has no last record at first, and then the one that was stored last'({ port, second }) {
    assert.equal(await port.last(), undefined);
    assert.deepEqual(await recordsOf(port), []);
    await port.append([recordOf('a', 1), recordOf('a', 2)]);
    assert.deepEqual(JSON.parse((await port.last()) ?? ''), recordOf('a', 2));
    await port.append([recordOf('b', 1)]);
    assert.deepEqual(JSON.parse((await (await second()).last()) ?? ''), recordOf('b', 1));
  },
  async 'loses none of many records that are stored at once'(trial) {
    await atOnce(trial, (store, index) =>
      store.append([recordOf(`chain ${String(index)}`, 1), recordOf(`chain ${String(index)}`, 2)]),
    );
    const records = await recordsOf(trial.port);
    assert.equal(records.length, 40);
    for (let index = 0; index < 20; index += 1) {
      const ofChain = records.filter(({ chain }) => chain === `chain ${String(index)}`);
      assert.deepEqual(
        ofChain.map(({ seq }) => seq),
        [1, 2],
      );
    }
  },
  async 'keeps a large record'({ port }) {
    const large = recordOf('a', 1, 'x'.repeat(200_000));
    await port.append([large]);
    assert.deepEqual(JSON.parse((await port.last()) ?? ''), large);
  },
  async 'prunes one chain up to a number, if it prunes at all'({ port }) {
    if (port.prune === undefined) return;
    await port.append([1, 2, 3, 4].map((seq) => recordOf('a', seq)));
    await port.append([1, 2].map((seq) => recordOf('b', seq)));
    assert.equal(await port.prune('a', 3), 2);
    assert.equal(await port.prune('a', 3), 0);
    assert.deepEqual(
      (await recordsOf(port)).map(({ id }) => id),
      ['a-3', 'a-4', 'b-1', 'b-2'],
    );
    await port.append([recordOf('b', 3)]);
    assert.equal((await recordsOf(port)).length, 5);
  },
  async 'can be used again after it was closed'({ port }) {
    await port.append([recordOf('a', 1)]);
    await port.close?.();
    await port.append([recordOf('a', 2)]);
    assert.equal((await recordsOf(port)).length, 2);
  },
};

/**
 * What every `AuditStore` of `toolwright/audit` has to do, as cases for any test runner.
 *
 * @example
 * for (const { name, run } of auditStoreConformance(() => ({ port: new InMemoryAuditStore() }))) test(name, run);
 */
export function auditStoreConformance(make: MakePort<AuditStore>): readonly ConformanceCase[] {
  return portConformance(CASES, make);
}
