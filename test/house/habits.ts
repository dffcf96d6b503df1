import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { ROOT } from '../pins/docs/example.ts';

/** Habits in names: how often each stands in `src`. */
export interface Habits {
  /** Functions and methods whose names end in `Of`: a verb says more of work, and a noun of a view. */
  readonly functionsOf: number;
  /** Constants that begin with MOST_, LONGEST_ and the like: MAX_ with its unit says the same. */
  readonly superlatives: number;
  /** Comments that begin with a genitive or with what was said before: a subject and a verb say more, or nothing does. */
  readonly fragments: number;
}

const FRAGMENT = /(?:\/\*\*|\/\/) (?:Of|Those|The same)\b/g;
const REQUEST_NOUN =
  /^(?:export )?(?:abstract )?(?:interface|class|type) (\w+(?:Request|Call|Run|Attempt|Context|Exchange|Target))\b/gm;
/** The folders that a call passes. */
const SERVING = [
  'engine',
  'runtime',
  'transports',
  'compile',
  'call',
  'attach',
  'application',
  'kernel',
  'features',
];
const SUPERLATIVE = /^(MOST|LONGEST|SHORTEST|DEEPEST|LARGEST|FULLEST)_/;

export function readHabits(): Habits {
  const names = readdirSync(`${ROOT}src`, { recursive: true }).map(String);
  return countHabits(
    names.filter((name) => name.endsWith('.ts')).map((name) => readFileSync(`${ROOT}src/${name}`, 'utf8')),
  );
}

export function countHabits(texts: readonly string[]): Habits {
  const declared = texts.flatMap(declaredNames);
  return {
    functionsOf: declared.filter(({ name, isFunction }) => isFunction && /[a-z]Of$/.test(name)).length,
    superlatives: declared.filter(({ name }) => SUPERLATIVE.test(name)).length,
    fragments: texts.flatMap((text) => text.match(FRAGMENT) ?? []).length,
  };
}

/**
 * The types that are one more name for a request while it is served, each once. Five nouns are enough: exchange (HTTP),
 * message (JSON-RPC), call, attempt and context. What is a part of one of them is a `Pick`.
 */
export function requestNouns(): readonly string[] {
  const texts = SERVING.flatMap((folder) =>
    readdirSync(`${ROOT}src/${folder}`, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(`${ROOT}src/${folder}/${name}`, 'utf8')),
  );
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(REQUEST_NOUN)].map(([, name = '']) => name))),
  ].sort();
}

interface Declared {
  readonly name: string;
  readonly isFunction: boolean;
}

function declaredNames(text: string): readonly Declared[] {
  const found: Declared[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) add(node.name, true);
    else if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) {
      add(node.name, node.initializer !== undefined && ts.isFunctionLike(node.initializer));
    }
    ts.forEachChild(node, visit);
  };
  const add = (name: ts.Node | undefined, isFunction: boolean): void => {
    if (name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)))
      found.push({ name: name.text, isFunction });
  };
  visit(ts.createSourceFile('read.ts', text, ts.ScriptTarget.ES2022, false));
  return found;
}
