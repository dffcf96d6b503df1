import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WordIndex, type WeightedText } from '../../../src/shared/search/word-index.ts';
import { tries } from '../../support/thorough.ts';

const TEXTS = [
  'invoices.create Create an invoice',
  'invoices.send Send an invoice to a customer',
  'notes.add Créer une note',
  'pulls.open 打开合并请求',
  'customers.find Find customers',
  'customers.merge Merge two customers',
];

function search(query: string, seen: readonly number[] = [...TEXTS.keys()]) {
  const index = new WordIndex(TEXTS.map((text) => [{ text, weight: 1 }]));
  return index.search(query, index.view(seen)).map(({ document }) => document);
}

describe('a search', () => {
  test.each([
    ['creer', [2]],
    ['créer', [2]],
    ['请求', [3]],
    ['invocie', [0, 1]],
    ['createInvoice', [0, 1, 2, 3]],
    ['send invoice', [1, 0]],
    ['cust', [4, 5, 1]],
    ['cust find', [4, 5, 1]],
    ['clos', []],
    ['what is the', []],
    ['nothing of it', []],
  ])('51: %s', (query, found) => {
    expect(search(query)).toEqual(found);
  });

  test('52: reads the first 200 characters', () => {
    expect(search(`${'x '.repeat(99)}merge`)).toEqual([]);
    expect(search(`${'x '.repeat(96)}merge`)).toEqual([5]);
  });

  test('finds shorter words that a word begins with, and the nearer one first', () => {
    const index = new WordIndex(['repo', 'change', 'chan', 'rep'].map((text) => [{ text, weight: 1 }]));
    const found = (query: string) =>
      index.search(query, index.view([0, 1, 2, 3])).map(({ document }) => document);
    expect(found('repository')).toEqual([0]);
    expect(found('changed')).toEqual([1, 2]);
  });

  test('finds other verbs for the same, after the verb itself', () => {
    const index = new WordIndex(
      ['Reply to a comment', 'Answer a comment', 'Lock it'].map((text) => [{ text, weight: 1 }]),
    );
    const found = (query: string) =>
      index.search(query, index.view([0, 1, 2])).map(({ document }) => document);
    expect(found('answer')).toEqual([1, 0]);
    expect(found('respond')).toEqual([0, 1]);
  });

  test('looks for a similar word only where the view has not the word itself', () => {
    const index = new WordIndex(
      [['parser'], ['parsed'], ['parsec']].map(([text = '']) => [{ text, weight: 1 }]),
    );
    const found = (seen: readonly number[]) =>
      index.search('parser', index.view(seen)).map(({ document }) => document);
    expect(found([0, 1, 2])).toEqual([0]);
    expect(found([2])).toEqual([2]);
  });

  test('counts words of heavier texts more, and equal documents in their order', () => {
    const texts = (name: string, text: string): readonly WeightedText[] => [
      { text: name, weight: 4 },
      { text, weight: 1 },
    ];
    const index = new WordIndex([texts('add', 'list'), texts('list', 'add'), texts('add', 'list')]);
    const found = index.search('list', index.view([0, 1, 2])).map(({ document }) => document);
    expect(found).toEqual([1, 0, 2]);
  });
});

const WORDS = [
  'invoice',
  'invoices',
  'invoke',
  'create',
  'created',
  'note',
  'notes',
  'customer',
  'custom',
  '请求书',
];
const textArbitrary = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '));
const documentArbitrary = fc.record({
  name: textArbitrary,
  text: textArbitrary,
  isSeen: fc.boolean(),
});

test('50: order and scores in a view are those of an index that has nothing else', () => {
  const queryArbitrary = fc.array(
    fc.constantFrom(...WORDS, 'invocie', 'inv', 'cust', 'creat', 'costumer', 'notse'),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(fc.array(documentArbitrary, { maxLength: 30 }), queryArbitrary, (documents, words) => {
      const textsOf = ({ name, text }: (typeof documents)[number]): readonly WeightedText[] => [
        { text: name, weight: 4 },
        { text, weight: 1 },
      ];
      const seen = [...documents.keys()].filter((place) => documents[place]?.isSeen === true);
      const all = new WordIndex(documents.map(textsOf));
      const own = new WordIndex(seen.map((place) => textsOf(documents[place] as (typeof documents)[number])));
      const query = words.join(' ');
      const expected = own.search(query, own.view(seen.keys()));
      expect(all.search(query, all.view(seen))).toEqual(
        expected.map(({ document, score }) => ({ document: seen[document], score })),
      );
    }),
    { numRuns: tries(200, 5000) },
  );
});
