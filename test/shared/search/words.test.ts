import { describe, expect, test } from '@jest/globals';
import { isOneEdit, readWords } from '../../../src/shared/search/words.ts';

describe('the words of a text', () => {
  test.each([
    ['createInvoice', ['create', 'invoice', 'createinvoice']],
    ['HTTPServer_logs-v2.list', ['http', 'server', 'httpserver', 'log', 'v', '2', 'list']],
    ['créer une Facture', ['creer', 'une', 'facture']],
    ['请求 レビュー 요청', ['请求', 'レヒ', 'ヒュ', 'ュー', '요청']],
    ['人', ['人']],
    [
      'branches, boxes, queries, class, status, houses',
      ['branch', 'box', 'query', 'class', 'status', 'house'],
    ],
    ['What is the list of all my customers, please?', ['list', 'customer']],
    ['der Größe', ['der', 'große']],
    ['', []],
  ])('%s', (text, words) => {
    expect(readWords(text)).toEqual(words);
  });
});

describe('one edit', () => {
  test.each([
    ['invocie', 'invoice', true],
    ['invoce', 'invoice', true],
    ['invoicee', 'invoice', true],
    ['invoyce', 'invoice', true],
    ['anvoice', 'invoice', true],
    ['invoce', 'invoyces', false],
    ['nivocie', 'invoice', false],
    ['inv', 'invoice', false],
  ])('%s and %s: %s', (left, right, isAlike) => {
    expect(isOneEdit(left, right)).toBe(isAlike);
    expect(isOneEdit(right, left)).toBe(isAlike);
  });
});
