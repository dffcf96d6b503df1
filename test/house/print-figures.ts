import { findUndocumented } from './documentation.ts';
import { figuresOf, flatFolders, longFiles, singleUserFiles, type Figures } from './figures.ts';
import { ownEntries, partsOf, readSourceTree, type SourceFile } from './source-tree.ts';
import { findStrayTests } from './test-layout.ts';

const TITLES: Readonly<Record<keyof Figures, string>> = {
  files: 'files',
  lines: 'lines',
  median: 'lines of the median file',
  longFiles: 'files over 500 lines',
  singleUser: 'files with a single user',
  flatFolders: 'flat folders above 25 files',
};

/** The figures of `src`, of each folder that was added to the framework, and of what is exported. */
export function printFigures(show: { readonly files: boolean }): void {
  const tree = readSourceTree();
  for (const [part, files] of partsOf(tree)) {
    console.log(part === 'framework' ? `framework: ${ownEntries(tree).join(' ')}` : part);
    const figures = figuresOf(files);
    for (const [figure, title] of Object.entries(TITLES)) {
      console.log(`  ${String(figures[figure as keyof Figures]).padStart(6)} ${title}`);
      if (show.files) print(namesBehind(figure as keyof Figures, files));
    }
  }
  const stray = findStrayTests(tree);
  console.log(`tests\n  ${String(stray.length).padStart(6)} without a file of their name in src`);
  if (show.files) print(stray);
  console.log('exported');
  for (const [figure, names] of Object.entries(findUndocumented()) as [string, readonly string[]][]) {
    console.log(`  ${String(names.length).padStart(6)} ${inWords(figure)}`);
    if (show.files) print(names);
  }
}

function namesBehind(figure: keyof Figures, files: readonly SourceFile[]): readonly string[] {
  if (figure === 'longFiles') return longFiles(files);
  if (figure === 'singleUser') return singleUserFiles(files);
  return figure === 'flatFolders' ? flatFolders(files) : [];
}

function print(names: readonly string[]): void {
  for (const name of names) console.log(`             ${name}`);
}

/** `valuesWithoutReference` → `values without reference`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
