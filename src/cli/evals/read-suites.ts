import { readdir } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { defineEvals, type EvalSuite } from '../../evals/index.ts';
import { membersOf } from '../../shared/json.ts';
import { CliError } from '../output/cli-error.ts';
import { chooseEntry } from '../target/default-entry.ts';
import { importFile } from '../target/load-file.ts';
import { readYaml } from './yaml.ts';

/** Cases of a file, and the application that they are about. */
export interface PlacedSuite extends EvalSuite {
  readonly file: string;
  readonly entry: string;
}

const SUITE = /\.eval\.(?:[cm]?[jt]s|ya?ml|json)$/;
const FOLDERS = ['.', 'evals'];

/** Reads files of cases. @throws CliError, ToolwrightError TW_EVALS_CASE */
export async function readSuites(files: readonly string[]): Promise<readonly PlacedSuite[]> {
  const found = files.length > 0 ? files : await findSuites();
  if (found.length === 0)
    throw new CliError('TW_CLI_ARGUMENT', {
      where: 'toolwright eval',
      what: 'finds no cases: no file *.eval.yaml or *.eval.ts is here or in the folder evals.',
      fix: 'toolwright eval init server.ts',
    });
  const suites: PlacedSuite[] = [];
  for (const file of found) {
    const { entry, cases } = defineEvals(await readSuite(file));
    suites.push({
      file,
      cases,
      entry: entry === undefined ? chooseEntry(undefined) : resolve(dirname(file), entry),
    });
  }
  return suites;
}

async function findSuites(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of FOLDERS) {
    const names = await readdir(folder).catch(() => []);
    found.push(...names.filter((name) => SUITE.test(name)).map((name) => join(folder, name)));
  }
  return found.sort();
}

/** A list of cases is a suite without an entry. */
async function readSuite(file: string): Promise<EvalSuite> {
  const isText = ['.yaml', '.yml', '.json'].includes(extname(file));
  const value = isText ? await readYaml(file) : membersOf(await importFile(resolve(file)))['default'];
  return (Array.isArray(value) ? { cases: value } : value) as EvalSuite;
}
