import ts from 'typescript';
import { ROOT, type Example } from './example.ts';
import type { PublicName } from './public-api.ts';

/** Names that an example may use without saying where they come from. */
export interface KnownNames {
  readonly specifier: string;
  readonly names: readonly PublicName[];
  /** Where they are declared: in the comments of these files they come before the names of others. */
  readonly files: ReadonlySet<string>;
}

const DIRECTORY = `${ROOT}.examples/`;

/** The options of the package itself: what compiles for users is what compiles here. */
export function compilerOptions(): ts.CompilerOptions {
  const parsed = ts.readConfigFile(`${ROOT}tsconfig.json`, (path) => ts.sys.readFile(path));
  const config = { ...(parsed.config as object), files: [], include: [] };
  return ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options;
}

/**
 * Type-checks the examples, each as a module of its own, in one program, which takes files that another has read.
 * @returns what is wrong, each with the file and line of the documentation
 */
export function checkExamples(
  examples: readonly Example[],
  known: readonly KnownNames[],
  read: ts.Program,
): readonly string[] {
  const sources = new Map(
    examples.map((example) => [fileNameOf(example), { example, text: moduleOf(example, known) }]),
  );
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.getSourceFile = (path, ...how) => read.getSourceFile(path) ?? getSourceFile.call(host, path, ...how);
  host.fileExists = (path) => sources.has(path) || fileExists.call(host, path);
  host.readFile = (path) => sources.get(path)?.text ?? readFile.call(host, path);
  const program = ts.createProgram([...sources.keys()], options, host);
  return [...sources].flatMap(([path, { example }]) => {
    const source = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ file, start = 0, messageText }) => {
        const line = example.line + (file?.getLineAndCharacterOfPosition(start).line ?? 0);
        return `${example.file}:${String(line)} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      },
    );
  });
}

/** A name that keeps the order of the documentation in the program. */
function fileNameOf({ file, line }: Example): string {
  return `${DIRECTORY}${file.replaceAll('/', '_')}_${String(line)}.ts`;
}

/** The example as a module; what is added stands before its first line and after its last. */
function moduleOf({ file, text }: Example, known: readonly KnownNames[]): string {
  const [opening, closing] = frameOf(text);
  const taken = new Set<string>();
  const own = known.filter(({ files }) => files.has(file));
  const imports = [...own, ...known].flatMap(({ specifier, names }) => {
    const free = names.filter(({ name }) => !taken.has(name) && isFree(name, text, specifier));
    for (const { name } of free) taken.add(name);
    const list = free.map(({ name, isType }) => (isType ? `type ${name}` : name)).join(', ');
    return list === '' ? [] : [`import { ${list} } from '${specifier}';`];
  });
  return `${imports.join(' ')} ${opening}${text}\n${closing}\nexport {};\n`;
}

/** A fragment that is not a list of statements is treated as members of a class, or for the body of a function. */
function frameOf(text: string): readonly [string, string] {
  const source = ts.createSourceFile('example.ts', text, ts.ScriptTarget.ES2022, true);
  const { parseDiagnostics } = source as unknown as { readonly parseDiagnostics: readonly unknown[] };
  if (parseDiagnostics.length > 0) return ['class Example { ', '}'];
  return source.statements.some(ts.isReturnStatement) ? ['function example() { ', '}'] : ['', ''];
}

/** True for a name that the example uses but neither declares nor imports. */
function isFree(name: string, text: string, specifier: string): boolean {
  if (text.includes(`from '${specifier}'`)) return false;
  // Behind a dot it is a member, behind three it is spread
  const mention = new RegExp(`(?<!\\w|(?<!\\.\\.)\\.)${name}\\b`);
  const declaration = new RegExp(
    `^(export |abstract |declare |async )*(class|interface|type|function|const|let) ${name}\\b`,
    'm',
  );
  const imported = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\}`);
  return mention.test(text) && !declaration.test(text) && !imported.test(text);
}
