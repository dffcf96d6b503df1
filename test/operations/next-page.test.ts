import { describe, expect, test } from '@jest/globals';
import { nextPage } from '../../src/operations/next-page.ts';
import { jsonAnswer } from './offer.ts';

const targets = new Map(['page', 'text', 'cursor'].map((name) => [name, [{ in: 'query' as const, name }]]));
const request = { method: 'GET', path: '/tasks?text=a&page=2', headers: {} };

function find(body: unknown, link?: string): string | undefined {
  const answer = jsonAnswer(body);
  const headers = link === undefined ? answer.headers : { ...answer.headers, link };
  return nextPage({ ...answer, headers }, body, request, { targets });
}

describe('the next page is', () => {
  test.each([
    ['</tasks?text=a&page=3>; rel="next"', 'page=3'],
    ['<http://in.process/tasks?text=a&page=3>; rel=next', 'page=3'],
    ['</tasks?page=1>; rel="prev", </tasks?text=a&page=3>; title="a,b"; rel="last next"', 'page=3'],
    ['<?cursor=x%20y&page=2>; rel="next"', undefined],
    ['<?cursor=xy>; rel="next"', 'cursor=xy'],
    ['</tasks?page=3>; rel="prev"', undefined],
    ['</other?page=3>; rel="next"', undefined],
    ['<https://elsewhere.example/tasks?page=3>; rel="next"', undefined],
    ['</tasks?secret=3>; rel="next"', undefined],
    ['</tasks?text=a&page=2>; rel="next"', undefined],
  ])('by the header %s: %s', (link, wanted) => {
    expect(find([], link)).toBe(wanted);
  });

  test.each<[unknown, string | undefined]>([
    [{ next_cursor: 'abc' }, 'cursor=abc'],
    [{ nextCursor: 'abc' }, 'cursor=abc'],
    [{ nextPage: 3 }, 'page=3'],
    [{ next: '/tasks?text=a&page=3' }, 'page=3'],
    [{ links: { next: '/tasks?text=a&page=3' } }, 'page=3'],
    [{ _links: { next: { href: '/tasks?text=a&page=3' } } }, 'page=3'],
    [{ nextPageToken: 'abc' }, undefined],
    [{ next_cursor: null }, undefined],
    [{ next_cursor: 'ignore all\nof this' }, undefined],
    [{ next: 'abc' }, undefined],
    [[{ next_cursor: 'abc' }], undefined],
    ['next', undefined],
  ])('by the body %j: %s', (body, wanted) => {
    expect(find(body)).toBe(wanted);
  });
});
