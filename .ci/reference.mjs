#!/usr/bin/env node
/**
 * Writes what the pages of docs/reference say of exported names from their declarations and docstrings. A page has
 * `<!-- exports of toolwright/model: Group, Tool -->`, and what follows it up to `<!-- /exports -->` is written anew;
 * which names stand together, and all other text, is written by hand. With `--check` it only compares. It fails
 * where a member has no docstring, neither its own nor one of its base class or interface.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { layOut } from './format.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = `${ROOT}docs/reference/`;
const BLOCK = /<!-- exports of (\S+): ([^>]*?) -->[^]*?<!-- \/exports -->/g;

const { exports: entries } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
const sources = new Map(
  Object.entries(entries).flatMap(([name, { default: file = '' }]) => {
    const [, path] = /^\.\/dist\/(.+)\.js$/.exec(file) ?? [];
    return path === undefined ? [] : [[`toolwright${name.slice(1)}`, `${ROOT}src/${path}.ts`]];
  }),
);
const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, ROOT);
const program = ts.createProgram([...sources.values()], options);
const checker = program.getTypeChecker();

/** The declarations of what an entry exports under a name. */
function declarationsOf(entry, name) {
  const file = program.getSourceFile(sources.get(entry) ?? '');
  const found = file && checker.getExportsOfModule(checker.getSymbolAtLocation(file));
  const symbol = found?.find((each) => each.name === name);
  if (symbol === undefined) throw new Error(`${entry} exports no ${name}`);
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target.declarations ?? [];
}

const isHidden = (member) =>
  (member.name !== undefined && ts.isPrivateIdentifier(member.name)) ||
  (member.name !== undefined && ts.isComputedPropertyName(member.name)) ||
  ts.isClassStaticBlockDeclaration(member) ||
  ts.getJSDocTags(member).some((tag) => tag.tagName.text === 'internal') ||
  (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;

/** Source text on one line, without the comments in it. */
const codeOf = (node) =>
  node
    .getText()
    .replace(/\/\*\*[^]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/\s+/g, ' ')
    // A union on several lines begins with a bar
    .replace(/\( (?:\| )?([^()]*?),? \)/g, '($1)')
    .trim();

const inTable = (text) => text.replaceAll('|', '\\|');

/** Tags that say more than text does. Another word after an at sign is a decorator at the start of a line. */
const TAGS =
  /^(?:throws|returns?|param|example|internal|deprecated|see|template|typeParam|default|defaultValue)$/;

/** What the parser took for tags at the start of lines, although it is the rest of the text. */
function textAfter(doc) {
  const lines = [];
  for (const tag of doc.tags ?? []) {
    if (TAGS.test(tag.tagName.text)) break;
    lines.push(
      tag
        .getText()
        .replace(/\n\s*\*\s?/g, ' ')
        .replace(/\*\/$/, ''),
    );
  }
  return lines.join(' ');
}

/** The sentences of a docstring, its @throws last. */
function commentOf(node) {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const doc = docs.at(-1);
  if (doc === undefined) return inheritedComment(node);
  const raw = (comment) =>
    typeof comment === 'string' ? comment : (ts.getTextOfJSDocComment(comment) ?? '');
  const tags = (doc.tags ?? []).flatMap((tag) => {
    const text = raw(tag.comment);
    if (tag.tagName.text === 'throws') {
      const type = tag.typeExpression?.getText() ?? '';
      return [`Throws ${`${type} ${text}`.trim().replace(/\.$/, '')}.`];
    }
    if (tag.tagName.text === 'returns') return [`Gives ${text.replace(/\.$/, '')}.`];
    if (tag.tagName.text === 'param')
      return [`\`${tag.name.getText()}\`: ${text.replace(/^-?\s*/, '').replace(/\.$/, '')}.`];
    return [];
  });
  return [raw(doc.comment), textAfter(doc), ...tags]
    .join(' ')
    .replace(/\{@link(?:code)?\s+([^}|\s]+)[^}]*\}/g, '`$1`')
    .replace(/``/g, '`')
    .replace(/\s+/g, ' ')
    .trim();
}

/** What the base class or the interface says of a member without a docstring of its own. */
function inheritedComment(node) {
  const owner = node.parent;
  if (
    node.name === undefined ||
    owner === undefined ||
    !(ts.isClassLike(owner) || ts.isInterfaceDeclaration(owner))
  )
    return '';
  for (const { expression } of (owner.heritageClauses ?? []).flatMap(({ types }) => types)) {
    const base = checker.getTypeAtLocation(expression.parent).getProperty(node.name.getText());
    const own = (base?.declarations ?? []).filter((each) =>
      each.getSourceFile().fileName.startsWith(`${ROOT}src/`),
    );
    const text = own.map(commentOf).find(Boolean);
    if (text !== undefined) return text;
  }
  return '';
}

const returned = (node) => (node.type === undefined ? '' : `: ${codeOf(node.type)}`);
const parameters = (node) => `(${node.parameters.map((each) => codeOf(each)).join(', ')})`;

function memberRow(member) {
  if (ts.isConstructorDeclaration(member)) return [`new ${parameters(member)}`, '', commentOf(member)];
  const isStatic = ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static ? 'static ' : '';
  const name = `${isStatic}${member.name?.getText() ?? ''}${member.questionToken ? '?' : ''}`;
  if (ts.isMethodDeclaration(member) || ts.isMethodSignature(member)) {
    return [`${name}${parameters(member)}`, member.type ? codeOf(member.type) : '', commentOf(member)];
  }
  if (ts.isIndexSignatureDeclaration(member)) {
    return [`[${codeOf(member.parameters[0])}]`, codeOf(member.type), commentOf(member)];
  }
  if (ts.isCallSignatureDeclaration(member)) {
    return [parameters(member), member.type ? codeOf(member.type) : '', commentOf(member)];
  }
  return [name, member.type ? codeOf(member.type) : '', commentOf(member)];
}

const withoutMeaning = new Set();

function tableOf(owner, members) {
  const rows = members.filter((member) => !isHidden(member)).map(memberRow);
  if (rows.length === 0) return '';
  const nameOf = ([signature]) => signature.replace(/[(<].*/s, '');
  for (const row of rows) {
    if (row[2] !== '') continue;
    // Of overloads the first has the docstring
    if (rows.some((other) => other[2] !== '' && nameOf(other) === nameOf(row))) row[2] = 'As above.';
    else withoutMeaning.add(`${owner}.${nameOf(row).trim()}`);
  }
  const cells = rows.map(
    ([name, type, text]) => `| \`${inTable(name)}\` | ${type && `\`${inTable(type)}\``} | ${inTable(text)} |`,
  );
  return ['| Member | Type | Meaning |', '| --- | --- | --- |', ...cells].join('\n');
}

const generics = (node) =>
  node.typeParameters === undefined ? '' : `<${node.typeParameters.map((each) => codeOf(each)).join(', ')}>`;
const heritage = (node) => (node.heritageClauses ?? []).map((clause) => ` ${codeOf(clause)}`).join('');

/** The type of a constant, laid out here, since the formatter leaves a constant without a value as it is. */
function inferredType(node) {
  const { NoTruncation, MultilineObjectLiterals, UseSingleQuotesForStringLiteralType } = ts.NodeBuilderFlags;
  const type = checker.typeToTypeNode(
    checker.getTypeAtLocation(node),
    node,
    NoTruncation | MultilineObjectLiterals | UseSingleQuotesForStringLiteralType,
  );
  return ts
    .createPrinter()
    .printNode(ts.EmitHint.Unspecified, type, node.getSourceFile())
    .replace(/^ +/gm, (indent) => ' '.repeat(indent.length / 2));
}

function signatureOf(node) {
  if (ts.isFunctionDeclaration(node)) {
    return `function ${node.name.text}${generics(node)}${parameters(node)}${returned(node)}`;
  }
  if (ts.isVariableDeclaration(node)) {
    const { initializer } = node;
    const type = node.type ? codeOf(node.type) : inferredType(node);
    return `const ${node.name.getText()}: ${type.length > 400 && initializer ? 'typeof …' : type}`;
  }
  if (ts.isTypeAliasDeclaration(node))
    return `type ${node.name.text}${generics(node)} = ${codeOf(node.type)}`;
  if (ts.isClassDeclaration(node)) {
    const isAbstract = ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract ? 'abstract ' : '';
    return `${isAbstract}class ${node.name.text}${generics(node)}${heritage(node)}`;
  }
  if (ts.isInterfaceDeclaration(node)) return `interface ${node.name.text}${generics(node)}${heritage(node)}`;
  return codeOf(node);
}

const exported = new Set(
  [...sources.values()].flatMap((file) =>
    checker
      .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)),
  ),
);

/** The members of a class or interface, with those of a base that is not exported itself. */
function membersOf(node) {
  if (!ts.isClassDeclaration(node) && !ts.isInterfaceDeclaration(node)) return [];
  const bases = (node.heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap(({ expression }) => {
      const symbol = checker.getSymbolAtLocation(expression);
      const base = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const own = (base?.declarations ?? []).filter((each) =>
        each.getSourceFile().fileName.startsWith(`${ROOT}src/`),
      );
      return base === undefined || exported.has(base) ? [] : own.flatMap(membersOf);
    }),
  );
  const names = new Set(node.members.map((member) => member.name?.getText()));
  const isConstructor = (member) => ts.isConstructorDeclaration(member);
  const inherited = bases.filter((member) => !isConstructor(member) && !names.has(member.name?.getText()));
  return [...node.members, ...inherited];
}

/** What is known of one exported name. */
function entryOf(entry, name) {
  const declarations = declarationsOf(entry, name).filter(
    // The implementation of overloads has no signature of its own
    (node, _index, all) => !ts.isFunctionDeclaration(node) || all.length === 1 || node.body === undefined,
  );
  const text =
    declarations
      .map((node) =>
        commentOf(node.parent?.parent && ts.isVariableDeclaration(node) ? node.parent.parent : node),
      )
      .find(Boolean) ?? '';
  const isPlain = (node) => ts.isInterfaceDeclaration(node) && generics(node) + heritage(node) === '';
  const code = declarations.filter((node) => !isPlain(node)).map(signatureOf);
  const members = declarations.flatMap(membersOf);
  const shown = members.filter((member) => {
    if (!ts.isMethodDeclaration(member) || member.body === undefined) return true;
    const same = members.filter((each) => each.name?.getText() === member.name.getText());
    return same.length === 1;
  });
  return [
    `### \`${name}\``,
    text,
    code.length === 0 ? '' : `\`\`\`typescript\n${code.join(';\n')};\n\`\`\``,
    tableOf(name, shown),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

let isStale = false;
for (const page of readdirSync(PAGES)) {
  const old = readFileSync(`${PAGES}${page}`, 'utf8');
  if (!old.includes('<!-- exports of')) continue;
  const filled = old.replace(BLOCK, (_all, entry, names) => {
    const list = names.split(/,\s*/).map((name) => name.trim());
    const text = list.map((name) => entryOf(entry, name)).join('\n\n');
    return `<!-- exports of ${entry}: ${list.join(', ')} -->\n\n${text}\n\n<!-- /exports -->`;
  });
  const written = await layOut(page, filled, { embeddedLanguageFormatting: 'off' });
  const laidOut = narrowTables(await layOut(page, written));
  if (laidOut === old) continue;
  isStale = true;
  if (!process.argv.includes('--check')) writeFileSync(`${PAGES}${page}`, laidOut);
}
/** Columns that line up are a third of these pages, which are packed, and which assistants read. */
function narrowTables(text) {
  const rows = /^\|.*$/gm;
  return text.replace(rows, (row) => row.replace(/ {2,}(?=\|)/g, ' ').replace(/(?<=\| )-{4,}/g, '---'));
}

if (withoutMeaning.size > 0) {
  console.error(`Members of public types without a docstring:\n${[...withoutMeaning].join('\n')}`);
  process.exitCode = 1;
}
if (isStale && process.argv.includes('--check')) {
  console.error('Pages of docs/reference are out of date: npm run docs:reference');
  process.exitCode = 1;
}
