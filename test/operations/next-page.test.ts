import { describe, expect, test } from '@jest/globals';
import { nextPage } from '../../src/operations/next-page.ts';
import { jsonAnswer } from './offer.ts';

const targets = new Map(['page', 'text', 'cursor'].map((name) => [name, [{ in: 'query' as const, name }]]));
const request = { method: 'GET', path: '/tasks?text=a&page=2', headers: {} };

function find(body: unknown, link?: string, baseUrl?: string): string | undefined {
  const answer = jsonAnswer(body);
  const headers = link === undefined ? answer.headers : { ...answer.headers, link };
  return nextPage({ ...answer, headers }, body, request, { targets, baseUrl });
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

  test.each([
    ['https://api.example/v1', '</v1/tasks?text=a&page=3>; rel="next"', 'page=3'],
    ['https://api.example/v1/', '<tasks?text=a&page=3>; rel="next"', 'page=3'],
    ['https://api.example/v1', '<https://API.example:443/v1/tasks?text=a&page=3>; rel="next"', 'page=3'],
    ['https://api.example', '<https://api.example/tasks?text=a&page=3>; rel="next"', 'page=3'],
    ['https://api.example/v1', '<https://api.example/v1/projects/7/tasks?page=3>; rel="next"', 'page=3'],
    ['https://api.example/v1', '</tasks?text=a&page=3>; rel="next"', undefined],
    ['https://api.example/v1', '</v1/../v2/tasks?page=3>; rel="next"', undefined],
    ['https://api.example/v1', '<https://in.process/v1/tasks?page=3>; rel="next"', undefined],
    ['https://api.example/v1', '<https://u@api.example/v1/tasks?page=3>; rel="next"', undefined],
  ])('below %s, by the header %s: %s', (baseUrl, link, wanted) => {
    expect(find([], link, baseUrl)).toBe(wanted);
  });

  test('below a base, by the body as well', () => {
    const next = 'https://api.example/v1/tasks?text=a&page=3';
    expect(find({ next }, undefined, 'https://api.example/v1')).toBe('page=3');
  });
});
