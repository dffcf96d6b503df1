import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { ROOT } from '../pins/docs/example.ts';

/** Habits in names: how often each stands in `src`. */
export interface Habits {
  /** Functions and methods whose names end in `Of`: a verb says more of work, and a noun of a view. */
  readonly functionsOf: number;
  /** Constants that begin with MOST_, LONGEST_ and the like: MAX_ with its unit says the same. */
  readonly superlatives: number;
}

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
  };
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
