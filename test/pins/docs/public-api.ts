import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { ROOT, type Example } from './example.ts';

/** An export of a public entry: its name, and whether it exists at run time. */
export interface PublicName {
  readonly name: string;
  readonly isType: boolean;
  /** Relative to the root; undefined for what comes from elsewhere. */
  readonly file: string | undefined;
}

/** Imported for what they do: they have no names. */
export const NAMELESS_ENTRIES: readonly string[] = ['src/stdio-guard/index.ts', 'src/loader/register.ts'];

/** The modules behind the entries of the package that have names, `src/index.ts` first. */
export function publicEntries(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly default?: string }>>;
  };
  return Object.values(exports)
    .flatMap((entry) => /^\.\/dist\/(.+)\.js$/.exec(entry.default ?? '')?.[1] ?? [])
    .map((name) => `src/${name}.ts`)
    .filter((entry) => !NAMELESS_ENTRIES.includes(entry));
}

/** What one entry exports. */
export function publicNames(program: ts.Program, entry: string): readonly PublicName[] {
  return exportsOf(program, entry).map((symbol) => {
    const { flags, declarations = [] } = resolve(program, symbol);
    return {
      name: symbol.name,
      isType: (flags & ts.SymbolFlags.Value) === 0,
      file: declarations[0]?.getSourceFile().fileName.replace(ROOT, ''),
    };
  });
}

/** The `@example` of every exported symbol and of its members. */
export function jsDocExamples(program: ts.Program): readonly Example[] {
  const declarations = new Set(
    publicEntries()
      .flatMap((entry) => exportsOf(program, entry))
      .flatMap((symbol) => resolve(program, symbol).declarations ?? []),
  );
  return [...declarations].flatMap(examplesIn);
}

/** The comments of an entry's exports and of their members, by `Name` and `Name.member`. */
export function publicComments(program: ts.Program, entry: string): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  const collect = (name: string, node: ts.Node): void => {
    if (isLeftOut(node)) return;
    const own = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
    const text = own.map((comment) => comment.getText().replace(/\s+/g, ' ')).join('\n');
    if (text !== '') comments.set(name, text);
    if (!ts.isClassLike(node) && !ts.isInterfaceDeclaration(node)) return;
    for (const member of node.members) {
      if (member.name !== undefined && ts.isPrivateIdentifier(member.name)) continue;
      collect(`${name}.${member.name?.getText() ?? 'constructor'}`, member);
    }
  };
  for (const symbol of exportsOf(program, entry)) {
    for (const declaration of resolve(program, symbol).declarations ?? []) collect(symbol.name, declaration);
  }
  return comments;
}

/** Declarations have neither internal members nor, where there are overloads, what implements them. */
function isLeftOut(node: ts.Node): boolean {
  if (ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal')) return true;
  const { parent } = node;
  if (!ts.isConstructorDeclaration(node) || !ts.isClassLike(parent)) return false;
  return node.body !== undefined && parent.members.filter(ts.isConstructorDeclaration).length > 1;
}

function exportsOf(program: ts.Program, entry: string): readonly ts.Symbol[] {
  const source = program.getSourceFile(`${ROOT}${entry}`);
  const checker = program.getTypeChecker();
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${entry} is not a module of the program`);
  return checker.getExportsOfModule(module);
}

function resolve(program: ts.Program, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? program.getTypeChecker().getAliasedSymbol(symbol) : symbol;
}

function examplesIn(node: ts.Node): readonly Example[] {
  const source = node.getSourceFile();
  const file = source.fileName.replace(ROOT, '');
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const own = comments.flatMap((comment) => examplesOf(comment.getText(source)).map(place(comment)));
  const members = ts.isClassLike(node) || ts.isInterfaceDeclaration(node) ? node.members : [];
  return [...own, ...[...members].flatMap(examplesIn)];

  function place(comment: ts.JSDoc) {
    return ({ text, line }: Pick<Example, 'text' | 'line'>): Example => ({
      file,
      line: line + source.getLineAndCharacterOfPosition(comment.getStart(source)).line + 1,
      text,
    });
  }
}

const TAG = /^@(param|returns|throws|see|deprecated|example)\b/;

/** From the raw text: TypeScript takes the decorators of an example for tags of their own. */
function examplesOf(comment: string): readonly Pick<Example, 'text' | 'line'>[] {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*(\/\*\*|\*\/|\*) ?/, ''));
  return lines.flatMap((line, index) => {
    if (!line.startsWith('@example')) return [];
    const rest = lines.slice(index + 1);
    const end = rest.findIndex((each) => TAG.test(each));
    return [{ line: index + 1, text: rest.slice(0, end === -1 ? undefined : end).join('\n') }];
  });
}
