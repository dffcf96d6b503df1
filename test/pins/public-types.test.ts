import { expect, test } from '@jest/globals';
import { hiddenTypes, entryNames } from './api/hidden-types.ts';

/**
 * Where users find the types that the signatures of an entry name: in the entry itself, or in these. Which one is
 * decided here, so that no entry names a type that its users would have to search for.
 */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  '.': ['./audit', './formats', './model'],
  './audit': [],
  './auth': ['.'],
  './model': [],
  './client': ['.', './model'],
  './opentelemetry': ['.'],
  './explorer': [],
  './apps': ['.'],
  './evals': ['.'],
  './formats': ['.'],
  './redis': ['.'],
  './postgres': ['.', './audit'],
  './register': [],
  './nest': ['.'],
  './openapi': ['.'],
  './proxy': ['.'],
  './sign-in': ['.', './auth'],
  './skills': ['.'],
  './stdio-guard': [],
  './version': ['.'],
  './vite': [],
  './testing': ['.', './audit'],
  './tokens': ['.'],
  './workflow': ['.', './formats'],
  './workflow/testing': ['.', './workflow'],
};

test('every entry has its companions here', () => {
  expect(entryNames()).toEqual(Object.keys(COMPANIONS).sort());
});

test.each(Object.entries(COMPANIONS))('every type that %s names is exported', (entry, companions) => {
  expect(hiddenTypes(entry, companions)).toEqual([]);
});

test('a type that is not exported is reported with the names whose signatures need it', () => {
  expect(hiddenTypes('./testing', [])).toContain('ToolContext, named by FakeToolContext');
});
