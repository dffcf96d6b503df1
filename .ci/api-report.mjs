#!/usr/bin/env node
/**
 * Writes the types of each entry of the package to test/pins/api, as users get them from dist/, one file for each
 * entry: names in order, without comments and private members. `--check` only compares. It reads what `npm run build`
 * has made.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { layOut } from './format.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORTS = `${ROOT}test/pins/api/`;

const { exports: entries } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
const files = new Map(
  Object.entries(entries).flatMap(([name, { types }]) =>
    types === undefined
      ? []
      : [[name === '.' ? 'toolwright' : name.slice(2).replaceAll('/', '-'), `${ROOT}${types.slice(2)}`]],
  ),
);
const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, ROOT);
const program = ts.createProgram([...files.values()], options);
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: true });

/** The declarations behind one exported name, as text. */
function declarationsOf(symbol) {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return (target.declarations ?? []).map((declaration) => {
    const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    return (
      printer
        .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
        .replace(/^\s*(#private|private [^;]*);\n/gm, '')
        .replace(/^(export |declare )+/, '')
        // Where bundles number names of different files, the numbers change with any of them
        .replace(/\b(\w+)\$\d+\b/g, '$1')
    );
  });
}

async function reportOf(name, file) {
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));
  const texts = symbols
    .map((symbol) => [
      symbol.name,
      declarationsOf(symbol)
        .map((text) => `export ${text}`)
        .join('\n'),
    ])
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([symbol, text]) => `// ${symbol}\n${text}`);
  const report = `// The public types of ${name}. Written by \`npm run api\`.\n\n${texts.join('\n\n')}\n`;
  return layOut(`${name}.d.ts`, report);
}

mkdirSync(REPORTS, { recursive: true });
const stale = [];
for (const [name, file] of files) {
  if (checker.getSymbolAtLocation(program.getSourceFile(file)) === undefined) continue;
  const path = `${REPORTS}${name}.api.txt`;
  const report = await reportOf(name, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === report) continue;
  stale.push(name);
  if (!process.argv.includes('--check')) writeFileSync(path, report);
}
if (stale.length > 0 && process.argv.includes('--check')) {
  console.error(`The public types of ${stale.join(', ')} changed. If that is meant: npm run api`);
  process.exitCode = 1;
}
