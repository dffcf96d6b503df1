import { expect, test } from '@jest/globals';
import {
  Annotations,
  createAnnotations,
  createIcon,
  createToolAnnotations,
  Icon,
  Role,
  ToolAnnotations,
} from 'toolwright/model';

test('every field of a value type is unset by default', () => {
  for (const value of [new ToolAnnotations(), new Annotations(), new Icon()]) {
    expect(Object.values(value).every((field) => field === undefined)).toBe(true);
  }
  expect(Object.keys(new ToolAnnotations())).toEqual([
    'title',
    'readOnlyHint',
    'destructiveHint',
    'idempotentHint',
    'openWorldHint',
    'returnDirect',
  ]);
  expect(Object.keys(new Annotations())).toEqual(['audience', 'priority', 'lastModified']);
  expect(Object.keys(new Icon())).toEqual(['src', 'mimeType', 'sizes', 'theme']);
});

test('annotations are constructed from audience, priority and lastModified in that order', () => {
  expect(new Annotations(['user'], 0.5, '2025-01-12T15:00:58Z')).toEqual({
    audience: ['user'],
    priority: 0.5,
    lastModified: '2025-01-12T15:00:58Z',
  });
});

test('the roles carry their wire values', () => {
  expect(Role).toEqual({ USER: 'user', ASSISTANT: 'assistant' });
});

test('the factories make instances with the given fields', () => {
  const annotations = createToolAnnotations({ title: 'T', destructiveHint: false, returnDirect: true });
  expect(annotations).toBeInstanceOf(ToolAnnotations);
  expect(annotations).toEqual({ title: 'T', destructiveHint: false, returnDirect: true });
  expect(createAnnotations({ priority: 0 })).toEqual(new Annotations(undefined, 0));
  expect(createIcon({ src: 'data:,' })).toBeInstanceOf(Icon);
});

test('changing the argument of a factory afterwards has no effect on what it made', () => {
  const hints = { readOnlyHint: true };
  const roles: Role[] = [Role.USER];
  const place = { audience: roles, priority: 1 };
  const sizes = ['48x48'];
  const image = { src: 'a.png', sizes };
  const made = [createToolAnnotations(hints), createAnnotations(place), createIcon(image)];
  hints.readOnlyHint = false;
  roles.push(Role.ASSISTANT);
  place.priority = 0;
  sizes.push('any');
  image.src = 'b.png';
  expect(made).toEqual([
    { readOnlyHint: true },
    { audience: ['user'], priority: 1 },
    { src: 'a.png', sizes: ['48x48'] },
  ]);
});
