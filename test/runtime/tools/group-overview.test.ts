import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { loadTokenizer, type CountTokens } from 'toolwright/tokens';
import { writeOverview } from '../../../src/runtime/tools/group-overview.ts';
import { tries } from '../../support/thorough.ts';

let count: CountTokens;
beforeAll(async () => {
  count = await loadTokenizer();
});

const groupsOf = (...paths: readonly string[]) => paths.map((path) => ({ path, count: 2 }));

describe('an overview', () => {
  test('splits groups as far as they are few', () => {
    const paths = groupsOf('crm.customers.records', 'crm.customers.contacts', 'orders');
    expect(writeOverview(paths, () => '').structured).toEqual({
      groups: [
        { group: 'crm.customers.records', actions: 2 },
        { group: 'crm.customers.contacts', actions: 2 },
        { group: 'orders', actions: 2 },
      ],
      total: 6,
    });
    const many = Array.from({ length: 13 }, (_each, index) => `crm.area${String(index)}`);
    expect(writeOverview(groupsOf(...many), () => '').structured.groups).toEqual([
      { group: 'crm', actions: 26 },
    ]);
  });

  test('says less of each group before it leaves groups out', () => {
    const some = Array.from({ length: 20 }, (_each, index) => `area${String(index)}`);
    const text = `A sentence about it. ${'And many more words of another one. '.repeat(5)}`;
    const { structured } = writeOverview(groupsOf(...some), () => text);
    expect(structured.groups).toHaveLength(20);
    expect(structured.groups[0]).toMatchObject({ group: 'area0', actions: 2 });
    const most = Array.from({ length: 500 }, (_each, index) => `area${String(index)}`);
    const { text: shown, structured: data } = writeOverview(groupsOf(...most), () => text);
    expect(data.groups.every((group) => !('description' in group))).toBe(true);
    expect(data.total).toBe(1000);
    expect(shown).toContain(`${String(500 - data.groups.length)} more groups; find their actions by query.`);
  });

  test('48: has 500 tokens at most, however many groups there are and whatever is said of them', () => {
    const nameArbitrary = fc.stringMatching(/^[a-z_]{1,24}$/);
    const textArbitrary = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .array(fc.constantFrom('客户', '記録', '"quoted"', 'customers', 'ÄÖÜ', '🙂', '\\n'), {
          maxLength: 80,
        })
        .map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(nameArbitrary, textArbitrary), { maxLength: 120 }), (groups) => {
        const texts = new Map(groups);
        const { text, structured } = writeOverview(
          groupsOf(...texts.keys()),
          (path) => texts.get(path) ?? '',
        );
        expect(count(text)).toBeLessThanOrEqual(500);
        expect(count(JSON.stringify(structured))).toBeLessThanOrEqual(500);
      }),
      { numRuns: tries(50, 2000) },
    );
  });
});
