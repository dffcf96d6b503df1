import ts from 'typescript';
import { readText, ROOT } from '../docs/example.ts';

const ENTRIES = typesOfEntries();

let made: { readonly program: ts.Program; readonly checker: ts.TypeChecker } | undefined;

/** The entries of the package that have types. */
export function entryNames(): readonly string[] {
  return [...ENTRIES.keys()].sort();
}

/** The types that the public signatures of an entry name, and that neither it nor its companions export. */
export function hiddenTypes(entry: string, companions: readonly string[]): readonly string[] {
  const own = exportsOf(entry);
  const known = new Set([entry, ...companions].flatMap((name) => [...exportsOf(name).keys()]));
  const owners = new Map<string, Set<string>>();
  for (const [symbol, name] of own) {
    for (const declaration of symbol.declarations ?? []) {
      for (const type of namedTypes(declaration)) {
        if (known.has(type)) continue;
        owners.set(type.name, (owners.get(type.name) ?? new Set()).add(name));
      }
    }
  }
  return [...owners].map(([type, names]) => `${type}, named by ${[...names].join(' and ')}`).sort();
}

/** The package's own types that a declaration names, without those that it declares itself. */
function namedTypes(declaration: ts.Declaration): readonly ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    if (isPrivate(node)) return;
    // The compiler works it out: users see its result, and never write its parts
    if (ts.isConditionalTypeNode(node) && ts.isTypeAliasDeclaration(node.parent)) return;
    const symbol = symbolNamedBy(node);
    if (symbol !== undefined && isOwnType(symbol)) found.push(symbol);
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return found;
}

function symbolNamedBy(node: ts.Node): ts.Symbol | undefined {
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isExpressionWithTypeArguments(node)
      ? node.expression
      : ts.isImportTypeNode(node)
        ? node.qualifier
        : undefined;
  const symbol = name && compiled().checker.getSymbolAtLocation(name);
  return symbol && resolved(symbol);
}

function isOwnType({ flags, declarations = [] }: ts.Symbol): boolean {
  const isParameter = (flags & ts.SymbolFlags.TypeParameter) !== 0;
  return (
    !isParameter && declarations.some((each) => each.getSourceFile().fileName.startsWith(`${ROOT}dist/`))
  );
}

function isPrivate(node: ts.Node): boolean {
  if (!ts.isClassElement(node)) return false;
  const isHash = node.name !== undefined && ts.isPrivateIdentifier(node.name);
  return isHash || (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0;
}

function exportsOf(entry: string): ReadonlyMap<ts.Symbol, string> {
  const { program, checker } = compiled();
  const source = program.getSourceFile(ENTRIES.get(entry) ?? '');
  if (source === undefined) throw new Error(`${entry} has no declarations in dist: npm run build`);
  const module = checker.getSymbolAtLocation(source);
  const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
  return new Map(symbols.map((symbol) => [resolved(symbol), symbol.name]));
}

function resolved(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? compiled().checker.getAliasedSymbol(symbol) : symbol;
}

function compiled(): NonNullable<typeof made> {
  if (made !== undefined) return made;
  const program = ts.createProgram([...ENTRIES.values()], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    skipLibCheck: true,
  });
  made = { program, checker: program.getTypeChecker() };
  return made;
}

function typesOfEntries(): ReadonlyMap<string, string> {
  const { exports } = JSON.parse(readText('package.json')) as {
    readonly exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  return new Map(
    Object.entries(exports).flatMap(([name, { types }]) =>
      types === undefined ? [] : [[name, `${ROOT}${types.slice(2)}`] as const],
    ),
  );
}
